"""The questions that a user chooses for the root and the nodes below it; the method grows the rest.

    first_question = {"column": "age", "above": 60, "yes": {"column": "sex", "in": ["f"]}}

A question is written as for the search `custom_questions` (`parts/searches/machinery/question_tables.py`). `yes` and
`no` hold the question of the branch, in the same form; a branch without one is grown by the method. Stops do not apply
to these nodes. A question that sends all known rows of its node to one branch is not used: the node is grown by the
method, and the tree's notes report it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView
from hornbeam.parts.searches.custom_questions import branches_of, question_values
from hornbeam.parts.searches.machinery.binary_questions import score_questions
from hornbeam.parts.searches.machinery.question_tables import check_table, question_of
from hornbeam.table.column import Column
from hornbeam.tree.questions import Question

BRANCHES = ("yes", "no")
_DEEPEST = 64

First = Mapping[str, Any]


def check_first(given: Any) -> None:
    """Raise unless the questions, including those under `yes` and `no`, are well formed."""
    for where, table in _tables(given):
        try:
            check_table(own_question(table), where)
        except OptionError as error:
            raise OptionError(error.message, **error.remedy, **{**error.details, "option": "first_question"}) from None


def _tables(given: Any) -> list[tuple[str, Any]]:
    """All tables, each with the text that names its position in messages, from the root down."""
    found, stack = [], [("The first question", given, 0)]
    while stack:
        where, table, depth = stack.pop()
        if not isinstance(table, Mapping):
            raise OptionError(f"{where} must be a table, got {short_repr(table)}.", option="first_question")
        if depth > _DEEPEST:
            raise OptionError(
                f"first_question must not be nested more than {_DEEPEST} levels deep.", option="first_question"
            )
        found.append((where, table))
        for branch in BRANCHES:
            if branch in table:
                stack.append((f"{where}, {branch}", table[branch], depth + 1))
    return found


def own_question(table: First) -> dict[str, Any]:
    """The question of a table, without the questions of its branches."""
    return {key: value for key, value in table.items() if key not in BRANCHES}


def plain_first(table: First) -> dict[str, Any]:
    """The questions as plain values for TOML and model files; functions by name."""
    below = {branch: plain_first(table[branch]) for branch in BRANCHES if branch in table}
    return {**question_values(own_question(table)), **below}


def below(table: First | None, branch: int) -> First | None:
    """The user's question for a branch, or None."""
    return None if table is None or branch >= len(BRANCHES) else table.get(BRANCHES[branch])


def first_tables(table: First | None) -> list[tuple[First, tuple[int, int]]]:
    """All questions, level by level from the root, each with the places of those of its branches; -1: there is none."""
    tables = [] if table is None else [table]
    found = []
    for each in tables:
        places = [-1, -1]
        for branch, name in enumerate(BRANCHES):
            if name in each:
                places[branch] = len(tables)
                tables.append(each[name])
        found.append((each, (places[0], places[1])))
    return found


def question_at(table: First, columns: Sequence[Column]) -> Question:
    """The question of a table about the columns."""
    return question_of(own_question(table), columns, "The first question")


def unused_note(n_rows: int) -> str:
    """What the tree's notes report of a question that is not used."""
    return f"A first question was not used: all {n_rows} rows of its node go to one branch."


def first_candidate(view: NodeView, table: First, criterion: Criterion) -> Candidate | None:
    """The user's question at a node as a candidate; None if it sends all known rows to one branch.

    A score that the criterion does not define is NaN.
    """
    question = question_at(table, view.sample.columns)
    branch = branches_of([question], [column.take(view.rows) for column in view.sample.columns])
    found = score_questions(view, branch == 0, branch == 1, criterion, Limits())
    if (found.rows[0] == 0).any():
        return None
    found.record(view, lambda index: question)
    candidate = found.candidate(view, 0, question, criterion)
    return candidate if np.isfinite(candidate.score) else dataclasses.replace(candidate, score=np.nan)
