"""Threshold: branch 0 iff x <= cut (the values of an ordinal column are its codes)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.number_text import cut_number_text
from hornbeam.table.column import UNSEEN, Column, ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import UNKNOWN, UNSEEN_LEVEL, Branches, Encoding, OneColumn
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row


@dataclasses.dataclass(frozen=True)
class Threshold(OneColumn):
    """x <= cut."""

    kind: ClassVar[str] = "threshold"
    encoding: ClassVar[Encoding] = Encoding.CUTS
    cut: float

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 at or below the cut, 1 above it."""
        return count_cuts(columns[self.column], (self.cut,))

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'age <= 61.4' or 'age > 61.4'."""
        spec = schema.columns[self.column]
        return f"{spec.name} {'<=' if branch == 0 else '>'} {cut_text(spec, self.cut)}"

    def encoded(self, table: QuestionWriter) -> Row:
        """A row with one cut."""
        return Row(self.kind, self.encoding, self.column, reals=(self.cut,))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Threshold:
        """The question of a row with one cut."""
        return cls(int(table.column[row]), float(table.reals_of(row)[0]))

    @classmethod
    def accepts(cls, table: QuestionTable, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Rows with one cut and no integers."""
        is_one: npt.NDArray[np.bool_] = np.diff(table.reals_start)[rows] == 1
        return has_cuts(table, rows) & is_one


def has_cuts(table: QuestionTable, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """For each of these rows: whether it has cuts, no integers, and no branch for missing values."""
    lengths, integers = np.diff(table.reals_start)[rows], np.diff(table.whole_start)[rows]
    found: npt.NDArray[np.bool_] = (lengths > 0) & (integers == 0) & (table.first[rows] == 0)
    return found


def count_cuts(column: Column, cuts: Sequence[float]) -> Branches:
    """The number of cuts below each value; UNKNOWN where the value is missing."""
    values = column.values.astype(np.float64, copy=False)
    branch = np.searchsorted(np.asarray(cuts, dtype=np.float64), values, side="left").astype(np.int32)
    branch[column.is_missing] = UNKNOWN
    if column.kind is not Kind.NUMERIC:
        branch[column.values == UNSEEN] = UNSEEN_LEVEL
    return branch


def cut_text(spec: ColumnSpec, cut: float) -> str:
    """A cut as a number or a date; for an ordinal column, the highest level at or below it."""
    if spec.text_format is not None and spec.text_format.date:
        return spec.text_format.text(cut)
    if spec.kind is Kind.NUMERIC:
        return cut_number_text(cut)
    return str(spec.levels[min(max(int(np.floor(cut)), 0), len(spec.levels) - 1)])
