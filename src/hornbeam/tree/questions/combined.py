"""Combined: branch 0 iff all (or any) of several binary questions have it, in Kleene's three-valued logic."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import UNKNOWN, UNSEEN_LEVEL, Branches, Encoding, Question
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row


@dataclasses.dataclass(frozen=True)
class Literal:
    """A binary question or its negation."""

    question: Question
    negated: bool = False


@dataclasses.dataclass(frozen=True)
class Combined(Question):
    """All literals are true or, with `is_any`, at least one is."""

    kind: ClassVar[str] = "combined"
    encoding: ClassVar[Encoding] = Encoding.COMBINED
    literals: tuple[Literal, ...]
    is_any: bool = False

    @property
    def columns(self) -> tuple[int, ...]:
        """The predictors of all literals."""
        return tuple(dict.fromkeys(c for literal in self.literals for c in literal.question.columns))

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 if true, 1 if false; UNKNOWN where the defined literals do not decide."""
        decisive = 0 if self.is_any else 1
        n = len(columns[self.columns[0]])
        undecided = np.zeros(n, dtype=np.int32)
        decided = np.zeros(n, dtype=bool)
        for literal in self.literals:
            branch = literal.question.branch(columns)
            known = branch >= 0
            outcome = np.where(literal.negated, 1 - branch, branch)
            decided |= known & (outcome == decisive)
            undecided = np.where(
                known, undecided, np.where(branch == UNSEEN_LEVEL, UNSEEN_LEVEL, np.minimum(undecided, UNKNOWN))
            )
        rest = np.where(undecided < 0, undecided, 1 - decisive)
        return np.where(decided, decisive, rest).astype(np.int32)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'size > 20 and color = green'; the other branch is 'not (...)'."""
        parts = [literal.question.text(schema, 1 if literal.negated else 0) for literal in self.literals]
        text = (" or " if self.is_any else " and ").join(parts)
        return text if branch == 0 else f"not ({text})"

    def encoded(self, table: QuestionWriter) -> Row:
        """A row with is_any, then the row and the negation of each literal."""
        whole = [int(self.is_any)]
        for literal in self.literals:
            whole += [table.add(literal.question), int(literal.negated)]
        return Row(self.kind, self.encoding, whole=tuple(whole))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Combined:
        """The question of a row; the rows of its literals come before it."""
        whole = table.whole_of(row)
        pairs = zip(whole[1::2], whole[2::2], strict=True)
        return cls(tuple(Literal(table[int(q)], bool(n)) for q, n in pairs), bool(whole[0]))

    @classmethod
    def accepts(cls, table: QuestionTable, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Every row: the encoding allows nothing else."""
        return np.ones(len(rows), dtype=np.bool_)
