"""The five encodings as values: a question of any kind, reduced to the numbers that decide the branch of a row.

Code that must understand a question (SQL, boxes of leaves, description lengths) works on these forms and so supports
kinds that it has never seen.
"""

from __future__ import annotations

import dataclasses

from hornbeam.tree.questions.base import Encoding, Question
from hornbeam.tree.questions.table import QuestionTable, QuestionWriter


@dataclasses.dataclass(frozen=True)
class Cuts:
    """branch = first + number of cuts below x; `missing_answer` is the branch of a missing value, -1 for none."""

    column: int
    cuts: tuple[float, ...]
    first: int
    missing_answer: int


@dataclasses.dataclass(frozen=True)
class LevelMap:
    """The branch of each level, -1 for none."""

    column: int
    branches: tuple[int, ...]

    def levels(self, branch: int) -> tuple[int, ...]:
        """The codes of the levels of a branch."""
        return tuple(code for code, each in enumerate(self.branches) if each == branch)


@dataclasses.dataclass(frozen=True)
class Plane:
    """Branch 0 iff the weighted sum of the columns is at most the bound; `fill` replaces missing values."""

    columns: tuple[int, ...]
    weights: tuple[float, ...]
    bound: float
    fill: tuple[float, ...]


@dataclasses.dataclass(frozen=True)
class Ball:
    """Branch 0 iff the sum of ((x - center) / scale)^2 is at most `radius2`; `fill` replaces missing values."""

    columns: tuple[int, ...]
    center: tuple[float, ...]
    scale: tuple[float, ...]
    radius2: float
    fill: tuple[float, ...]


@dataclasses.dataclass(frozen=True)
class Junction:
    """Branch 0 iff all forms (or, with `is_any`, at least one) have branch 0, a negated form branch 1."""

    literals: tuple[tuple[Form, bool], ...]
    is_any: bool


Form = Cuts | LevelMap | Plane | Ball | Junction


def form_of(question: Question) -> Form:
    """The form of a question; a name that a user gave it is dropped."""
    writer = QuestionWriter()
    row = writer.add(question)
    return form_at(writer.finished(), row)


def form_at(table: QuestionTable, row: int) -> Form:
    """The form of the question at a row of a table."""
    encoding, column = table.encoding[row], int(table.column[row])
    whole, reals = tuple(table.whole_of(row).tolist()), tuple(table.reals_of(row).tolist())
    n = len(whole)
    if encoding == Encoding.CUTS:
        return Cuts(column, reals, int(table.first[row]), int(table.missing_answer[row]))
    if encoding == Encoding.MAP:
        return LevelMap(column, whole)
    if encoding == Encoding.PLANE:
        return Plane(whole, reals[:n], reals[n], reals[n + 1 :])
    if encoding == Encoding.BALL:
        return Ball(whole, reals[:n], reals[n : 2 * n], reals[2 * n], reals[2 * n + 1 :])
    pairs = zip(whole[1::2], whole[2::2], strict=True)
    return Junction(tuple((form_at(table, literal), bool(negated)) for literal, negated in pairs), bool(whole[0]))
