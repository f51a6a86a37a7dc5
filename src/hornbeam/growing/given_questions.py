"""Questions that the core does not know: it receives the branch of every row, and returns the place of a question.

They are the questions of the search `custom_questions`, and the first questions of a method (`first_questions.py`).
They replace their places when the tree is assembled.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.growing.first_questions import first_tables, question_at, unused_note
from hornbeam.growing.sample import PreparedData
from hornbeam.parts.searches.custom_questions import CustomQuestions, branches_of
from hornbeam.tree.name_codes import KINDS
from hornbeam.tree.nodes import Nodes
from hornbeam.tree.questions import Question, QuestionTable
from hornbeam.tree.questions.table import QuestionWriter

# The kind of a question that is known by its place, in the arrays that the core returns.
GIVEN = len(KINDS)


@dataclasses.dataclass(frozen=True, eq=False)
class GivenQuestions:
    """Questions with the branch of every row, below 0 where it is unknown: `n_listed` of a list, then first questions.

    `below` are the places of the first questions of both branches, among the first questions, -1 for none.
    """

    questions: tuple[Question, ...]
    branches: tuple[npt.NDArray[np.int8], ...]
    n_listed: int
    below: tuple[tuple[int, int], ...]


_NONE = GivenQuestions((), (), 0, ())


def given_questions(start: PreparedData) -> GivenQuestions:
    """The questions of a method about the columns of a sample."""
    sample = start.sample
    if start.method.first_question is None and not any(
        isinstance(each, CustomQuestions) for each in start.method.searches
    ):
        return _NONE
    questions: list[Question] = []
    branches: list[npt.NDArray[np.int8]] = []
    for search in start.method.searches:
        if isinstance(search, CustomQuestions):
            listed, known = search.branches(sample)
            questions += listed
            branches += list(known)
    first = first_tables(start.method.first_question)
    n_listed = len(questions)
    questions += [question_at(table, sample.columns) for table, _ in first]
    branches += [branches_of([question], sample.columns)[0] for question in questions[n_listed:]]
    return GivenQuestions(tuple(questions), tuple(branches), n_listed, tuple(below for _, below in first))


def questions_in_job(start: PreparedData) -> dict[str, Any]:
    """The questions as the core receives them: branches, columns, cost, whether missing values are tested."""
    given = given_questions(start)
    if not given.questions:
        return {}
    each = [
        (branch, list(question.columns), start.sample.cost(question), question.kind == "is_missing")
        for question, branch in zip(given.questions, given.branches, strict=True)
    ]
    first = [(*fields, *below) for fields, below in zip(each[given.n_listed :], given.below, strict=True)]
    found = {"questions": each[: given.n_listed], "first_questions": first}
    return {name: values for name, values in found.items() if values}


def restore_questions(
    nodes: Nodes, table: QuestionTable, start: PreparedData
) -> tuple[Nodes, QuestionTable, list[str]]:
    """The nodes and questions, those of the user in place of their numbers, and notes of those that were not used."""
    given = given_questions(start)
    if not given.questions:
        return nodes, table, []
    notes = _notes(nodes, table, given)
    writer = QuestionWriter()
    is_given = table.kind == GIVEN
    row_of = np.zeros(len(table), dtype=np.int32)
    for row, place in enumerate(table.column.tolist()):
        row_of[row] = writer.add(given.questions[place] if is_given[row] else table[row])
    if not len(row_of):
        return nodes, writer.finished(), notes
    arrays = nodes.arrays(("question", "surrogate_question", "competitor_question"))
    moved = {name: np.where(rows >= 0, row_of[np.maximum(rows, 0)], -1) for name, rows in arrays.items()}
    return nodes.replace(**moved), writer.finished(), notes


def _notes(nodes: Nodes, table: QuestionTable, given: GivenQuestions) -> list[str]:
    """The first questions that their nodes do not have, level by level."""
    notes = []
    left = [(0, 0)] if given.below else []
    for node, place in left:
        row = int(nodes.question[node])
        if row < 0 or table.kind[row] != GIVEN or table.column[row] != given.n_listed + place:
            notes.append(unused_note(int(nodes.rows[node])))
            continue
        child = int(nodes.first_child[node])
        left += [(child + branch, at) for branch, at in enumerate(given.below[place]) if at >= 0]
    return notes
