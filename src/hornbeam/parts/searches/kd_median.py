"""Where does a k-d tree cut (definition 8.8)?  The column of largest spread, at its median, whatever the target is.

The cut lies between the lower weighted median and the next larger value; if there is none, in the next lower gap.
Rows without a value go where the way with missing values sends them.
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
    """The column of largest spread, cut at its median; the target is not looked at."""

    name: ClassVar[str] = "kd_median"
    spread: str = option("variance", "what makes a column wide", choices=("variance", "range"))

    def question(self, points: Points, node: NodeView) -> Question | None:
        """The widest column at its median."""
        wide = points.sd if self.spread == "variance" else points.filled.max(axis=0) - points.filled.min(axis=0)
        column = points.columns[int(np.argmax(wide))]
        groups = node.groups(column)
        place = median_block(groups.weight)
        return Threshold(column, midpoint(float(groups.values[place]), float(groups.values[place + 1])))
