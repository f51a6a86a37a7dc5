"""How is any question written into arrays, and read back?

A `QuestionTable` holds many questions as parallel arrays with two pools, `whole` (int32) and `reals` (float64):

    CUTS      column; reals = ascending cuts; branch = first + number of cuts below x        (x <= cut stays below)
    MAP       column; whole = branch of each level code, -1 where the level has no branch
    PLANE     whole = columns; reals = weights, then the bound; branch 0 iff sum w x <= bound
    BALL      whole = columns; reals = centre, scale (each as long), then radius squared; branch 0 iff inside or on it
              (both: what stands in for missing values may follow, one number a column)
    COMBINED  whole = is_any, then (question row, negated) pairs, each row below this one; Kleene logic

`missing_answer` is the branch of a missing value, -1 when that makes the answer unknown.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree.node_arrays import COUNT, NONES, SHORT_ZEROS, ZERO_BYTES, ZEROS

UNKNOWN = -1
UNSEEN_LEVEL = -2

Branches = npt.NDArray[np.int32]

_NO_CODES = np.zeros(0, dtype=np.int32)


class Encoding(enum.IntEnum):
    """The five ways a question is laid out for the walk."""

    CUTS = 0
    MAP = 1
    PLANE = 2
    BALL = 3
    COMBINED = 4


@dataclasses.dataclass(frozen=True)
class Question(abc.ABC):
    """A question: rows to branches, and itself in words."""

    kind: ClassVar[str]

    @property
    def n_branches(self) -> int:
        """How many answers there are."""
        return 2

    @property
    @abc.abstractmethod
    def columns(self) -> tuple[int, ...]:
        """The predictors it looks at, by position, each once."""

    @abc.abstractmethod
    def branch(self, columns: Sequence[Column]) -> Branches:
        """The branch of every row: UNKNOWN when a needed value is missing, UNSEEN_LEVEL when a level has no branch."""

    @abc.abstractmethod
    def text(self, schema: Schema, branch: int = 0) -> str:
        """What holds for a row that takes this branch, such as 'age <= 61.4'."""

    @abc.abstractmethod
    def encoded(self, table: QuestionWriter) -> Row:
        """The question as one row of a question table, its pools appended."""

    @classmethod
    @abc.abstractmethod
    def decoded(cls, table: QuestionTable, row: int) -> Question:
        """The question at a row of a table."""


@dataclasses.dataclass(frozen=True)
class OneColumn(Question):
    """A question about one predictor, by its position."""

    column: int

    @property
    def columns(self) -> tuple[int, ...]:
        """The one predictor."""
        return (self.column,)


@dataclasses.dataclass(frozen=True)
class ManyColumns(Question):
    """A question about several numeric predictors at once, by their positions."""

    terms: tuple[int, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """The predictors it looks at."""
        return self.terms

    def numbers(self, columns: Sequence[Column], fill: tuple[float, ...]) -> Iterator[npt.NDArray[np.float64]]:
        """The values of every term, missing ones replaced where there is something to stand in."""
        for place, position in enumerate(self.terms):
            values = columns[position].values
            yield np.where(np.isnan(values), fill[place], values) if fill else values


_KINDS: dict[str, type[Question]] = {}


def question_kind(kind: type[Question]) -> type[Question]:
    """Make a kind of question known to the tables; its number in files is its place in this list of names."""
    _KINDS[kind.kind] = kind
    return kind


# The order of these names is the number in model files: only ever append.
KIND_NAMES = (
    "threshold",
    "intervals",
    "subset",
    "multiway",
    "is_missing",
    "hyperplane",
    "sphere",
    "combined",
)


def kind_named(name: str) -> type[Question]:
    """The class of a kind of question."""
    return _KINDS[name]


@dataclasses.dataclass(frozen=True)
class Row:
    """One question as scalars and pool entries."""

    kind: str
    encoding: Encoding
    column: int = -1
    first: int = 0
    missing_answer: int = UNKNOWN
    whole: tuple[int, ...] = ()
    reals: tuple[float, ...] = ()
    name: str = ""


class QuestionWriter:
    """Collects questions into a table; equal questions are kept once."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._found: dict[Row, int] = {}

    def add(self, question: Question) -> int:
        """Append a question and return its row."""
        return self.add_row(question.encoded(self))

    def add_row(self, row: Row) -> int:
        """Append an encoded row, or find it."""
        if row not in self._found:
            self._found[row] = len(self._rows)
            self._rows.append(row)
        return self._found[row]

    def finished(self) -> QuestionTable:
        """The table of all that was added."""
        rows = self._rows
        names = sorted({row.name for row in rows if row.name})
        return QuestionTable(
            kind=np.array([KIND_NAMES.index(row.kind) for row in rows], dtype=np.int8),
            encoding=np.array([row.encoding for row in rows], dtype=np.int8),
            column=np.array([row.column for row in rows], dtype=np.int32),
            first=np.array([row.first for row in rows], dtype=np.int32),
            missing_answer=np.array([row.missing_answer for row in rows], dtype=np.int32),
            whole_start=_starts([len(row.whole) for row in rows]),
            reals_start=_starts([len(row.reals) for row in rows]),
            whole=np.array([value for row in rows for value in row.whole], dtype=np.int32),
            reals=np.array([value for row in rows for value in row.reals], dtype=np.float64),
            name=np.array([names.index(row.name) if row.name else -1 for row in rows], dtype=np.int32),
            names=tuple(names),
        )


