"""Is it best to ask whether a value is missing at all?

Where missing values count as a signal (`Sample.holes` is "either" or "branch"), "is the column missing?" competes with
the column's other questions (ALGORITHMS 7.6) and stands for the column where it beats them all. On a tie they stay,
but a branch of its own must be worth it: there they must beat the simple question.
"""

from __future__ import annotations

import numpy as np

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import TOLERANCE, Candidate, Limits, NodeView, Tried, summed
from hornbeam.tree.questions.is_missing import IsMissing


def with_missing_question(
    view: NodeView, column: int, found: list[Candidate], criterion: Criterion, limits: Limits
) -> list[Candidate]:
    """A column's candidates, or the question whether it is missing where that is better than all of them."""
    if view.sample.holes not in ("either", "branch"):
        return found
    asked = missing_question(view, column, criterion, limits)
    tolerance = TOLERANCE * criterion.scale(view.stats, view.targets)
    if asked is None:
        return found
    margin = -tolerance if view.sample.holes == "either" else tolerance
    return found if any(each.score - asked.score > margin for each in found) else [asked]


def missing_question(view: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
    """The question whether a column is missing, or None where it parts nothing or leaves too little."""
    data = view.sample.columns[column]
    group = np.where(data.taken(view.rows).is_missing, 0, 1)
    rows = np.bincount(group, minlength=2)
    weight = summed(group, view.weights, 2)
    if not limits.admits(np.maximum(rows, 0), weight).all() or rows.min() == 0:
        return None
    branches = view.table(group, 2)
    question = IsMissing(column, len(data.levels))
    parent = branches.sum(axis=0)
    score = float(criterion.score(parent, branches[None], 0.0, view.targets)[0])
    if view.notebook is not None:
        view.notebook.append(Tried(column, question, score))
    return Candidate(
        column=column,
        question=question,
        score=score,
        gain=float(criterion.gain(parent, branches[None], 0.0, view.targets)[0]),
        parent=parent,
        branches=branches,
        rows=rows.astype(np.int64),
        weight=weight,
        missing_branch=0,
    )
