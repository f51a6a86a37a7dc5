"""Named: a question with a name given by the user, as in phonetic clustering ("left context is a nasal")."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.questions.base import Branches, Question
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row


@dataclasses.dataclass(frozen=True)
class Named(Question):
    """A question of any other kind, with a name."""

    kind: ClassVar[str] = "named"
    name: str
    question: Question

    @property
    def n_branches(self) -> int:
        """Those of the question."""
        return self.question.n_branches

    @property
    def columns(self) -> tuple[int, ...]:
        """The predictors of the question."""
        return self.question.columns

    def branch(self, columns: Sequence[Column]) -> Branches:
        """The outcome of the question."""
        return self.question.branch(columns)

    def text(self, schema: Schema, branch: int = 0) -> str:
        """'L_Nasal' or 'not L_Nasal'."""
        if self.n_branches > 2:
            return f"{self.name}: {self.question.text(schema, branch)}"
        return self.name if branch == 0 else f"not {self.name}"

    def encoded(self, table: QuestionWriter) -> Row:
        """The row of the question, with the name."""
        return dataclasses.replace(self.question.encoded(table), name=self.name)

    @classmethod
    def decoded(cls, table: QuestionTable, row: int) -> Named:
        """The question of a row, with its name."""
        return cls(table.names[table.name[row]], table.unnamed(row))
