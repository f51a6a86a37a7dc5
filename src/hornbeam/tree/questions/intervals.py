"""Intervals: the branch is the number of cuts below x."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import Branches, Encoding, OneColumn
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row
from hornbeam.tree.questions.threshold import count_cuts, cut_text, has_cuts


@dataclasses.dataclass(frozen=True)
class Intervals(OneColumn):
    """(-inf, cut_1], (cut_1, cut_2], ..., (cut_last, inf)."""

    kind: ClassVar[str] = "intervals"
    encoding: ClassVar[Encoding] = Encoding.CUTS
    cuts: tuple[float, ...]

    @property
    def n_branches(self) -> int:
        """One more than the number of cuts."""
        return len(self.cuts) + 1

    def branch(self, columns: Sequence[Column]) -> Branches:
        """The interval of each row."""
        return count_cuts(columns[self.column], self.cuts)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'2.5 < size <= 5'."""
        spec = schema.columns[self.column]
        low = "" if branch == 0 else f"{cut_text(spec, self.cuts[branch - 1])} < "
        high = "" if branch == len(self.cuts) else f" <= {cut_text(spec, self.cuts[branch])}"
        return f"{low}{spec.name}{high}" if high else f"{spec.name} > {cut_text(spec, self.cuts[-1])}"

    def encoded(self, table: QuestionWriter) -> Row:
        """A row with all cuts, ascending."""
        return Row(self.kind, self.encoding, self.column, reals=self.cuts)

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Intervals:
        """The question of a row with cuts."""
        return cls(int(table.column[row]), tuple(map(float, table.reals_of(row))))

    @classmethod
    def accepts(cls, table: QuestionTable, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Rows with cuts and no integers."""
        return has_cuts(table, rows)
