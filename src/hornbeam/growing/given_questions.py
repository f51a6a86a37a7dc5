"""Questions that the core does not know: it receives the branch of every row, and returns the place of a question.

They are the questions of the search `custom_questions`. They replace their places when the tree is assembled.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.growing.sample import PreparedData
from hornbeam.parts.searches.custom_questions import CustomQuestions
from hornbeam.tree.name_codes import KINDS
from hornbeam.tree.nodes import Nodes
from hornbeam.tree.questions import Question, QuestionTable
from hornbeam.tree.questions.table import QuestionWriter

# The kind of a question that is known by its place, in the arrays that the core returns.
GIVEN = len(KINDS)


def given_questions(start: PreparedData) -> list[tuple[Question, npt.NDArray[np.int8]]]:
    """The questions with the branch of every row, below 0 where it is unknown."""
    found: list[tuple[Question, npt.NDArray[np.int8]]] = []
    for search in start.method.searches:
        if isinstance(search, CustomQuestions):
            found += zip(*search.branches(start.sample), strict=True)
    return found


def restore_questions(nodes: Nodes, table: QuestionTable, given: Sequence[Question]) -> tuple[Nodes, QuestionTable]:
    """The questions in place of their numbers; the nodes refer to the new rows."""
    writer = QuestionWriter()
    is_given = table.kind == GIVEN
    row_of = np.zeros(len(table), dtype=np.int32)
    for row, place in enumerate(table.column.tolist()):
        row_of[row] = writer.add(given[place] if is_given[row] else table[row])
    if not len(row_of):
        return nodes, writer.finished()
    arrays = nodes.arrays(("question", "surrogate_question", "competitor_question"))
    moved = {name: np.where(rows >= 0, row_of[np.maximum(rows, 0)], -1) for name, rows in arrays.items()}
    return nodes.replace(**moved), writer.finished()
