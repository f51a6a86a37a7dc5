"""Sphere: branch 0 iff sum ((x_j - centre_j) / scale_j)^2 <= radius squared.

A missing x_j counts as `fill[j]`; without `fill` the outcome is undefined when a value is missing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hornbeam.number_text import cut_number_text, number_text
from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import UNKNOWN, Branches, Encoding, ManyColumns
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row


@dataclasses.dataclass(frozen=True)
class Sphere(ManyColumns):
    """Inside the sphere around `centre`; each column is divided by its own `scale`."""

    kind: ClassVar[str] = "sphere"
    encoding: ClassVar[Encoding] = Encoding.BALL
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    radius2: float
    fill: tuple[float, ...] = ()

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 inside or on the sphere, 1 outside, UNKNOWN where a value is missing and has no replacement."""
        total = np.zeros(len(columns[self.terms[0]]))
        for values, centre, scale in zip(self.numbers(columns, self.fill), self.centre, self.scale, strict=True):
            with np.errstate(over="ignore", invalid="ignore"):  # infinities are ordered; inf - inf is undefined
                step = (values - centre) / scale
                total = total + step * step
        return np.where(np.isnan(total), UNKNOWN, np.where(total <= self.radius2, 0, 1)).astype(np.int32)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'within 1.2 of (age 61, psa 4.2)'."""
        at = ", ".join(
            f"{schema.columns[p].name} {cut_number_text(c)}" for p, c in zip(self.terms, self.centre, strict=True)
        )
        return f"{'within' if branch == 0 else 'farther than'} {number_text(self.radius2**0.5, 4)} of ({at})"

    def encoded(self, table: QuestionWriter) -> Row:
        """A row with the columns, center, scale, radius squared and the replacements of missing values."""
        reals = (*self.centre, *self.scale, self.radius2, *self.fill)
        return Row(self.kind, self.encoding, whole=self.terms, reals=reals)

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Sphere:
        """The question of a row with columns, center, scale, radius and replacements."""
        terms = tuple(map(int, table.whole_of(row)))
        reals = tuple(map(float, table.reals_of(row)))
        n = len(terms)
        return cls(terms, reals[:n], reals[n : 2 * n], reals[2 * n], reals[2 * n + 1 :])
