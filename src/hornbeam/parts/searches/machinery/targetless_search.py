"""How is a tree grown from the columns alone (definition 8.8)?  Its questions do not look at the target.

Leaves are labelled afterwards by the usual rule, so only stops of size and depth make sense: a node of one class is
split like any other. The criterion only says how much a question happened to gain.
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
    """The frame of all questions found from the columns alone."""

    competes_with_cuts: ClassVar[bool] = False
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 10

    @abc.abstractmethod
    def question(self, points: Points, node: NodeView) -> Question | None:
        """The one question about the points of a node."""

    def among(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        best_single: Candidate | None,
    ) -> Candidate | None:
        """The question, with what it gains."""
        points = points_of(node, columns)
        question = None if points is None else self.question(points, node)
        if question is None:
            return None
        rows = [column.take(node.rows) for column in node.sample.columns]
        return score_question(node, question, question.branch(rows), criterion, limits)


def median_cut(node: NodeView, numbers: Floats) -> float | None:
    """Between the lower weighted median and the next larger number; if there is none, in the next lower gap."""
    blocks = rank_rows(node, numbers)
    if blocks is None:
        return None
    return blocks.between(median_block(blocks.groups.weight))


def median_block(weight: Floats) -> int:
    """The block that holds the lower weighted median, or the last but one."""
    held = np.cumsum(weight)
    return min(int(np.searchsorted(held, held[-1] / 2 * (1 - 1e-12))), len(held) - 2)
