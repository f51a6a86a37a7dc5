"""A sphere around the mean that contains half of the rows (definition 8.8). The target is not used.

Columns are in units of their spread; the radius is the weighted median distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.node import NodeView
from hornbeam.parts.searches.machinery.points import Points
from hornbeam.parts.searches.machinery.targetless_search import TargetlessSearch, median_cut
from hornbeam.parts.searches.spheres import squared_distance
from hornbeam.tree.questions import Question, Sphere


@dataclass(frozen=True)
class Ball(TargetlessSearch):
    """A sphere around the mean that contains half of the rows; the target is not used."""

    name: ClassVar[str] = "ball"

    def question(self, points: Points, node: NodeView) -> Question | None:
        """The sphere around the mean."""
        cut = median_cut(node, squared_distance(points.filled, points.mean, points.sd))
        mean = tuple(points.mean.tolist())
        fill = tuple(points.fill.tolist())
        return None if cut is None else Sphere(points.columns, mean, tuple(points.sd.tolist()), cut, fill)
