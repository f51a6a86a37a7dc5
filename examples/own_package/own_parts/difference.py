"""Difference: the question whether x - y is at most a bound, and the search that finds it.

Rows where x or y is missing have no outcome; the missing-value strategy of the recipe decides their branch.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch, best_cut
from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import UNKNOWN, Branches, Encoding, ManyColumns
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row


@dataclass(frozen=True)
class Difference(ManyColumns):
    """The first column of `terms` minus the second one is at most `bound`."""

    kind: ClassVar[str] = "difference"
    encoding: ClassVar[Encoding] = Encoding.PLANE
    bound: float

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 at or below the bound, 1 above it, UNKNOWN where a value is missing."""
        x, y = (columns[position].values for position in self.terms)
        return np.where(np.isnan(x - y), UNKNOWN, np.where(x - y <= self.bound, 0, 1)).astype(np.int32)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'petal_length minus petal_width <= 3.2'."""
        x, y = (schema.columns[position].name for position in self.terms)
        return f"{x} minus {y} {'<=' if branch == 0 else '>'} {self.bound:.4g}"

    def encoded(self, table: QuestionWriter) -> Row:
        """A plane: 1 x + (-1) y <= bound."""
        return Row(self.kind, self.encoding, whole=self.terms, reals=(1.0, -1.0, self.bound))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Difference:
        """The question of a row that `encoded` wrote."""
        return cls(tuple(table.whole_of(row).tolist()), float(table.reals_of(row)[2]))


@dataclass(frozen=True)
class Differences(ManyColumnSearch):
    """The best cut of the difference of two numeric columns, over all pairs."""

    name: ClassVar[str] = "differences"

    def among(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        best_single: Candidate | None,
    ) -> Candidate | None:
        """The best difference of two of these columns; pairs with missing values at the node are not used."""
        values = {column: node.sample.columns[column].values[node.rows] for column in columns}
        found = [
            best_cut(
                node, values[x] - values[y], lambda bound, x=x, y=y: Difference((x, y), bound), x, criterion, limits
            )
            for x, y in itertools.combinations(columns, 2)
        ]
        candidates = [candidate for candidate in found if candidate is not None]
        chosen = criterion.choose(candidates, node)
        return None if chosen is None else candidates[chosen]
