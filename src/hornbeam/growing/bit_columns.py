"""Questions that the core does not know, as columns of bits: 0 for yes, 1 for no, missing without an answer.

Searches give them (`Search.bit_questions`). A cut of such a column is the question behind it, and is replaced by that
question when the tree is assembled (`restore_questions`). Columns that no other search uses are excluded.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from hornbeam.growing.sample import PreparedData
from hornbeam.table.column import Column, numeric
from hornbeam.tree.nodes import Nodes
from hornbeam.tree.questions import Question, QuestionTable
from hornbeam.tree.questions.table import QuestionWriter

# The key of the expanded columns in the cache of a sample.
EXPANDED = "expanded_columns"


@dataclasses.dataclass(frozen=True, eq=False)
class ExpandedColumns:
    """The columns that the core reads: the original position of each (-1 for bits), and the questions behind bits."""

    columns: tuple[Column, ...]
    origin: tuple[int, ...]
    questions: dict[int, Question]


def expand_columns(start: PreparedData) -> ExpandedColumns | None:
    """The columns and the bits of questions; None for a method that needs no bits."""
    if not any(search.uses_bits for search in start.method.searches):
        return None
    return start.sample.cache.get(EXPANDED, lambda: _expanded(start))


def _expanded(start: PreparedData) -> ExpandedColumns:
    searches, given_columns = start.method.searches, start.sample.columns
    listed = [each for search in searches for each in search.bit_questions(start.sample)]
    columns: list[Column] = []
    origin: list[int] = []
    questions: dict[int, Question] = {}
    for position in range(len(given_columns) + 1):
        column = given_columns[position] if position < len(given_columns) else None
        if column is not None and any(column.kind in search.kinds for search in searches if not search.uses_bits):
            columns.append(column)
            origin.append(position)
        for each in listed:
            if each.position == position:
                questions[len(columns)] = each.question
                columns.append(numeric("", each.bits))
                origin.append(-1)
    return ExpandedColumns(tuple(columns), tuple(origin), questions)


def costs_of(wide: ExpandedColumns, start: PreparedData) -> list[float]:
    """The cost of every column without the penalty of cuts; an empty list where all cost the same."""
    sample = start.sample
    cut = 1.0 + sample.split_penalty.get("threshold", 0.0)
    costs = []
    for position, original in enumerate(wide.origin):
        if original < 0:
            costs.append(sample.cost(wide.questions[position]) / cut)
        else:
            costs.append(float(sample.column_costs[original]) if sample.column_costs else 1.0)
    return costs if any(cost != 1.0 for cost in costs) else []


def restore_questions(nodes: Nodes, table: QuestionTable, wide: ExpandedColumns) -> tuple[Nodes, QuestionTable]:
    """The questions behind the bits, and columns at their original positions; the nodes refer to the new rows."""
    original = np.array(wide.origin, dtype=np.int32)[table.column]
    restored = dataclasses.replace(table, column=original)
    writer = QuestionWriter()
    row_of = np.zeros(len(table), dtype=np.int32)
    for row, column in enumerate(table.column.tolist()):
        row_of[row] = writer.add(wide.questions[column] if column in wide.questions else restored[row])
    if not len(row_of):
        return nodes, writer.finished()
    arrays = nodes.arrays(("question", "surrogate_question", "competitor_question"))
    moved = {name: np.where(rows >= 0, row_of[np.maximum(rows, 0)], -1) for name, rows in arrays.items()}
    return nodes.replace(**moved), writer.finished()
