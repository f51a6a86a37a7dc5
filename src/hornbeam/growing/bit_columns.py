"""Questions that the core does not know, as columns of bits: 0 for yes, 1 for no, missing without an answer.

    custom_questions   one additional column per question of the list, after all others
    is_missing         one additional column after every column that has missing values

A cut of such a column is the question behind it, and is replaced by that question when the tree is assembled
(`restore_questions`). Columns that no other search uses are excluded. What depends on the number or the values of
columns (sampled columns, imputed values, surrogates, competitors, C4.5's mean gain) is left to the reference
implementation.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from hornbeam.growing.sample import PreparedData
from hornbeam.parts.searches.custom_questions import CustomQuestions, branches_of
from hornbeam.table.column import Column, numeric
from hornbeam.tree.nodes import Nodes
from hornbeam.tree.questions import IsMissing, Question, QuestionTable
from hornbeam.tree.questions.table import QuestionWriter

BITS = ("custom_questions", "is_missing")
# The key of the expanded columns in the cache of a sample.
EXPANDED = "expanded_columns"
_SIMPLE_MISSING = ("skip_column", "drop_rows", "error")


@dataclasses.dataclass(frozen=True, eq=False)
class ExpandedColumns:
    """The columns that the core reads: the original position of each (-1 for bits), and the questions behind bits."""

    columns: tuple[Column, ...]
    origin: tuple[int, ...]
    questions: dict[int, Question]


def bits_without_kernel(start: PreparedData) -> str:
    """A description of what prevents the questions of a method from becoming bits; empty if nothing does."""
    method = start.method
    found = [search.name for search in method.searches if search.name in BITS]
    if not found:
        return ""
    assert method.criterion is not None
    if any(search.name in BITS and search.settings().get("until_depth") for search in method.searches):
        return f"the search {found[0]} down to a depth"
    combined = f"the search {found[0]} with"
    many = [search.name for search in method.searches if search.uses_many_columns and search.name not in BITS]
    if many:
        return f"{combined} {many[0]}"
    for name in ("random_cuts", "random_pairs", "random_subsets"):
        if any(search.name == name for search in method.searches):
            return f"{combined} {name}"
    if method.criterion.name == "c45":
        return f"the search {found[0]} with the criterion c45"
    if method.missing.name not in _SIMPLE_MISSING:
        return f"{combined} the missing-value strategy {method.missing.name}"
    if method.max_features is not None or method.competitors:
        return f"{combined} {'max_features' if method.max_features is not None else 'competitors'}"
    wide = expand_columns(start)
    assert wide is not None
    if not wide.columns:
        return f"the search {found[0]} of a table without missing values"
    are_excluded = len(wide.columns) - len(wide.questions) < len(start.sample.columns)
    if are_excluded and any(stop.name == "same_vectors" for stop in method.stops):
        return f"{combined} the stop same_vectors"
    return ""


def expand_columns(start: PreparedData) -> ExpandedColumns | None:
    """The columns and the bits of questions; None for a method that needs no bits."""
    if not any(search.name in BITS for search in start.method.searches):
        return None
    return start.sample.cache.get(EXPANDED, lambda: _expanded(start))


def _expanded(start: PreparedData) -> ExpandedColumns:
    searches, given_columns = start.method.searches, start.sample.columns
    tests_missing = any(search.name == "is_missing" for search in searches)
    columns: list[Column] = []
    origin: list[int] = []
    questions: dict[int, Question] = {}

    def add(column: Column, position: int, question: Question | None = None) -> None:
        if question is not None:
            questions[len(columns)] = question
        columns.append(column)
        origin.append(position)

    for position, column in enumerate(given_columns):
        if any(column.kind in search.kinds and search.name not in BITS for search in searches):
            add(column, position)
        if tests_missing and column.is_missing.any():
            add(numeric("", np.where(column.is_missing, 0.0, 1.0)), -1, IsMissing(position, len(column.levels)))
    for search in searches:
        if isinstance(search, CustomQuestions):
            listed = search.questions_about(given_columns)
            for question, branch in zip(listed, branches_of(listed, given_columns), strict=True):
                add(numeric("", np.where(branch < 0, np.nan, branch)), -1, question)
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
