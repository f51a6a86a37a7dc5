"""What is a search that looks at many columns at once?  It is asked once a node, after every column had its say.

`among` sees the numeric columns that compete at the node and the best_single: the best question about one column found so
far. Its candidate comes last in the order of definition 0.3, so a question about one column wins a tie.
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

# Scores of rows that differ by less than this share of their range differ by rounding alone.
SAME = 1e-10

# The question that cuts a number of every row at a place.
QuestionAt = Callable[[float], Question]


@dataclass(frozen=True)
class ManyColumnSearch(Search):
    """Finds a question about several numeric columns; `competes_with_cuts`: single columns are to compete with it."""

    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC,)
    uses_many_columns: ClassVar[bool] = True
    must_gain: ClassVar[bool] = True
    competes_with_cuts: ClassVar[bool] = True
    until_depth: int | None = option(
        None, "the depth from which it is not tried; none: it is tried at every depth", at_least=1, kw_only=True
    )

    def applies_at(self, node: NodeView) -> bool:
        """Whether it is tried at a node of this depth."""
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


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The rows of a node by a number each: blocks of equal numbers, ascending, with their ends."""

    groups: Groups
    lowest: Floats
    highest: Floats

    def between(self, place: int) -> float:
        """The cut above a block."""
        return midpoint(float(self.highest[place]), float(self.lowest[place + 1]))

    def lefts(self, question: QuestionAt) -> BinaryCandidates:
        """All cuts between blocks."""
        groups = self.groups
        return BinaryCandidates(
            stats=np.cumsum(groups.stats, axis=0)[:-1],
            rows=np.cumsum(groups.rows)[:-1],
            weight=np.cumsum(groups.weight)[:-1],
            question=lambda place: question(self.between(place)),
            is_cut=True,
        )


def rank_rows(node: NodeView, numbers: Floats) -> RankedRows | None:
    """The rows by a number each; None when all are alike or one is not finite."""
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
    """The best cut of the rows by a number each: the exact search of definition 3.1 with the tree's own criterion."""
    blocks = rank_rows(node, numbers)
    if blocks is None:
        return None
    lefts = blocks.lefts(question)
    min_size = "c45" if criterion.name == "c45" else "min_leaf"
    places = admitted_cuts(blocks.groups, lefts, limits, min_size, node.sample.n_classes)
    return best_admitted(node, column, blocks.groups, lefts, criterion, places)


def score_question(
    node: NodeView, question: Question, branch: npt.NDArray[np.int32], criterion: Criterion, limits: Limits
) -> Candidate | None:
    """A question that was found without the target, with the score that the target gives it."""
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
