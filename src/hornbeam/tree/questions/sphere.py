"""Is a row inside a sphere?  Branch 0 iff sum ((x_j - centre_j) / scale_j)^2 <= radius squared.

A missing x_j counts as `fill[j]`; a question without `impute` gives no answer when a value that it needs is missing.
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
from hornbeam.tree.questions.threshold import number_text


@question_kind
@dataclasses.dataclass(frozen=True)
class Sphere(ManyColumns):
    """Inside the sphere around `centre`, each column measured in its own `scale`."""

    kind: ClassVar[str] = "sphere"
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    radius2: float
    fill: tuple[float, ...] = ()

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 inside or on the sphere, 1 outside, unknown if a needed value is missing and nothing stands in for it."""
        total = np.zeros(len(columns[self.terms[0]]))
        for values, centre, scale in zip(self.numbers(columns, self.fill), self.centre, self.scale, strict=True):
            with np.errstate(over="ignore", invalid="ignore"):  # infinities are ordered, inf - inf is unknown
                step = (values - centre) / scale
                total = total + step * step
        return np.where(np.isnan(total), UNKNOWN, np.where(total <= self.radius2, 0, 1)).astype(np.int32)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'within 1.2 of (age 61, psa 4.2)'."""
        at = ", ".join(
            f"{schema.columns[p].name} {number_text(c)}" for p, c in zip(self.terms, self.centre, strict=True)
        )
        return f"{'within' if branch == 0 else 'farther than'} {self.radius2**0.5:.4g} of ({at})"

    def encoded(self, table: QuestionWriter) -> Row:
        """Columns; centre, scale, radius squared, what stands in for missing values."""
        reals = (*self.centre, *self.scale, self.radius2, *self.fill)
        return Row(self.kind, Encoding.BALL, whole=self.terms, reals=reals)

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Sphere:
        """From columns, centre, scale, radius and fill."""
        terms = tuple(map(int, table.whole_of(row)))
        reals = tuple(map(float, table.reals_of(row)))
        n = len(terms)
        return cls(terms, reals[:n], reals[n : 2 * n], reals[2 * n], reals[2 * n + 1 :])
