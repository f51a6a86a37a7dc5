"""One level against the rest: m candidates for m levels present (definition 3.2, lecture note 3).

    by score   the level of largest score
    by ratio   the largest score over split information, as J48 -B: among levels of similar gain the rarer one

Levels without a row at the node have no branch, and are unseen levels in new rows; `every = "declared"` sends them with
the rest, as J48 -B does.
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

# Candidates x groups: which groups are inside.
Members = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LevelVsRest(Search):
    """One level against all others."""

    name: ClassVar[str] = "level_vs_rest"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 1
    is_exact: ClassVar[bool] = True
    method: str = option(
        "score", "selection among the levels: by score, or by score over split information", choices=("score", "ratio")
    )
    every: str = option(
        "present",
        "levels of the rest: those present at the node, or all declared levels",
        choices=("present", "declared"),
    )

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best level of a column."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        # Of two levels, the second against the rest is the same question as the first.
        members = np.eye(len(groups), dtype=bool)[: 1 if len(groups) == 2 else None]
        n_levels = len(node.sample.columns[column].levels)
        candidates = set_candidates(groups, members, column, n_levels)
        if self.every == "declared":
            candidates = dataclasses.replace(candidates, question=_against_all_others(candidates, n_levels))
        admitted = admitted_candidates(groups, candidates, limits)
        tried = len(admitted)
        if self.method == "ratio" and tried:
            ratios = _ratios(node, groups, candidates.stats[admitted], criterion)
            best = first_best(ratios, criterion.tolerance(node.stats, node.targets))
            admitted = admitted[best : best + 1]
        return best_admitted(node, column, groups, candidates, criterion, admitted, tried)


def _against_all_others(candidates: BinaryCandidates, n_levels: int) -> Callable[[int], Subset]:
    """The questions of candidates, with all levels that are not inside as outside."""

    def question(index: int) -> Subset:
        subset = candidates.question(index)
        assert isinstance(subset, Subset)
        outside = tuple(code for code in range(n_levels) if code not in subset.inside)
        return dataclasses.replace(subset, outside=outside)

    return question


def _ratios(node: NodeView, groups: Groups, candidates: Floats, criterion: Criterion) -> Floats:
    """Score over split information of every candidate, rows of unknown branch being one more branch."""
    scores, branches = scores_and_branches(node, groups, candidates, criterion)
    weights = criterion.mass(branches)
    unknown = np.full((len(weights), 1), groups.unknown)
    ratios: Floats = scores / entropy(np.concatenate([weights, unknown], axis=1))
    return ratios


def set_candidates(groups: Groups, members: Members, column: int, n_levels: int) -> BinaryCandidates:
    """Candidate sets of levels from a table candidates x groups that marks the groups inside."""
    codes = groups.values.astype(np.int64)

    def question(index: int) -> Subset:
        inside = members[index]
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
    """Sets replaced by their smaller side (that of the lowest level if both are equal), by size, then by levels."""
    m = members.shape[1]
    size = members.sum(axis=1)
    is_swapped = (2 * size > m) | ((2 * size == m) & ~members[:, 0])
    members = np.where(is_swapped[:, None], ~members, members)
    # Lexicographic by sorted levels among sets of one size: a set with the lower level first.
    order = sorted(
        range(len(members)), key=lambda i: (int(members[i].sum()), tuple(np.flatnonzero(members[i]).tolist()))
    )
    return members[order]
