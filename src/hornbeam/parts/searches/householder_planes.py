"""Hyperplanes across the axes of the spread of a class (HHCART, definition 8.4).

For each class and each eigenvector u of its covariance, longest first, the points are mirrored so that u becomes the
first axis: H = I - 2 q q' / q'q with q = e_1 - u. Every column of H is a direction; the cut is found as for any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.node import Candidate, Floats
from hornbeam.parts.searches.machinery.eigenvectors import eigenvectors
from hornbeam.parts.searches.machinery.plane_search import Fit, Frame, PlaneSearch
from hornbeam.parts.searches.machinery.points import Points, canonical, covariance

_FLAT = 1e-9


@dataclass(frozen=True)
class HouseholderPlanes(PlaneSearch):
    """Hyperplanes across the axes of the spread of every class."""

    name: ClassVar[str] = "householder_planes"

    def fits(self, points: Points, frame: Frame, best_single: Candidate | None) -> Iterator[Fit]:
        """One fit per class, axis and column."""
        target = frame.node.target
        for label in np.unique(target).tolist():
            inside = target == label
            if np.count_nonzero(inside) < 2:
                continue
            for axis in axes(covariance(points.x[inside], points.weights[inside])[1]):
                for direction in mirror(axis).T:
                    yield canonical_direction(direction)


def canonical_direction(direction: Floats) -> Fit:
    """A fit that always returns the same direction, in the remaining columns."""
    return lambda points: direction[points.kept]


def axes(spread: Floats) -> Iterator[Floats]:
    """The eigenvectors of a covariance, of the largest eigenvalue first, in canonical sign.

    Axes without spread are excluded, as any vector would be one.
    """
    values, vectors = eigenvectors(spread)
    for value, vector in zip(values.tolist(), vectors, strict=True):
        unit = canonical(vector) if value > _FLAT * values[0] else None
        if unit is not None:
            yield unit


def mirror(axis: Floats) -> Floats:
    """The Householder matrix that maps an axis of length 1 to the first one."""
    q = -axis
    q[0] += 1.0
    length = float((q * q).sum())
    whole = np.eye(len(axis))
    return whole if length < 1e-18 else whole - 2.0 * np.outer(q, q) / length
