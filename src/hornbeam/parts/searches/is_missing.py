"""Is it best to ask whether a value is missing at all?  "x is missing" against "x is known" (definition 1.4).

A question that always has an answer. It competes with the other questions about its column and comes after them on a
tie. With `learned` and `own_branch` it is asked anyway; this search asks it whatever becomes of missing values.
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
    """Whether the value of a column is missing."""

    name: ClassVar[str] = "is_missing"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL, Kind.NOMINAL)
    rank: ClassVar[int] = 2
    uses_values: ClassVar[bool] = False

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The one question about a column; none where missing values count as a signal anyway."""
        if node.sample.missing_mode in ("either", "branch"):
            return None
        return missing_question(node, column, criterion, limits)


def missing_question(node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
    """The question whether a column is missing, or None where it parts nothing or leaves too little."""
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