def _starts(lengths: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


@dataclasses.dataclass(frozen=True, eq=False)
class QuestionTable:
    """Many questions as parallel arrays with pools; row i's pool entries are [start[i], start[i + 1])."""

    kind: npt.NDArray[np.int8]
    encoding: npt.NDArray[np.int8]
    column: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    missing_answer: npt.NDArray[np.int32]
    whole_start: npt.NDArray[np.int64]
    reals_start: npt.NDArray[np.int64]
    whole: npt.NDArray[np.int32]
    reals: npt.NDArray[np.float64]
    name: npt.NDArray[np.int32]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for value in self.__dict__.values():
            if type(value) is np.ndarray and value.flags.writeable:
                value.flags.writeable = False

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, row: int) -> Question:
        if not 0 <= row < len(self):
            raise InputError(f"There are {len(self)} questions; number {row} was asked for.")
        from hornbeam.tree.questions.named import Named

        return Named.decoded(self, row) if self.name[row] >= 0 else self.unnamed(row)

    def all_questions(self) -> list[Question]:
        """Every question; combined ones hold those that come before them, so each is made once."""
        shared = _Shared(**{field.name: getattr(self, field.name) for field in dataclasses.fields(self)})
        for row in range(len(self)):
            shared.made[row] = QuestionTable.__getitem__(shared, row)
        return [shared.made[row] for row in range(len(self))]

    def unnamed(self, row: int) -> Question:
        """The question at a row, without the name a user gave it."""
        return kind_named(KIND_NAMES[self.kind[row]]).decoded(self, row)

    def whole_of(self, row: int) -> npt.NDArray[np.int32]:
        """The whole numbers of one question."""
        return self.whole[self.whole_start[row] : self.whole_start[row + 1]]

    def reals_of(self, row: int) -> npt.NDArray[np.float64]:
        """The real numbers of one question."""
        return self.reals[self.reals_start[row] : self.reals_start[row + 1]]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays by name: what the core and the model file take."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "names"}


@dataclasses.dataclass(frozen=True, eq=False)
class _Shared(QuestionTable):
    """A table that returns the questions which it has made."""

    made: dict[int, Question] = dataclasses.field(default_factory=dict)

    def __getitem__(self, row: int) -> Question:
        return self.made[row] if row in self.made else super().__getitem__(row)


def table_of(arrays: Mapping[str, Any]) -> QuestionTable:
    """A table from arrays; with columns and real numbers alone, every question is a cut of one column."""
    if "kind" in arrays:
        return QuestionTable(**arrays)
    n = len(arrays["column"])
    return QuestionTable(
        kind=ZERO_BYTES(n),
        encoding=ZERO_BYTES(n),
        column=arrays["column"],
        first=SHORT_ZEROS(n),
        missing_answer=NONES(n),
        whole_start=ZEROS(n + 1),
        reals_start=COUNT(n + 1),
        whole=_NO_CODES,
        reals=arrays["reals"],
        name=NONES(n),
    )


def empty_table() -> QuestionTable:
    """A table of no questions."""
    return QuestionWriter().finished()
