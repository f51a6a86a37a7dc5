"""Lookahead: the question whose branches can be split best, so that XOR has a solution.

    score = I(t) - sum over branches f_c (I(c) - the best gain of any question at c)  +  1e-6 its own gain

The last term prefers, of two questions with equal results, the one with the larger own gain: without it a useless
question could always come first, as the second would compensate for it. A question without a gain of its own (XOR, a
checkerboard) is found in this way; the branches are then searched independently. `when = "stuck"` runs only where the
other searches find no question, `"always"` at every node. All cuts of all columns are tried if (number of cuts)^2 rows
is at most 1e9, else the cuts at `quantiles` of each column; of levels all sets up to 6 levels, else one level against
the others. Two-valued columns are solved for all pairs at once. Where the stop `max_depth` makes all branches leaves,
no second question follows: the score is then the own gain.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Groups, Integers, Limits, NodeView, TriedCandidate, first_best
from hornbeam.parts.searches.all_subsets import all_sets
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.level_vs_rest import Members, set_candidates
from hornbeam.parts.searches.machinery.candidates import make_candidate, rest_of, two_branches
from hornbeam.parts.searches.machinery.pair_tables import (
    all_pairs,
    best_decrease,
    channels_of,
    joint_table,
    weighted_impurity,
)
from hornbeam.parts.searches.sorted_cuts import cuts
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Question

_MAX_WORK = 1e9
_MAX_LEVELS = 6
_OWN_GAIN = 1e-6
# Tables are computed in blocks of this many numbers.
_BLOCK = 2_000_000


@dataclass(frozen=True)
class Lookahead(Search):
    """The question whose branches can be split best, two questions ahead."""

    name: ClassVar[str] = "lookahead"
    must_gain: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL, Kind.NOMINAL)
    rank: ClassVar[int] = 9
    when: str = option(
        "stuck", "nodes where it runs: those without any other question, or all", choices=("stuck", "always")
    )
    quantiles: int = option(32, "number of cuts of a column that are tried where all would take too long", at_least=1)

    @property
    def is_last_resort(self) -> bool:
        """Whether the other searches come first."""
        return self.when == "stuck"

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best question about a column, scored two questions ahead."""
        families = self._families(node)
        family = families[column]
        if family is None:
            return None
        rows, weight = family.in_left(-2), family.in_left(-1)
        fits = limits.allows(rows, weight) & limits.allows(family.total[-2] - rows, family.total[-1] - weight)
        indices = np.flatnonzero(fits)
        if len(indices) == 0:
            return None
        scores = _scores(node, column, families, criterion, limits)[indices]
        if node.tried_candidates is not None:
            marks = zip(indices.tolist(), scores.tolist(), strict=True)
            node.tried_candidates.extend(
                TriedCandidate(column, family.question(index), score) for index, score in marks
            )
        found = first_best(scores, criterion.tolerance(node.stats, node.targets))
        index = int(indices[found])
        branches = two_branches(family.total[:-2], family.left[index : index + 1, :-2])[0]
        sizes = np.array([rows[index], family.total[-2] - rows[index]])
        weights = np.array([weight[index], family.total[-1] - weight[index]])
        return make_candidate(
            node,
            column,
            family.question(index),
            float(scores[found]),
            family.known_groups(node),
            branches,
            sizes,
            weights,
            criterion,
            len(indices),
        )

    def _families(self, node: NodeView) -> list[_Family | None]:
        """The questions about every column at a node, computed once."""
        return node.sample.cache.get_latest("lookahead", node.id, lambda: self._computed_families(node))

    def _computed_families(self, node: NodeView) -> list[_Family | None]:
        every = [node.groups(column) for column in range(len(node.sample.columns))]
        kinds = [column.kind for column in node.sample.columns]
        n_cuts = sum(len(groups) - 1 for groups, kind in zip(every, kinds) if kind is not Kind.NOMINAL)
        max_cuts = None if n_cuts * n_cuts * node.n_rows <= _MAX_WORK else self.quantiles
        channels = channels_of(node)
        return [
            _family(node, column, groups, max_cuts, channels) if len(groups) > 1 else None
            for column, groups in enumerate(every)
        ]


@dataclasses.dataclass(frozen=True, eq=False)
class _Family:
    """The questions about one column: the group of every row (-1: missing), and the groups of branch 0."""

    groups: Groups
    group: Integers
    members: Members
    question: Callable[[int], Question]
    channels: Floats
    left: Floats
    total: Floats

    def in_left(self, channel: int) -> Floats:
        """The sum of a channel in branch 0 of every question."""
        found: Floats = self.left[:, channel]
        return found

    def known_groups(self, node: NodeView) -> Groups:
        """The rows whose branch a question decides: the others are unknown, whatever they count for elsewhere."""
        unknown = float(node.criterion_weights[self.group < 0].sum())
        return dataclasses.replace(self.groups, stats=self.total[None, :-2], unknown=unknown, missing=None)

    @property
    def is_two_valued(self) -> bool:
        """Whether the column has one possible question and no missing value."""
        return self.members.shape == (1, 2) and bool((self.group >= 0).all())


