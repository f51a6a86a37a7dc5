"""Is a number at most a cut?  Branch 0 iff x <= cut (an ordinal column's codes are its numbers)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hornbeam.table.column import UNSEEN, Column, ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import (
    UNKNOWN,
    UNSEEN_LEVEL,
    Branches,
    Encoding,
    OneColumn,
    QuestionTable,
    QuestionWriter,
    Row,
    question_kind,
)


@question_kind
@dataclasses.dataclass(frozen=True)
class Threshold(OneColumn):
    """x <= cut."""

    kind: ClassVar[str] = "threshold"
    cut: float

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 at or below the cut, 1 above."""
        return count_cuts(columns[self.column], (self.cut,))

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'age <= 61.4' or 'age > 61.4'."""
        spec = schema.columns[self.column]
        return f"{spec.name} {'<=' if branch == 0 else '>'} {cut_text(spec, self.cut)}"

    def encoded(self, table: QuestionWriter) -> Row:
        """One cut."""
        return Row(self.kind, Encoding.CUTS, self.column, reals=(self.cut,))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Threshold:
        """From one cut."""
        return cls(int(table.column[row]), float(table.reals_of(row)[0]))


def count_cuts(column: Column, cuts: Sequence[float]) -> Branches:
    """The number of cuts below each value; unknown where the value is missing."""
    values = column.values.astype(np.float64, copy=False)
    branch = np.searchsorted(np.asarray(cuts, dtype=np.float64), values, side="left").astype(np.int32)
    branch[column.is_missing] = UNKNOWN
    if column.kind is not Kind.NUMERIC:
        branch[column.values == UNSEEN] = UNSEEN_LEVEL
    return branch


def cut_text(spec: ColumnSpec, cut: float) -> str:
    """A cut as a number, or as the highest level at or below it for an ordinal column."""
    if spec.kind is Kind.NUMERIC:
        return number_text(cut)
    return str(spec.levels[min(max(int(np.floor(cut)), 0), len(spec.levels) - 1)])


def number_text(number: float) -> str:
    """A number with six digits where they say it exactly enough, else with all it takes to read it back."""
    short = f"{number:.6g}"
    return short if abs(float(short) - number) <= 1e-6 * abs(number) else repr(number)
