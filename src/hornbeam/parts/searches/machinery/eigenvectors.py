"""Eigenvectors of a symmetric matrix, the same for every program that computes them.

Where eigenvalues are equal, any basis of their space is a set of eigenvectors, and rounding would choose one. Here
eigenvalues that differ by at most 1e-6 of the largest are equal, and their basis is made of the coordinate axes: each
axis in turn is projected onto the space and onto what the vectors before it leave of it; a projection of at least
1 / (2 sqrt(d)) is the next vector. That many of d axes are always found.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from hornbeam.ordered_sum import ordered_sum
from hornbeam.parts.node import Floats

_EQUAL = 1e-6
_MAX_SWEEPS = 60


def eigenvectors(matrix: Floats) -> tuple[Floats, Floats]:
    """The eigenvalues, largest first, and the eigenvectors, one per row."""
    values, rows = _rotated(matrix.tolist())
    is_new = np.append(True, ~(values[:-1] - values[1:] <= _EQUAL * values[0]))
    starts = [*np.flatnonzero(is_new).tolist(), len(values)]
    for begin, end in itertools.pairwise(starts):
        if end - begin > 1:
            rows[begin:end] = _basis(rows[begin:end])
    return values, rows


def _rotated(a: list[list[float]]) -> tuple[Floats, Floats]:
    """Eigenvalues, largest first, and eigenvectors by Jacobi's rotations, in the order in which the core rotates.

    A matrix that is symmetric up to rounding only has eigenvectors that depend on this order in their last digits.
    """
    d = len(a)
    v = np.eye(d).tolist()
    for _ in range(_MAX_SWEEPS):
        squares = [(i == j, a[i][j] * a[i][j]) for i in range(d) for j in range(d)]
        off, diagonal = (ordered_sum(x for on, x in squares if on == wanted) for wanted in (False, True))
        if off <= 1e-30 * (diagonal + off):
            break
        for p, q in itertools.combinations(range(d), 2):
            if a[p][q] == 0:
                continue
            theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
            t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1)) if theta else 1.0
            c = 1 / math.sqrt(t * t + 1)
            s = t * c
            for row in a:
                row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
            for rows in (a, v):
                pairs = list(zip(rows[p], rows[q]))
                rows[p] = [c * x - s * y for x, y in pairs]
                rows[q] = [s * x + c * y for x, y in pairs]
    order = sorted(range(d), key=lambda i: -a[i][i])
    return np.array([a[i][i] for i in order]), np.array([v[i] for i in order])


def _basis(span: Floats) -> Floats:
    """The basis of a space that is given by vectors of length 1, one per row."""
    n_axes = span.shape[1]
    found: list[Floats] = []
    for axis in range(n_axes):
        rest = span[:, axis] @ span
        for vector in found:
            rest = rest - (rest @ vector) * vector
        length = math.sqrt(float(rest @ rest))
        if len(found) < len(span) and length >= 0.5 / math.sqrt(n_axes):
            found.append(rest / length)
    return np.array(found)
