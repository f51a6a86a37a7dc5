"""The cut of a k-d tree (definition 8.8): the column of largest spread, at its median. The target is not used.

The cut is between the lower weighted median and the next larger value; if there is none, in the next lower gap. The
strategy for missing values decides where rows without a value go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.node import NodeView
from hornbeam.parts.searches.machinery.points import Points
from hornbeam.parts.searches.machinery.targetless_search import TargetlessSearch, median_block
from hornbeam.parts.searches.sorted_cuts import midpoint
from hornbeam.tree.questions import Question, Threshold


@dataclass(frozen=True)
class KdMedian(TargetlessSearch):
    """The column of largest spread, cut at its median; the target is not used."""

    name: ClassVar[str] = "kd_median"
    spread: str = option("variance", "measure of spread", choices=("variance", "range"))

    def question(self, points: Points, node: NodeView) -> Question | None:
        """The column of largest spread, cut at its median."""
        width = points.sd if self.spread == "variance" else points.filled.max(axis=0) - points.filled.min(axis=0)
        column = points.columns[int(np.argmax(width))]
        groups = node.groups(column)
        index = median_block(groups.weight)
        return Threshold(column, midpoint(float(groups.values[index]), float(groups.values[index + 1])))
