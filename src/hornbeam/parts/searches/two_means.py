"""A hyperplane halfway between two clusters of the rows (definition 8.8). The target is not used.

Lloyd's algorithm (at most 100 rounds) starts from the two rows farthest apart along the first principal component, with
columns in units of their spread; the question is the plane halfway between the two final means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.node import Floats, NodeView
from hornbeam.parts.searches.householder_planes import axes
from hornbeam.parts.searches.machinery.plane_search import PlaneAt
from hornbeam.parts.searches.machinery.points import Points, canonical, covariance, sum_columns, sum_rows, weighted_sum
from hornbeam.parts.searches.machinery.targetless_search import TargetlessSearch
from hornbeam.tree.questions import Question


@dataclass(frozen=True)
class TwoMeans(TargetlessSearch):
    """The hyperplane halfway between two clusters; the target is not used."""

    name: ClassVar[str] = "two_means"
    rounds: int = option(100, "maximum number of rounds", at_least=1)

    def question(self, points: Points, node: NodeView) -> Question | None:
        """The bisector of the two means."""
        means = self.means(points)
        unit = None if means is None else canonical(means[1] - means[0])
        if means is None or unit is None:
            return None
        at = PlaneAt(points, unit)
        middle = points.mean + points.sd * (means[0] + means[1]) / 2
        return at(float(weighted_sum(middle[None, np.flatnonzero(unit)], at.weights)[0]))

    def means(self, points: Points) -> Floats | None:
        """The means of the two clusters."""
        axis = next(axes(covariance(points.x, points.weights)[1]), np.ones(1))
        along = weighted_sum(points.x, axis)
        centers = points.x[[int(along.argmin()), int(along.argmax())]]
        side = np.zeros(len(points.x), dtype=np.bool_)
        for turn in range(self.rounds):
            apart = [weighted_sum((points.x - center) ** 2, np.ones(points.x.shape[1])) for center in centers]
            moved = apart[1] < apart[0]
            if moved.all() or not moved.any():
                return None
            if turn and (moved == side).all():
                break
            side = moved
            centers = np.stack([_mean(points.x[part], points.weights[part]) for part in (~side, side)])
        return centers


def _mean(x: Floats, weights: Floats) -> Floats:
    return sum_columns(x * weights[:, None]) / sum_rows(weights)
