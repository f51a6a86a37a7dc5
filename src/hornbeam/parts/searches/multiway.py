"""One branch per level, as in ID3 and C4.5: one candidate per column; at least two branches must be large enough.

`every = "declared"` gives every declared level a branch; the branches without rows are leaves with the parent's
prediction. `allow_zero_gain` allows a question of gain 0: ID3 and C4.5 solve XOR that way (definitions 4.1 and 4.2.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.machinery.candidates import multiway_candidate
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Multiway as EachValueQuestion


@dataclass(frozen=True)
class Multiway(Search):
    """One branch per level."""

    name: ClassVar[str] = "multiway"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 3
    is_exact: ClassVar[bool] = True
    is_multiway: ClassVar[bool] = True
    every: str = option(
        "present",
        "levels that get a branch: those present at the node, or all declared levels",
        choices=("present", "declared"),
    )
    once_per_path: bool = option(True, "whether a column is used at most once on a path")
    allow_zero_gain: bool = option(False, "whether a question of gain 0 is allowed, as in ID3 and C4.5")

    def can_use(self, node: NodeView, column: int) -> bool:
        """Not if the column was used above and may be used only once."""
        return not (self.once_per_path and column in node.used_columns)

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The one candidate of the column."""
        if not self.can_use(node, column):
            return None
        groups = node.groups(column)
        large = limits.allows(groups.rows, groups.weight)
        if len(groups) < 2 or int(large.sum()) < 2:
            return None
        n_levels = len(node.sample.columns[column].levels)
        codes = np.arange(n_levels) if self.every == "declared" else groups.values.astype(np.int64)
        branch_of = np.full(n_levels, -1, dtype=np.int64)
        branch_of[codes] = np.arange(len(codes))
        index = branch_of[groups.values]
        branches = np.zeros((len(codes), groups.stats.shape[1]))
        rows, weight = np.zeros(len(codes), dtype=np.int64), np.zeros(len(codes))
        branches[index], rows[index], weight[index] = groups.stats, groups.rows, groups.weight
        question = EachValueQuestion(column, tuple(branch_of.tolist()))
        return multiway_candidate(
            node, column, question, groups, branches, rows, weight, criterion, allow_zero_gain=self.allow_zero_gain
        )
