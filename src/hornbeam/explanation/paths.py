"""Why is this row told that?  The questions it was asked, what it answered, and how the answer grew on the way.

    Row 3: cancer 93% (41 training rows at leaf 6)
    1  psa > 8.85       psa 12.1       cancer 44% -> 71%
    2  lesion = yes     lesion yes     cancer 71% -> 93%

Each line says what the row answered, the values that made it so, and what the node before and the node after say:
the share of the class that is told in the end, or the number. Where a value was unknown the line says what was done.
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Sequence
from typing import Any

from hornbeam.errors import InputError
from hornbeam.explanation.models import row_of
from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree import walk
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.paths import path_steps
from hornbeam.tree.prediction import Prediction, columns_of, predict
from hornbeam.tree.text import percent, printable
from hornbeam.tree.text_tables import html_table, number_text


@dataclasses.dataclass(frozen=True)
class ExplanationStep:
    """One question on the way: the node, what was answered in words, the row's values, what nodes say around it.

    `how` is "answered", or what was done instead where a value was unknown (tree/paths.py).
    """

    node: int
    words: str
    values: tuple[str, ...]
    before: float
    after: float
    how: str


@dataclasses.dataclass(frozen=True, eq=False)
class Explanation:
    """The way of one row down a tree, and what it is told there."""

    schema: Schema
    row: int
    steps: tuple[ExplanationStep, ...]
    node: int
    rows_there: int
    answer: Any
    probabilities: dict[str, float]
    number: float | None
    is_leaf: bool

    @property
    def _told(self) -> str:
        if self.number is not None:
            return number_text(self.number)
        return f"{self.answer} {percent(self.probabilities[str(self.answer)])}"

    def rows(self) -> list[list[str]]:
        """One line a question: number, answer, the row's values, what was said before and after."""
        if self.number is not None:
            moves = [f"{number_text(step.before)} -> {number_text(step.after)}" for step in self.steps]
        else:
            moves = [f"{self.answer} {percent(step.before)} -> {percent(step.after)}" for step in self.steps]
        return [
            [str(place + 1), printable(step.words), printable(", ".join(step.values)), printable(move)]
            for place, (step, move) in enumerate(zip(self.steps, moves, strict=True))
        ]

    def _head(self) -> str:
        place = f"{self.rows_there} training rows at {'leaf' if self.is_leaf else 'node'} {self.node}"
        return printable(f"Row {self.row}: {self._told} ({place})")

    def __str__(self) -> str:
        lines = self.rows()
        widths = [max((len(line[place]) for line in lines), default=0) for place in range(4)]
        body = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        ]
        return "\n".join([self._head(), *(f"  {line}" for line in body)])

    def __repr__(self) -> str:
        return f"<Reasons of row {self.row}: {len(self.steps)} questions, {self._told}>"

    def _repr_html_(self) -> str:
        table = html_table([["", "answered", "the row", "says"], *self.rows()])
        return f"<p>{html.escape(self._head())}</p>{table}"

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "row": self.row,
            "answer": self.number if self.number is not None else str(self.answer),
            "shares": self.probabilities,
            "node": self.node,
            "rows_there": self.rows_there,
            "steps": [dataclasses.asdict(step) for step in self.steps],
        }


def explain(model: Any, rows: Any, row: int = 0) -> Explanation:
    """The way of one row (from 0) of a table, or of anything `read` takes, down a tree, in words."""
    tree = only_tree(model, "A path", "Use one of its trees, or shap_values.")
    one = row_of(columns_of(tree.schema, rows), row)
    told = _said(tree, one, row)
    said = walk.node_values(tree)
    place = int(told.codes[0]) if tree.is_class else 0
    steps = []
    node = 0
    for step in path_steps(tree, one):
        node = int(tree.nodes.first_child[step.node]) + step.branch if step.branch >= 0 else step.node
        after = float(said[node, place]) if step.branch >= 0 else float(told.values[0, place])
        before = float(said[step.node, place])
        steps.append(ExplanationStep(step.node, step.words, _values(tree, step.node, one), before, after, step.how))
    probabilities = (
        dict(zip(map(str, tree.schema.classes), told.values[0].tolist(), strict=True)) if tree.is_class else {}
    )
    number = None if tree.is_class else float(told.values[0, 0])
    answer = told.labels[0]
    there = int(tree.nodes.rows[node])
    return Explanation(
        tree.schema, int(row), tuple(steps), node, there, answer, probabilities, number, bool(tree.nodes.is_leaf[node])
    )


def _said(tree: Tree, one: Sequence[Column], row: int) -> Prediction:
    """What a row is told; where it is refused, by its number in the whole table."""
    try:
        return predict(tree, one)
    except InputError as error:
        if "row" not in error.details:
            raise
        message = error.message.replace("Row 0", f"Row {row}", 1)
        raise InputError(message, **error.remedy, **{**error.details, "row": int(row)}) from None


def _values(tree: Tree, node: int, one: Sequence[Column]) -> tuple[str, ...]:
    return tuple(f"{one[c].name} {one[c].shown_value(0)}" for c in tree.question(node).columns)