def _family(node: NodeView, column: int, groups: Groups, max_cuts: int | None, channels: Floats) -> _Family:
    data = node.sample.columns[column]
    values = data.values[node.rows]
    known = ~np.isnan(values) if data.kind is Kind.NUMERIC else values >= 0
    group = np.full(node.n_rows, -1, dtype=np.int64)
    group[known] = np.searchsorted(groups.values, values[known])
    if data.kind is Kind.NOMINAL:
        members = _sets(len(groups))
        every = set_candidates(groups, members, column, len(data.levels)).question
        indices = np.arange(len(members))
    else:
        indices = _tried_cuts(groups, max_cuts)
        group = np.where(group >= 0, np.searchsorted(indices, group, side="left"), -1)
        members = np.tri(len(indices), len(indices) + 1, dtype=bool)
        every = cuts(node.sample, groups, column).question

    def question(index: int) -> Question:
        # Questions are numbered once per direction of missing values.
        return every(int(indices[index]) * groups.n_directions)

    width = members.shape[1]
    cells = joint_table(group, width, np.where(group >= 0, 0, -1), 1, channels)[:, 0]
    return _Family(groups, group, members, question, channels, members @ cells, cells.sum(axis=0))


def _tried_cuts(groups: Groups, max_cuts: int | None) -> Integers:
    """The cuts that are tried: all, or those at quantiles of the rows; cut i is above group i."""
    every = np.arange(len(groups) - 1)
    if max_cuts is None or len(every) <= max_cuts:
        return every
    below = np.cumsum(groups.rows)
    levels = below[-1] * np.arange(1, max_cuts + 1) / (max_cuts + 1)
    return np.unique(np.clip(np.searchsorted(below, levels), 0, len(every) - 1))


def _sets(m: int) -> Members:
    if m <= _MAX_LEVELS:
        return all_sets(m, m // 2)
    return np.eye(m, dtype=bool)


def _is_last(node: NodeView) -> bool:
    """Whether the children of a node are leaves by the maximum depth, so that no second question follows."""
    max_depth = node.sample.max_depth
    return max_depth is not None and node.depth + 1 >= max_depth


def _scores(
    node: NodeView, column: int, families: list[_Family | None], criterion: Criterion, limits: Limits
) -> Floats:
    """The gain over two questions for every question about a column."""
    family = families[column]
    assert family is not None
    others = [each for each in families if each is not None]
    right = rest_of(family.total, family.left)
    decrease = weighted_impurity(family.total, criterion, node.targets)
    decrease = decrease - weighted_impurity(family.left, criterion, node.targets)
    decrease = decrease - weighted_impurity(right, criterion, node.targets)
    if _is_last(node):
        return np.asarray(decrease / node.mass, dtype=np.float64)
    if all(each.is_two_valued for each in others):
        below = _of_two_valued(node, others, criterion, limits)[others.index(family)]
    else:
        below = _below(family, others, criterion, limits, node.targets)
    return np.asarray((decrease + below + _OWN_GAIN * decrease) / node.mass, dtype=np.float64)


def _below(
    family: _Family, others: list[_Family], criterion: Criterion, limits: Limits, targets: Floats | None
) -> Floats:
    """The decrease of weight times impurity by the best second questions, for every question of a family."""
    n = len(family.members)
    best = np.zeros((2, n))
    for other in others:
        cells = joint_table(family.group, family.members.shape[1], other.group, other.members.shape[1], family.channels)
        step = max(1, _BLOCK // (len(other.members) * cells.shape[2]))
        for start in range(0, n, step):
            inside = np.tensordot(family.members[start : start + step].astype(np.float64), cells, axes=1)
            for side, here in enumerate((inside, rest_of(cells.sum(axis=0), inside))):
                left = np.matmul(other.members.astype(np.float64), here)
                found = best_decrease(left, here.sum(axis=1), criterion, targets, limits)
                best[side, start : start + step] = np.maximum(best[side, start : start + step], found)
    total: Floats = best.sum(axis=0)
    return total


def _of_two_valued(node: NodeView, others: list[_Family], criterion: Criterion, limits: Limits) -> Floats:
    """The same for the single questions of two-valued columns, all pairs in one pass."""

    def compute() -> Floats:
        inside = np.stack([each.group == 0 for each in others], axis=1)
        both = all_pairs(inside, others[0].channels)
        single = np.stack([each.left[0] for each in others])
        rest = rest_of(others[0].total, single)
        decrease = best_decrease(both, single, criterion, node.targets, limits)
        decrease = decrease + best_decrease(rest_of(single[None, :], both), rest, criterion, node.targets, limits)
        return decrease[:, None]

    return node.sample.cache.get_latest("lookahead pairs", node.id, compute)
