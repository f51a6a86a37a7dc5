"""On which side of a hyperplane does a row lie?  Branch 0 iff sum w_j x_j <= bound.

A missing x_j counts as `fill[j]` (what stood in for it when the question was found: the mean at the node); a question
without `impute` gives no answer when a value that it needs is missing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import (
    UNKNOWN,
    Branches,
    Encoding,
    ManyColumns,
    QuestionTable,
    QuestionWriter,
    Row,
    question_kind,
)


@question_kind
@dataclasses.dataclass(frozen=True)
class Hyperplane(ManyColumns):
    """sum over `terms` of weight * x <= bound; numeric columns only, summed in the order of the terms."""

    kind: ClassVar[str] = "hyperplane"
    weights: tuple[float, ...]
    bound: float
    fill: tuple[float, ...] = ()

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 at or below the bound, 1 above, unknown if a needed value is missing and nothing stands in for it."""
        total = np.zeros(len(columns[self.terms[0]]))
        for weight, values in zip(self.weights, self.numbers(columns, self.fill), strict=True):
            with np.errstate(over="ignore", invalid="ignore"):  # infinities are ordered, inf - inf is unknown
                total = total + weight * values
        return np.where(np.isnan(total), UNKNOWN, np.where(total <= self.bound, 0, 1)).astype(np.int32)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'0.8 age + 1.2 psa <= 61.4'."""
        out = ""
        for position, weight in zip(self.terms, self.weights, strict=True):
            sign = (" - " if weight < 0 else " + ") if out else ("-" if weight < 0 else "")
            out += f"{sign}{abs(weight):.4g} {schema.columns[position].name}"
        return f"{out} {'<=' if branch == 0 else '>'} {self.bound:.6g}"

    def encoded(self, table: QuestionWriter) -> Row:
        """Columns; weights, the bound, what stands in for missing values."""
        return Row(self.kind, Encoding.PLANE, whole=self.terms, reals=(*self.weights, self.bound, *self.fill))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Hyperplane:
        """From columns, weights, bound and fill."""
        terms = tuple(map(int, table.whole_of(row)))
        reals = tuple(map(float, table.reals_of(row)))
        n = len(terms)
        return cls(terms, reals[:n], reals[n], reals[n + 1 :])
