"""Do several questions hold together?  Branch 0 iff all (or any) literals hold; unknown as Kleene's logic has it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import (
    UNKNOWN,
    UNSEEN_LEVEL,
    Branches,
    Encoding,
    Question,
    QuestionTable,
    QuestionWriter,
    Row,
    question_kind,
)


@dataclasses.dataclass(frozen=True)
class Literal:
    """A binary question or its negation."""

    question: Question
    negated: bool = False


@question_kind
@dataclasses.dataclass(frozen=True)
class Combined(Question):
    """All literals hold, or, with `is_any`, at least one does."""

    kind: ClassVar[str] = "combined"
    literals: tuple[Literal, ...]
    is_any: bool = False

    @property
    def columns(self) -> tuple[int, ...]:
        """The predictors of all literals."""
        return tuple(dict.fromkeys(c for literal in self.literals for c in literal.question.columns))

    def branch(self, columns: Sequence[Column]) -> Branches:
        """0 yes, 1 no; unknown when the known literals do not decide."""
        decisive = 0 if self.is_any else 1
        n = len(columns[self.columns[0]])
        answer = np.full(n, 1 - decisive, dtype=np.int32)
        unsure = np.zeros(n, dtype=np.int32)
        decided = np.zeros(n, dtype=bool)
        for literal in self.literals:
            branch = literal.question.branch(columns)
            known = branch >= 0
            holds = np.where(literal.negated, 1 - branch, branch)
            decided |= known & (holds == decisive)
            unsure = np.where(
                known, unsure, np.where(branch == UNSEEN_LEVEL, UNSEEN_LEVEL, np.minimum(unsure, UNKNOWN))
            )
        answer = np.where(unsure < 0, unsure, answer)
        return np.where(decided, decisive, answer).astype(np.int32)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'size > 20 and colour = green'; the other branch is 'not (...)'."""
        parts = [literal.question.text(schema, 1 if literal.negated else 0) for literal in self.literals]
        text = (" or " if self.is_any else " and ").join(parts)
        return text if branch == 0 else f"not ({text})"

    def encoded(self, table: QuestionWriter) -> Row:
        """is_any, then question row and negation of every literal."""
        whole = [int(self.is_any)]
        for literal in self.literals:
            whole += [table.add(literal.question), int(literal.negated)]
        return Row(self.kind, Encoding.COMBINED, whole=tuple(whole))

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Combined:
        """From the rows of its literals, which all come before it."""
        whole = table.whole_of(row)
        pairs = zip(whole[1::2], whole[2::2], strict=True)
        return cls(tuple(Literal(table[int(q)], bool(n)) for q, n in pairs), bool(whole[0]))
