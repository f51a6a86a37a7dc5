"""One cut per column: between the two values next to its median at the node. Fast, and balanced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView
from hornbeam.parts.searches import Search
from hornbeam.parts.searches.machinery.candidates import admitted_candidates, best_admitted
from hornbeam.parts.searches.sorted_cuts import cuts
from hornbeam.table.column import Kind


@dataclass(frozen=True)
class MedianCut(Search):
    """The cut of a numeric or ordinal column at its median."""

    name: ClassVar[str] = "median_cut"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL)

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The cut at the median, or None if the column is constant or a branch would be too small."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        candidates = cuts(node.sample, groups, column)  # every cut between neighboring groups, ascending
        at_or_below = np.cumsum(groups.weight)
        median = min(int(np.searchsorted(at_or_below, at_or_below[-1] / 2)), len(groups) - 2)
        admitted = admitted_candidates(groups, candidates, limits)
        at_median = admitted[admitted // groups.n_directions == median]
        return best_admitted(node, column, groups, candidates, criterion, at_median)
