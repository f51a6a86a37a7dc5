"""The question whether a value is missing: "x is missing" against "x is known" (definition 1.4).

Its branch is always known. It competes with the other questions about its column and comes after them on a tie. The
strategies `learned` and `own_branch` include it; this search adds it to all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView, TriedCandidate, sum_by_group
from hornbeam.parts.searches.base import Search
from hornbeam.table.column import Kind
from hornbeam.tree.questions import IsMissing as IsMissingQuestion


@dataclass(frozen=True)
class IsMissing(Search):
    """The question whether the value of a column is missing."""

    name: ClassVar[str] = "is_missing"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL, Kind.NOMINAL)
    rank: ClassVar[int] = 2
    uses_values: ClassVar[bool] = False

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The one question about a column; none where missing values count in the score already."""
        if node.sample.missing_mode in ("either", "branch"):
            return None
        return missing_question(node, column, criterion, limits)


def missing_question(node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
    """The question whether a column is missing, or None if it separates no rows or a branch is too small."""
    data = node.sample.columns[column]
    group = np.where(data.take(node.rows).is_missing, 0, 1)
    rows = np.bincount(group, minlength=2)
    weight = sum_by_group(group, node.weights, 2)
    if not limits.allows(rows, weight).all() or rows.min() == 0:
        return None
    branches = node.table(group, 2)
    question = IsMissingQuestion(column, len(data.levels))
    parent = branches.sum(axis=0)
    score = float(criterion.score(parent, branches[None], 0.0, node.targets)[0])
    if node.tried_candidates is not None:
        node.tried_candidates.append(TriedCandidate(column, question, score))
    return Candidate(
        column=column,
        question=question,
        score=score,
        gain=float(criterion.gain(parent, branches[None], 0.0, node.targets)[0]),
        parent=parent,
        branches=branches,
        rows=rows.astype(np.int64),
        weight=weight,
        missing_branch=0,
    )
