"""A hyperplane across the longest axis of the rows, at the median (definition 8.8). The target is not used.

The axis is the leading eigenvector of the covariance of the points (columns in units of their spread); the cut is the
weighted median.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.node import NodeView
from hornbeam.parts.searches.householder_planes import axes
from hornbeam.parts.searches.machinery.plane_search import PlaneAt
from hornbeam.parts.searches.machinery.points import Points, covariance, weighted_sum
from hornbeam.parts.searches.machinery.targetless_search import TargetlessSearch, median_cut
from hornbeam.tree.questions import Question


@dataclass(frozen=True)
class PcaMedian(TargetlessSearch):
    """The hyperplane across the longest axis of the rows, at the median; the target is not used."""

    name: ClassVar[str] = "pca_median"

    def question(self, points: Points, node: NodeView) -> Question | None:
        """The plane across the first principal component."""
        axis = next(axes(covariance(points.x, points.weights)[1]), np.ones(1))
        at = PlaneAt(points, axis)
        cut = median_cut(node, weighted_sum(at.filled, at.weights))
        return None if cut is None else at(cut)
