"""Which single level is best set apart from the rest?  m tries for m levels present (ALGORITHMS 3.2, note 002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Groups, Limits, NodeView
from hornbeam.parts.searches.base import Lefts, Search, best_of, lefts_of
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Subset

# Candidates x groups: who is inside.
Members = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class OneValue(Search):
    """One level against all others."""

    name: ClassVar[str] = "one_value"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 1

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best level of a column."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        # Of two levels, setting the second apart is the same question as setting the first apart.
        members = np.eye(len(groups), dtype=bool)[: 1 if len(groups) == 2 else None]
        n_levels = len(node.sample.columns[column].levels)
        return best_of(node, column, groups, set_lefts(groups, members, column, n_levels), criterion, limits)


def set_lefts(groups: Groups, members: Members, column: int, n_levels: int) -> Lefts:
    """Candidate sets of levels from a table candidates x groups of who is inside."""
    codes = groups.values.astype(np.int64)

    def question(place: int) -> Subset:
        inside = members[place]
        return Subset(column, tuple(codes[inside].tolist()), tuple(codes[~inside].tolist()), n_levels)

    counts = members.astype(np.float64)
    return lefts_of(
        groups,
        stats=counts @ groups.stats,
        rows=members.astype(np.int64) @ groups.rows,
        weight=counts @ groups.weight,
        question=question,
        is_cut=False,
    )


def canonical_sets(members: Members) -> Members:
    """Sets turned to their smaller side (the side of the lowest level if both are equal), by size, then by levels."""
    m = members.shape[1]
    size = members.sum(axis=1)
    turn = (2 * size > m) | ((2 * size == m) & ~members[:, 0])
    members = np.where(turn[:, None], ~members, members)
    # Lexicographic by sorted levels among sets of one size: a set with the lower level first.
    order = sorted(
        range(len(members)), key=lambda i: (int(members[i].sum()), tuple(np.flatnonzero(members[i]).tolist()))
    )
    return members[order]
