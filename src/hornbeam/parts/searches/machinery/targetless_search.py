"""The frame of searches without a target (definition 8.8): their questions depend on the columns alone.

Leaves are labeled afterwards by the usual rule, so only stops of size and depth make sense: a node of one class is
split like any other. The criterion only computes the gain of the question.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Limits, NodeView
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch, rank_rows, score_question
from hornbeam.parts.searches.machinery.points import Points, points_of
from hornbeam.tree.questions import Question


@dataclass(frozen=True)
class TargetlessSearch(ManyColumnSearch):
    """The frame of all searches that use the columns alone."""

    competes_with_cuts: ClassVar[bool] = False
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 10

    @abc.abstractmethod
    def question(self, points: Points, node: NodeView) -> Question | None:
        """The question for the points of a node."""

    def among(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        best_single: Candidate | None,
    ) -> Candidate | None:
        """The question, with its gain."""
        points = points_of(node, columns)
        question = None if points is None else self.question(points, node)
        if question is None:
            return None
        rows = [column.take(node.rows) for column in node.sample.columns]
        return score_question(node, question, question.branch(rows), criterion, limits)


def median_cut(node: NodeView, numbers: Floats) -> float | None:
    """The cut between the lower weighted median and the next larger number; if there is none, in the next lower gap."""
    blocks = rank_rows(node, numbers)
    if blocks is None:
        return None
    return blocks.between(median_block(blocks.groups.weight))


def median_block(weight: Floats) -> int:
    """The block that holds the lower weighted median, or the last but one."""
    below = np.cumsum(weight)
    return min(int(np.searchsorted(below, below[-1] / 2 * (1 - 1e-12))), len(below) - 2)
