"""Interview: the values that a tree needs for one row, one column at a time.

    interview = Interview(tree)
    while (column := interview.next_column()) is not None:
        interview.answer(column, ...)          a number or a level; None if it is not known
    interview.explanation()

Only the columns on the path of the row are requested. A value that is not known is a missing value: the tree handles it
as it handles missing values in data, with the surrogates of the node (their columns are then requested), or with the
branches that a missing value takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.errors import InputError, did_you_mean, short_repr
from hornbeam.explanation.paths import Explanation, explain
from hornbeam.table.column import MISSING, Column, ColumnSpec, Kind
from hornbeam.tree.nodes import ALL_BRANCHES, Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL, Question
from hornbeam.tree.reference_walk import step

_ONE_ROW = np.array([0])


class Interview:
    """The values of one row so far, in the order in which they were given."""

    def __init__(self, model: Any) -> None:
        self.tree: Tree = only_tree(model, "An interview")
        self.answers: dict[int, Any] = {}

    @property
    def columns(self) -> tuple[Column, ...]:
        """The row as columns of the tree; a value that is not given is missing."""
        return tuple([_one_value(spec, self.answers.get(at)) for at, spec in enumerate(self.tree.schema.columns)])

    def next_column(self) -> int | None:
        """The position of the next column that the path of the row needs; None if the row has reached its end."""
        found = self._next()
        return None if found is None else found[1]

    def next_node(self) -> int | None:
        """The node that needs the next column."""
        found = self._next()
        return None if found is None else found[0]

    def answer(self, column: int, value: Any) -> None:
        """Give the value of a column: a number, a level, or None if it is not known."""
        spec = self.tree.schema.columns[column]
        if value is not None and spec.has_levels and value not in spec.levels:
            names = [str(level) for level in spec.levels]
            raise InputError(
                f"{short_repr(value)} is not a level of {short_repr(spec.name)}.", hint=did_you_mean(str(value), names)
            )
        self.answers[column] = value

    def back(self) -> int | None:
        """Remove the last value; returns the position of its column, None if there is none."""
        return self.answers.popitem()[0] if self.answers else None

    def explanation(self) -> Explanation:
        """The prediction for the values so far, with the path of the row."""
        return explain(self.tree, self.columns, 0)

    def _next(self) -> tuple[int, int] | None:
        """The first node, from the root down, that needs a column without a value, and the column."""
        row, waiting = self.columns, [0]
        while waiting:
            node = waiting.pop()
            if self.tree.nodes.first_child[node] < 0:
                continue
            needed = self._needed(node, row)
            if needed is not None:
                return node, needed
            branch = int(step(self.tree, node, row, _ONE_ROW)[0][0])
            children = self.tree.nodes.children(node)
            if branch == ALL_BRANCHES:
                waiting += reversed(children)
            elif branch >= 0:
                waiting.append(children[branch])
        return None

    def _needed(self, node: int, row: tuple[Column, ...]) -> int | None:
        """The first column without a value that decides the branch at a node."""
        question = self.tree.question(node)
        needed = self._without_value(question)
        if needed is not None:
            return needed
        outcome = int(question.branch(row)[0])
        is_missing = outcome == UNKNOWN or (outcome == UNSEEN_LEVEL and self.tree.unseen == "as_missing")
        if not is_missing:
            return None
        for surrogate, *_ in self.tree.surrogates(node):
            needed = self._without_value(surrogate)
            if needed is not None:
                return needed
            if int(surrogate.branch(row)[0]) >= 0:
                return None
        return None

    def _without_value(self, question: Question) -> int | None:
        return next((column for column in question.columns if column not in self.answers), None)


def _one_value(spec: ColumnSpec, value: Any) -> Column:
    if spec.kind is Kind.NUMERIC:
        return Column(spec.name, spec.kind, np.array([np.nan if value is None else float(value)]))
    code = MISSING if value is None else spec.levels.index(value)
    return Column(spec.name, spec.kind, np.array([code], dtype=np.int32), spec.levels)
