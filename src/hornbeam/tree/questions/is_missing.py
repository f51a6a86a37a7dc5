"""Is the value missing?  Branch 0 iff it is; never unknown."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

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


@question_kind
@dataclasses.dataclass(frozen=True)
class IsMissing(OneColumn):
    """x is missing; `n_levels` is 0 for a numeric column. A level never met counts as not missing."""

    kind: ClassVar[str] = "is_missing"
    n_levels: int = 0

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 where missing, 1 where known."""
        return np.where(columns[self.column].is_missing, 0, 1).astype(np.int32)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'PSA is missing' or 'PSA is known'."""
        return f"{schema.columns[self.column].name} is {'missing' if branch == 0 else 'known'}"

    def encoded(self, table: QuestionWriter) -> Row:
        """No cuts, everything known in branch 1, missing in branch 0."""
        return Row(self.kind, Encoding.CUTS, self.column, first=1, missing_answer=0, whole=(self.n_levels,))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> IsMissing:
        """From the column."""
        return cls(int(table.column[row]), int(table.whole_of(row)[0]))
