"""Explains one prediction: the conditions on the row's path and how the prediction changes along it.

    Row 3: cancer 93% (41 training rows at leaf 6)
    1  psa > 8.85       psa 12.1       cancer 44% -> 71%
    2  lesion = yes     lesion yes     cancer 71% -> 93%

Each line is a condition that the row satisfies, the values of the row, and the prediction of the node before and after
it: the probability of the class that is predicted in the end, or the number. Where a value is missing, the line states
how the row was routed.
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Sequence
from typing import Any

from hornbeam.errors import InputError
from hornbeam.explanation.models import row_of
from hornbeam.number_text import short_number_text
from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree import walk
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.paths import path_steps
from hornbeam.tree.prediction import Prediction, predict
from hornbeam.tree.text import percent, printable
from hornbeam.tree.text_tables import html_table


@dataclasses.dataclass(frozen=True)
class ExplanationStep:
    """One node on the path: the condition as text, the row's values, the prediction before and after.

    `how` is "known", or how the row was routed where a value was missing (tree/paths.py).
    """

    node: int
    text: str
    values: tuple[str, ...]
    before: float
    after: float
    how: str


@dataclasses.dataclass(frozen=True, eq=False)
class Explanation:
    """The path of one row down a tree and its prediction; `rows_at_node` counts the training rows where it ends."""

    schema: Schema
    row: int
    steps: tuple[ExplanationStep, ...]
    node: int
    rows_at_node: int
    prediction: Any
    probabilities: dict[str, float]
    number: float | None
    is_leaf: bool

    @property
    def _prediction_text(self) -> str:
        if self.number is not None:
            return short_number_text(self.number)
        return f"{self.prediction} {percent(self.probabilities[str(self.prediction)])}"

    def rows(self) -> list[list[str]]:
        """One row of a table per question: number, condition, the row's values, prediction before and after."""
        if self.number is not None:
            moves = [f"{short_number_text(step.before)} -> {short_number_text(step.after)}" for step in self.steps]
        else:
            moves = [f"{self.prediction} {percent(step.before)} -> {percent(step.after)}" for step in self.steps]
        return [
            [str(number), printable(step.text), printable(", ".join(step.values)), printable(move)]
            for number, (step, move) in enumerate(zip(self.steps, moves, strict=True), start=1)
        ]

    def _head(self) -> str:
        node = f"{self.rows_at_node:,} training rows at {'leaf' if self.is_leaf else 'node'} {self.node}"
        return printable(f"Row {self.row}: {self._prediction_text} ({node})")

    def __str__(self) -> str:
        lines = self.rows()
        widths = [max((len(line[cell]) for line in lines), default=0) for cell in range(4)]
        body = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        ]
        return "\n".join([self._head(), *(f"  {line}" for line in body)])

    def __repr__(self) -> str:
        return f"<Explanation of row {self.row}: {len(self.steps)} questions, {self._prediction_text}>"

    def _repr_html_(self) -> str:
        table = html_table([["", "condition", "values of the row", "prediction"], *self.rows()])
        return f"<p>{html.escape(self._head())}</p>{table}"

    def as_dict(self) -> dict[str, Any]:
        """The explanation as JSON values."""
        return {
            "row": self.row,
            "prediction": self.number if self.number is not None else str(self.prediction),
            "probabilities": self.probabilities,
            "node": self.node,
            "rows_at_node": self.rows_at_node,
            "steps": [dataclasses.asdict(step) for step in self.steps],
        }


def explain(model: Any, rows: Any, row: int = 0) -> Explanation:
    """Explain the prediction for one row (numbered from 0) of a table, a data frame or anything that `read` accepts."""
    tree = only_tree(model, "A path", "Use one of its trees, or shap_values.")
    one = row_of(model_table(tree.schema, rows).columns, row)
    found = _prediction(tree, one, row)
    node_values = walk.node_values(tree)
    output = int(found.codes[0]) if tree.is_class else 0
    steps = []
    node = 0
    for step in path_steps(tree, one):
        node = int(tree.nodes.first_child[step.node]) + step.branch if step.branch >= 0 else step.node
        after = float(node_values[node, output]) if step.branch >= 0 else float(found.values[0, output])
        before = float(node_values[step.node, output])
        steps.append(ExplanationStep(step.node, step.text, _values(tree, step.node, one), before, after, step.how))
    probabilities = (
        dict(zip(map(str, tree.schema.classes), found.values[0].tolist(), strict=True)) if tree.is_class else {}
    )
    return Explanation(
        tree.schema,
        int(row),
        tuple(steps),
        node,
        int(tree.nodes.rows[node]),
        found.labels[0],
        probabilities,
        None if tree.is_class else float(found.values[0, 0]),
        bool(tree.nodes.is_leaf[node]),
    )


def _prediction(tree: Tree, one: Sequence[Column], row: int) -> Prediction:
    """The prediction for one row; an error names the row by its number in the whole table."""
    try:
        return predict(tree, one)
    except InputError as error:
        if "row" not in error.details:
            raise
        message = error.message.replace("Row 0", f"Row {row}", 1)
        raise InputError(message, **error.remedy, **{**error.details, "row": int(row)}) from None


def _values(tree: Tree, node: int, one: Sequence[Column]) -> tuple[str, ...]:
    return tuple(f"{one[c].name} {one[c].shown_value(0)}" for c in tree.question(node).columns)
