"""The labels of a question: the title of its node and the outcomes along the links.

    petal length                ≤ 2.45 | > 2.45
    Outlook                     Sunny | Overcast | Rain
    0.8 age + 1.2 psa <= 61.4?  yes | no

A question about one column has the column's name as title and the values along the links; any other question has its
full text as title and the outcomes yes and no.
"""

from __future__ import annotations

import dataclasses
import itertools

from hornbeam.drawing.text import short_number
from hornbeam.table.column import ColumnSpec
from hornbeam.table.level_text import level_list
from hornbeam.table.table import Schema
from hornbeam.tree.questions import Intervals, IsMissing, Multiway, Question, Subset, Threshold
from hornbeam.tree.questions.threshold import cut_text


@dataclasses.dataclass(frozen=True)
class QuestionLabels:
    """The title of a node and the text of each link; `is_short`: the title is a column's name."""

    title: str
    outcomes: tuple[str, ...]
    is_short: bool


def question_labels(question: Question, schema: Schema, *, yes_no: bool = False, n_branches: int = 0) -> QuestionLabels:
    """The labels of a question; with `yes_no` every question of two branches has its full text as title.

    If a node has one branch more than the question (`n_branches`), that branch is for missing values.
    """
    found = _labels(question, schema, yes_no)
    if n_branches <= question.n_branches:
        return found
    return dataclasses.replace(found, outcomes=(*found.outcomes, "missing"))


def _labels(question: Question, schema: Schema, yes_no: bool) -> QuestionLabels:
    known = None if yes_no and question.n_branches == 2 else _outcomes(question, schema)
    if known is not None:
        return QuestionLabels(schema.columns[question.columns[0]].name, known, True)
    if question.n_branches == 2:
        return QuestionLabels(f"{_in_full(question, schema)}?", ("yes", "no"), False)
    named = getattr(question, "name", "")
    outcomes = tuple(question.text(schema, branch) for branch in range(question.n_branches))
    return QuestionLabels(named or "which?", outcomes, False)


def _outcomes(question: Question, schema: Schema) -> tuple[str, ...] | None:
    if isinstance(question, Threshold):
        cut = _cut_text(schema.columns[question.column], question.cut)
        return f"≤ {cut}", f"> {cut}"
    if isinstance(question, Intervals):
        spec = schema.columns[question.column]
        cuts = [_cut_text(spec, cut) for cut in question.cuts]
        middle = [f"> {low}, ≤ {high}" for low, high in itertools.pairwise(cuts)]
        return (f"≤ {cuts[0]}", *middle, f"> {cuts[-1]}")
    if isinstance(question, IsMissing):
        return "missing", "known"
    if isinstance(question, (Subset, Multiway)):
        return tuple(_level_list(question, schema, branch) for branch in range(question.n_branches))
    return None


def _level_list(question: Subset | Multiway, schema: Schema, branch: int) -> str:
    levels = schema.columns[question.column].levels
    if isinstance(question, Subset):
        codes = question.inside if branch == 0 else question.outside
    else:
        codes = tuple(code for code, at in enumerate(question.branch_of) if at == branch)
    return level_list([str(levels[code]) for code in codes], len(codes), total=len(levels))


def _in_full(question: Question, schema: Schema) -> str:
    if isinstance(question, Threshold):
        spec = schema.columns[question.column]
        return f"{spec.name} ≤ {_cut_text(spec, question.cut)}"
    return question.text(schema, 0)


def _cut_text(spec: ColumnSpec, cut: float) -> str:
    """A cut with six digits, and one decimal of a large number; the description of the node has all of them."""
    if spec.has_levels or spec.is_date:
        return cut_text(spec, cut)
    return short_number(cut, len(f"{abs(cut):.0f}") + 1 if 1e5 <= abs(cut) < 1e15 else 6)
