"""Is a level in a set?  Branch 0 iff it is; a level that the node never met in training has no branch."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hornbeam.table.column import UNSEEN, Column
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
class Subset(OneColumn):
    """level in `inside` (0), in `outside` (1); any other level has no branch."""

    kind: ClassVar[str] = "subset"
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
        """'colour = green', 'colour in {green, red}' or the same of the other side."""
        spec = schema.columns[self.column]
        levels = [str(spec.levels[code]) for code in (self.inside if branch == 0 else self.outside)]
        if len(levels) == 1:
            return f"{spec.name} = {levels[0]}"
        return f"{spec.name} in {{{', '.join(levels)}}}"

    def encoded(self, table: QuestionWriter) -> Row:
        """The branch of every level."""
        return Row(self.kind, Encoding.MAP, self.column, whole=tuple(map(int, self._map())))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Subset:
        """From the branch of every level."""
        branches = table.whole_of(row)
        inside = tuple(map(int, np.flatnonzero(branches == 0)))
        outside = tuple(map(int, np.flatnonzero(branches == 1)))
        return cls(int(table.column[row]), inside, outside, len(branches))


def branches_of_codes(column: Column, branches: Branches) -> Branches:
    """The branch of every row from the branch of every level code."""
    codes = column.values
    known = codes >= 0
    answer = np.full(len(codes), UNKNOWN, dtype=np.int32)
    answer[known] = branches[codes[known]]
    answer[known & (answer == -1)] = UNSEEN_LEVEL
    answer[codes == UNSEEN] = UNSEEN_LEVEL
    return answer
