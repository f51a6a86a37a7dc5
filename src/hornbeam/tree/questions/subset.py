"""Subset: branch 0 iff the level is in a set; a level without training rows at the node has no branch."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import UNSEEN, Column
from hornbeam.table.level_text import level_list
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import UNKNOWN, UNSEEN_LEVEL, Branches, Encoding, OneColumn
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row


@dataclasses.dataclass(frozen=True)
class Subset(OneColumn):
    """Branch 0 for levels in `inside`, 1 for levels in `outside`; other levels have no branch."""

    kind: ClassVar[str] = "subset"
    encoding: ClassVar[Encoding] = Encoding.MAP
    inside: tuple[int, ...]
    outside: tuple[int, ...]
    n_levels: int

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 inside, 1 outside."""
        return branches_of_codes(columns[self.column], self._map())

    def _map(self) -> Branches:
        branches = np.full(self.n_levels, -1, dtype=np.int32)
        branches[list(self.inside)] = 0
        branches[list(self.outside)] = 1
        return branches

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'color = green' or 'color in {green, red}'; for branch 1 the levels of `outside`."""
        spec = schema.columns[self.column]
        levels = [str(spec.levels[code]) for code in (self.inside if branch == 0 else self.outside)]
        if len(levels) == 1:
            return f"{spec.name} = {levels[0]}"
        return f"{spec.name} in {{{level_list(levels, len(levels), total=len(spec.levels))}}}"

    def encoded(self, table: QuestionWriter) -> Row:
        """A row with the branch of each level."""
        return Row(self.kind, self.encoding, self.column, whole=tuple(map(int, self._map())))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Subset:
        """The question of a row with the branch of each level."""
        branches = table.whole_of(row)
        inside = tuple(map(int, np.flatnonzero(branches == 0)))
        outside = tuple(map(int, np.flatnonzero(branches == 1)))
        return cls(int(table.column[row]), inside, outside, len(branches))

    @classmethod
    def accepts(cls, table: QuestionTable, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Rows with two branches."""
        return np.array([table.n_branches(int(row)) == 2 for row in rows], dtype=np.bool_)


def branches_of_codes(column: Column, branches: Branches) -> Branches:
    """The branch of each row from the branch of each level code."""
    codes = column.values
    known = codes >= 0
    out = np.full(len(codes), UNKNOWN, dtype=np.int32)
    out[known] = branches[codes[known]]
    out[known & (out == -1)] = UNSEEN_LEVEL
    out[codes == UNSEEN] = UNSEEN_LEVEL
    return out
