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

from hornbeam.parts.node import Floats

_EQUAL = 1e-6


def eigenvectors(matrix: Floats) -> tuple[Floats, Floats]:
    """The eigenvalues, largest first, and the eigenvectors, one per row."""
    values, vectors = (each[..., ::-1] for each in np.linalg.eigh(matrix))
    rows = np.array(vectors.T)
    is_new = np.append(True, ~(values[:-1] - values[1:] <= _EQUAL * values[0]))
    starts = [*np.flatnonzero(is_new).tolist(), len(values)]
    for begin, end in itertools.pairwise(starts):
        if end - begin > 1:
            rows[begin:end] = _basis(rows[begin:end])
    return values, rows


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
