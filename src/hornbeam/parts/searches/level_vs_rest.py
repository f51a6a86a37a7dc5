"""Which single level is best set apart from the rest?  m tries for m levels present (definition 3.2, lecture note 3).

    by score   the level of largest score
    by ratio   of largest score over split information, as J48 -B takes it: among levels of like gain the rarer one

Levels without a row at the node are of no branch, and met later they are new; `every = "declared"` sends them with the
rest, as J48 -B does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.criteria.entropy import entropy
from hornbeam.parts.node import Candidate, Floats, Groups, Limits, NodeView, first_best
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.machinery.candidates import (
    BinaryCandidates,
    admitted_candidates,
    best_admitted,
    binary_candidates,
    scores_and_branches,
)
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Subset

# Candidates x groups: who is inside.
Members = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LevelVsRest(Search):
    """One level against all others."""

    name: ClassVar[str] = "level_vs_rest"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 1
    by: str = option("score", "what chooses among the levels", choices=("score", "ratio"))
    every: str = option("present", "which levels the rest is made of", choices=("present", "declared"))

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best level of a column."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        # Of two levels, setting the second apart is the same question as setting the first apart.
        members = np.eye(len(groups), dtype=bool)[: 1 if len(groups) == 2 else None]
        n_levels = len(node.sample.columns[column].levels)
        lefts = set_candidates(groups, members, column, n_levels)
        if self.every == "declared":
            lefts = dataclasses.replace(lefts, question=_against_all_others(lefts, n_levels))
        admitted = admitted_candidates(groups, lefts, limits)
        tried = len(admitted)
        if self.by == "ratio" and tried:
            ratios = _ratios(node, groups, lefts.stats[admitted], criterion)
            best = first_best(ratios, criterion.tolerance(node.stats, node.targets))
            admitted = admitted[best : best + 1]
        return best_admitted(node, column, groups, lefts, criterion, admitted, tried)


def _against_all_others(lefts: BinaryCandidates, n_levels: int) -> Callable[[int], Subset]:
    """The questions of candidates, all levels that are not inside outside."""

    def question(place: int) -> Subset:
        asked = lefts.question(place)
        assert isinstance(asked, Subset)
        outside = tuple(code for code in range(n_levels) if code not in asked.inside)
        return dataclasses.replace(asked, outside=outside)

    return question


def _ratios(node: NodeView, groups: Groups, lefts: Floats, criterion: Criterion) -> Floats:
    """Score over split information of every candidate, rows of unknown answer being one more branch."""
    scores, branches = scores_and_branches(node, groups, lefts, criterion)
    weights = criterion.mass(branches)
    unknown = np.full((len(weights), 1), groups.unknown)
    ratios: Floats = scores / entropy(np.concatenate([weights, unknown], axis=1))
    return ratios


def set_candidates(groups: Groups, members: Members, column: int, n_levels: int) -> BinaryCandidates:
    """Candidate sets of levels from a table candidates x groups of who is inside."""
    codes = groups.values.astype(np.int64)

    def question(place: int) -> Subset:
        inside = members[place]
        return Subset(column, tuple(codes[inside].tolist()), tuple(codes[~inside].tolist()), n_levels)

    counts = members.astype(np.float64)
    return binary_candidates(
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
