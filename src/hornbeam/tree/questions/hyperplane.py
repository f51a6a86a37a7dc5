"""Hyperplane: branch 0 iff sum w_j x_j <= bound.

A missing x_j counts as `fill[j]`, the value that replaced it when the question was found (the mean at the node).
Without `fill` the outcome is undefined when a value is missing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hornbeam.number_text import number_text
from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import UNKNOWN, Branches, Encoding, ManyColumns
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row


@dataclasses.dataclass(frozen=True)
class Hyperplane(ManyColumns):
    """The sum over `terms` of weight * x is at most `bound`; numeric columns only, added in the order of the terms."""

    kind: ClassVar[str] = "hyperplane"
    encoding: ClassVar[Encoding] = Encoding.PLANE
    weights: tuple[float, ...]
    bound: float
    fill: tuple[float, ...] = ()

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 at or below the bound, 1 above it, UNKNOWN where a value is missing and has no replacement."""
        total = np.zeros(len(columns[self.terms[0]]))
        for weight, values in zip(self.weights, self.numbers(columns, self.fill), strict=True):
            with np.errstate(over="ignore", invalid="ignore"):  # infinities are ordered; inf - inf is undefined
                total = total + weight * values
        return np.where(np.isnan(total), UNKNOWN, np.where(total <= self.bound, 0, 1)).astype(np.int32)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'0.8 age + 1.2 psa <= 61.4'."""
        out = ""
        for position, weight in zip(self.terms, self.weights, strict=True):
            sign = (" - " if weight < 0 else " + ") if out else ("-" if weight < 0 else "")
            out += f"{sign}{number_text(abs(weight), 4)} {schema.columns[position].name}"
        return f"{out} {'<=' if branch == 0 else '>'} {number_text(self.bound)}"

    def encoded(self, table: QuestionWriter) -> Row:
        """A row with the columns, the weights, the bound and the replacements of missing values."""
        return Row(self.kind, self.encoding, whole=self.terms, reals=(*self.weights, self.bound, *self.fill))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Hyperplane:
        """The question of a row with columns, weights, bound and replacements."""
        terms = tuple(map(int, table.whole_of(row)))
        reals = tuple(map(float, table.reals_of(row)))
        n = len(terms)
        return cls(terms, reals[:n], reals[n], reals[n + 1 :])
