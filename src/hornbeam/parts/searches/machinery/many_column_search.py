"""The interface of a search of many columns at once. It runs once per node, after the searches of single columns.

`among` receives the columns of its `kinds` that compete at the node, and the best question about a single column. Its
candidate comes last in the order of definition 0.3, so a question about one column wins a tie.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Groups, Integers, Limits, NodeView, sum_by_group
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.machinery.candidates import BinaryCandidates, best_admitted, make_candidate
from hornbeam.parts.searches.sorted_cuts import admitted_cuts, midpoint
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Question

# Scores of rows that differ by less than this fraction of their range are equal up to rounding.
SAME = 1e-10

# The question that cuts the rows, ordered by one number each, at a value.
QuestionAt = Callable[[float], Question]


@dataclass(frozen=True)
class ManyColumnSearch(Search):
    """A search of questions about several numeric columns.

    `competes_with_cuts`: searches of single columns are added so that they compete with it.
    """

    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC,)
    uses_many_columns: ClassVar[bool] = True
    must_gain: ClassVar[bool] = True
    competes_with_cuts: ClassVar[bool] = True
    until_depth: int | None = option(
        None, "depth from which the search is not used; if None, it is used at every depth", at_least=1, kw_only=True
    )

    def applies_at(self, node: NodeView) -> bool:
        """Whether the search is used at a node of this depth."""
        return self.until_depth is None or node.depth < self.until_depth

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best question about this column alone."""
        return self.among(node, (column,), criterion, limits, None)

    @abc.abstractmethod
    def among(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        best_single: Candidate | None,
    ) -> Candidate | None:
        """The best question about some of these columns, or None."""

    def with_candidates(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        found: Sequence[Candidate],
    ) -> Candidate | None:
        """The best question at a node where `found` are the best ones about single columns."""
        index = criterion.choose(found, node) if found else None
        return self.among(node, columns, criterion, limits, None if index is None else found[index])


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The rows of a node ordered by one number each: blocks of equal numbers, ascending, with their ends."""

    groups: Groups
    lowest: Floats
    highest: Floats

    def between(self, index: int) -> float:
        """The cut above a block."""
        return midpoint(float(self.highest[index]), float(self.lowest[index + 1]))

    def cuts(self, question: QuestionAt) -> BinaryCandidates:
        """All cuts between blocks."""
        groups = self.groups
        return BinaryCandidates(
            stats=np.cumsum(groups.stats, axis=0)[:-1],
            rows=np.cumsum(groups.rows)[:-1],
            weight=np.cumsum(groups.weight)[:-1],
            question=lambda index: question(self.between(index)),
            is_cut=True,
        )


def rank_rows(node: NodeView, numbers: Floats) -> RankedRows | None:
    """The rows ordered by one number each; None if all are equal or one is not finite."""
    if not np.isfinite(numbers).all():
        return None
    order = np.argsort(numbers, kind="stable")
    ascending = numbers[order]
    starts = np.flatnonzero(np.diff(ascending) > SAME * (ascending[-1] - ascending[0])) + 1
    if len(starts) == 0:
        return None
    block = np.zeros(len(numbers), dtype=np.int64)
    block[order] = np.searchsorted(starts, np.arange(len(numbers)), side="right")
    count = len(starts) + 1
    groups = Groups(
        values=ascending[np.concatenate([[0], starts])],
        stats=node.table(block, count),
        rows=np.bincount(block, minlength=count).astype(np.int64),
        weight=sum_by_group(block, node.weights, count),
        unknown=0.0,
    )
    return RankedRows(groups, groups.values, ascending[np.concatenate([starts - 1, [len(numbers) - 1]])])


def best_cut(
    node: NodeView, numbers: Floats, question: QuestionAt, column: int, criterion: Criterion, limits: Limits
) -> Candidate | None:
    """The best cut of rows ordered by one number each: the exact search of definition 3.1 with the tree's criterion."""
    blocks = rank_rows(node, numbers)
    if blocks is None:
        return None
    candidates = blocks.cuts(question)
    min_size = "c45" if criterion.name == "c45" else "min_leaf"
    indices = admitted_cuts(blocks.groups, candidates, limits, min_size, node.sample.n_classes)
    return best_admitted(node, column, blocks.groups, candidates, criterion, indices)


def score_question(
    node: NodeView, question: Question, branch: npt.NDArray[np.int32], criterion: Criterion, limits: Limits
) -> Candidate | None:
    """A question found without the target, with its score for the target."""
    known = branch >= 0
    side: Integers = branch[known].astype(np.int64)
    stats, rows = node.table(side, 2, known), np.bincount(side, minlength=2)
    weight = sum_by_group(side, node.weights[known], 2)
    if not limits.allows(rows, weight).all() or (rows == 0).any():
        return None
    groups = Groups(np.arange(2.0), stats, rows.astype(np.int64), weight, float(node.criterion_weights[~known].sum()))
    score = float(criterion.score(groups.parent, stats[None], groups.unknown, node.targets)[0])
    column = question.columns[0]
    return make_candidate(node, column, question, score, groups, stats, rows, weight, criterion, allow_zero_gain=True)
