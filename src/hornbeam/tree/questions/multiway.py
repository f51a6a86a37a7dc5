"""Multiway: one branch per level (ID3, C4.5); several levels may have the same branch (C4.5's grouping)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hornbeam.table.column import Column
from hornbeam.table.level_text import level_list
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import Branches, Encoding, OneColumn
from hornbeam.tree.questions.subset import branches_of_codes
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row


@dataclasses.dataclass(frozen=True)
class Multiway(OneColumn):
    """The branch of each level code, -1 for none; every branch 0..B-1 has at least one level."""

    kind: ClassVar[str] = "multiway"
    encoding: ClassVar[Encoding] = Encoding.MAP
    branch_of: tuple[int, ...]

    @property
    def n_branches(self) -> int:
        """One more than the largest branch."""
        return max(self.branch_of) + 1

    def branch(self, columns: Sequence[Column]) -> Branches:
        """The branch of each row's level."""
        return branches_of_codes(columns[self.column], np.array(self.branch_of, dtype=np.int32))

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'Outlook = Sunny', or the set of levels of the branch."""
        spec = schema.columns[self.column]
        levels = [str(level) for level, b in zip(spec.levels, self.branch_of, strict=True) if b == branch]
        if len(levels) == 1:
            return f"{spec.name} = {levels[0]}"
        return f"{spec.name} in {{{level_list(levels, len(levels), total=len(spec.levels))}}}"

    def encoded(self, table: QuestionWriter) -> Row:
        """A row with the branch of each level."""
        return Row(self.kind, self.encoding, self.column, whole=self.branch_of)

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Multiway:
        """The question of a row with the branch of each level."""
        return cls(int(table.column[row]), tuple(map(int, table.whole_of(row))))
