"""Into which of several intervals does a number fall?  Branch = number of cuts below it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import (
    Branches,
    Encoding,
    OneColumn,
    QuestionTable,
    QuestionWriter,
    Row,
    question_kind,
)
from hornbeam.tree.questions.threshold import count_cuts, cut_text


@question_kind
@dataclasses.dataclass(frozen=True)
class Intervals(OneColumn):
    """(-inf, cut_1], (cut_1, cut_2], ..., (cut_last, inf)."""

    kind: ClassVar[str] = "intervals"
    cuts: tuple[float, ...]

    @property
    def n_branches(self) -> int:
        """One more than the cuts."""
        return len(self.cuts) + 1

    def branch(self, columns: Sequence[Column]) -> Branches:
        """The interval of every row."""
        return count_cuts(columns[self.column], self.cuts)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'2.5 < size <= 5'."""
        spec = schema.columns[self.column]
        low = "" if branch == 0 else f"{cut_text(spec, self.cuts[branch - 1])} < "
        high = "" if branch == len(self.cuts) else f" <= {cut_text(spec, self.cuts[branch])}"
        return f"{low}{spec.name}{high}" if high else f"{spec.name} > {cut_text(spec, self.cuts[-1])}"

    def encoded(self, table: QuestionWriter) -> Row:
        """All cuts, ascending."""
        return Row(self.kind, Encoding.CUTS, self.column, reals=self.cuts)

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Intervals:
        """From the cuts."""
        return cls(int(table.column[row]), tuple(map(float, table.reals_of(row))))
