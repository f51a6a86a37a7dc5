"""IsMissing: branch 0 iff the value is missing; the outcome is always defined."""

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


@dataclasses.dataclass(frozen=True)
class IsMissing(OneColumn):
    """Branch 0 where x is missing; `n_levels` is 0 for a numeric column. An unseen level is not missing."""

    kind: ClassVar[str] = "is_missing"
    encoding: ClassVar[Encoding] = Encoding.CUTS
    n_levels: int = 0

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 where the value is missing, 1 elsewhere."""
        return np.where(columns[self.column].is_missing, 0, 1).astype(np.int32)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'PSA is missing' or 'PSA is known'."""
        return f"{schema.columns[self.column].name} is {'missing' if branch == 0 else 'known'}"

    def encoded(self, table: QuestionWriter) -> Row:
        """A row without cuts: known values in branch 1, missing values in branch 0."""
        return Row(self.kind, self.encoding, self.column, first=1, missing_answer=0, whole=(self.n_levels,))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> IsMissing:
        """The question of a row without cuts."""
        return cls(int(table.column[row]), int(table.whole_of(row)[0]))

    @classmethod
    def accepts(cls, table: QuestionTable, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Rows without cuts, with the number of levels and a branch for missing values."""
        lengths, integers = np.diff(table.reals_start)[rows], np.diff(table.whole_start)[rows]
        found: npt.NDArray[np.bool_] = (lengths == 0) & (integers == 1) & (table.first[rows] == 1)
        return found
