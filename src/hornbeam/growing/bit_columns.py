"""How does the core ask questions it does not know?  As columns of bits: 0 yes, 1 no, missing where there is no answer.

    given          a column more for every question of the list, after all others
    is_missing     a column more after every column that has missing values

A cut of such a column is the question behind it, and takes its place when the tree comes back (`restore_questions`). Columns
that no other search asks about are left out. What depends on the number or the values of columns (columns drawn at
each node, values that stand in for missing ones, surrogates, runners-up, C4.5's mean gain) is left to the plain grower.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from hornbeam.growing.sample import PreparedData
from hornbeam.parts.searches.custom_questions import CustomQuestions, answers_of
from hornbeam.table.column import Column, numeric
from hornbeam.tree.nodes import Nodes
from hornbeam.tree.questions import IsMissing, Question, QuestionTable
from hornbeam.tree.questions.base import QuestionWriter

BITS = ("custom_questions", "is_missing")
# The key of the expanded columns in the cache of a sample.
EXPANDED = "expanded_columns"
_PLAIN_WAYS = ("skip_column", "drop_rows", "error")


@dataclasses.dataclass(frozen=True, eq=False)
class ExpandedColumns:
    """The columns that the core sees: where each one stood (-1 for bits), and the questions behind bits."""

    columns: tuple[Column, ...]
    origin: tuple[int, ...]
    questions: dict[int, Question]


def bits_without_kernel(start: PreparedData) -> str:
    """What of a method keeps its questions from becoming bits, in words; '' when nothing does."""
    method = start.method
    wanted = [search.name for search in method.searches if search.name in BITS]
    if not wanted:
        return ""
    assert method.criterion is not None
    if any(search.name in BITS and search.settings().get("until_depth") for search in method.searches):
        return f"the search {wanted[0]} down to a depth"
    beside = f"the search {wanted[0]} beside"
    many = [search.name for search in method.searches if search.uses_many_columns and search.name not in BITS]
    if many:
        return f"{beside} {many[0]}"
    for drawn in ("random_cuts", "random_pairs", "random_subsets"):
        if any(search.name == drawn for search in method.searches):
            return f"{beside} {drawn}"
    if method.criterion.name == "c45":
        return f"the search {wanted[0]} under the criterion c45"
    if method.missing.name not in _PLAIN_WAYS:
        return f"{beside} the missing values' way {method.missing.name}"
    if method.max_features is not None or method.competitors:
        return f"{beside} {'max_features' if method.max_features is not None else 'competitors'}"
    wide = expand_columns(start)
    assert wide is not None
    if not wide.columns:
        return f"the search {wanted[0]} of a table without missing values"
    left_out = len(wide.columns) - len(wide.questions) < len(start.sample.columns)
    if left_out and any(stop.name == "same_vectors" for stop in method.stops):
        return f"{beside} the stop same_vectors"
    return ""


def expand_columns(start: PreparedData) -> ExpandedColumns | None:
    """The columns with their bits; None for a method that needs none."""
    if not any(search.name in BITS for search in start.method.searches):
        return None
    return start.sample.cache.get(EXPANDED, lambda: _expanded(start))


def _expanded(start: PreparedData) -> ExpandedColumns:
    searches, given_columns = start.method.searches, start.sample.columns
    asks_missing = any(search.name == "is_missing" for search in searches)
    columns: list[Column] = []
    origin: list[int] = []
    questions: dict[int, Question] = {}

    def add(column: Column, place: int, question: Question | None = None) -> None:
        if question is not None:
            questions[len(columns)] = question
        columns.append(column)
        origin.append(place)

    for place, column in enumerate(given_columns):
        if any(column.kind in search.kinds and search.name not in BITS for search in searches):
            add(column, place)
        if asks_missing and column.is_missing.any():
            add(numeric("", np.where(column.is_missing, 0.0, 1.0)), -1, IsMissing(place, len(column.levels)))
    for search in searches:
        if isinstance(search, CustomQuestions):
            asked = search.questions_about(given_columns)
            for question, branch in zip(asked, answers_of(asked, given_columns), strict=True):
                add(numeric("", np.where(branch < 0, np.nan, branch)), -1, question)
    return ExpandedColumns(tuple(columns), tuple(origin), questions)


def costs_of(wide: ExpandedColumns, start: PreparedData) -> list[float]:
    """What it costs to ask about every column, the price of cuts apart; an empty list where all cost the same."""
    sample = start.sample
    cut = 1.0 + sample.split_penalty.get("threshold", 0.0)
    costs = []
    for place, stood in enumerate(wide.origin):
        if stood < 0:
            costs.append(sample.cost(wide.questions[place]) / cut)
        else:
            costs.append(float(sample.column_costs[stood]) if sample.column_costs else 1.0)
    return costs if any(cost != 1.0 for cost in costs) else []


def restore_questions(nodes: Nodes, table: QuestionTable, wide: ExpandedColumns) -> tuple[Nodes, QuestionTable]:
    """The questions behind the bits, and columns where they stood; the nodes point at the new rows."""
    stood = np.array(wide.origin, dtype=np.int32)[table.column]
    plain = dataclasses.replace(table, column=stood)
    writer = QuestionWriter()
    row_of = np.zeros(len(table), dtype=np.int32)
    for row, column in enumerate(table.column.tolist()):
        row_of[row] = writer.add(wide.questions[column] if column in wide.questions else plain[row])
    if not len(row_of):
        return nodes, writer.finished()
    asked = nodes.arrays(("question", "surrogate_question", "competitor_question"))
    moved = {name: np.where(rows >= 0, row_of[np.maximum(rows, 0)], -1) for name, rows in asked.items()}
    return nodes.replace(**moved), writer.finished()
