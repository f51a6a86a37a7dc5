"""QuestionTable: many questions as parallel arrays with two pools, `whole` (int32) and `reals` (float64).

    CUTS      column; reals = ascending cuts; branch = first + number of cuts below x        (x <= cut stays below)
              whole is empty or holds the number of levels of the column
    MAP       column; whole = branch of each level code, -1 where the level has no branch
    PLANE     whole = columns; reals = weights, then the bound; branch 0 iff sum w x <= bound
    BALL      whole = columns; reals = center, scale (each as long), then radius squared; branch 0 iff inside or on it
              (both: one value per column that replaces missing values may follow)
    COMBINED  whole = is_any, then (question row, negated) pairs, each row below this one; Kleene logic

`missing_answer` is the branch of a missing value, -1 where the outcome is then undefined; only CUTS with first = 1 have
one, branch 0. `kind` is an index of `kinds`, the names of the classes; `name` an index of `names`, -1 for none.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.tree.name_codes import KINDS, extend_names
from hornbeam.tree.node_arrays import COUNT, NONES, SHORT_ZEROS, ZERO_BYTES, ZEROS
from hornbeam.tree.questions.base import UNKNOWN, Encoding, Question
from hornbeam.tree.questions.kinds import question_kind

_NO_CODES = np.zeros(0, dtype=np.int32)
_NOT_ARRAYS = ("names", "kinds")


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
    """Collects questions into a table; equal questions are stored once."""

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
        """The table of all questions that were added."""
        rows = self._rows
        names = sorted({row.name for row in rows if row.name})
        kinds = extend_names(KINDS, {row.kind for row in rows})
        return QuestionTable(
            kind=np.array([kinds.index(row.kind) for row in rows], dtype=np.int8),
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
            kinds=kinds,
        )


class _WriterAt(QuestionWriter):
    """Returns the rows of questions that a table has already: those that a combined question refers to."""

    def __init__(self, table: QuestionTable, row: int) -> None:
        super().__init__()
        literals = table.whole_of(row)[1::2].tolist() if table.encoding[row] == Encoding.COMBINED else []
        self._known: dict[Question, int] = {table[literal]: literal for literal in literals}

    def add(self, question: Question) -> int:
        return self._known[question]


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
    kinds: tuple[str, ...] = KINDS

    def __post_init__(self) -> None:
        for value in self.__dict__.values():
            if type(value) is np.ndarray and value.flags.writeable:
                value.flags.writeable = False

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, row: int) -> Question:
        if not 0 <= row < len(self):
            raise InputError(f"The table has {len(self)} questions; got row {row}.")
        from hornbeam.tree.questions.named import Named

        return Named.decoded(self, row) if self.name[row] >= 0 else self.unnamed(row)

    def all_questions(self) -> list[Question]:
        """Every question; each is decoded once, also where combined questions contain it."""
        decoded = _Decoded(**{field.name: getattr(self, field.name) for field in dataclasses.fields(self)})
        for row in range(len(self)):
            decoded.found[row] = QuestionTable.__getitem__(decoded, row)
        return [decoded.found[row] for row in range(len(self))]

    def unnamed(self, row: int) -> Question:
        """The question at a row, without the name that a user gave it."""
        return question_kind(self.kinds[self.kind[row]]).decoded(self, row)

    def row(self, row: int) -> Row:
        """The scalars and pool entries of one question, without the name that a user gave it."""
        return Row(
            self.kinds[self.kind[row]],
            Encoding(int(self.encoding[row])),
            int(self.column[row]),
            int(self.first[row]),
            int(self.missing_answer[row]),
            tuple(self.whole_of(row).tolist()),
            tuple(self.reals_of(row).tolist()),
        )

    def writer_at(self, row: int) -> QuestionWriter:
        """A writer that encodes the question of this row as the table does."""
        return _WriterAt(self, row)

    def n_branches(self, row: int) -> int:
        """The number of branches of one question, by its encoding."""
        if self.encoding[row] == Encoding.CUTS:
            return int(self.first[row]) + len(self.reals_of(row)) + 1
        return int(self.whole_of(row).max()) + 1 if self.encoding[row] == Encoding.MAP else 2

    def whole_of(self, row: int) -> npt.NDArray[np.int32]:
        """The entries of one question in the pool of integers."""
        return self.whole[self.whole_start[row] : self.whole_start[row + 1]]

    def reals_of(self, row: int) -> npt.NDArray[np.float64]:
        """The entries of one question in the pool of floats."""
        return self.reals[self.reals_start[row] : self.reals_start[row + 1]]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays by name, as the core and the model file take them."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name not in _NOT_ARRAYS}


@dataclasses.dataclass(frozen=True, eq=False)
class _Decoded(QuestionTable):
    """A table that returns the questions decoded before."""

    found: dict[int, Question] = dataclasses.field(default_factory=dict)

    def __getitem__(self, row: int) -> Question:
        return self.found[row] if row in self.found else super().__getitem__(row)


def table_of(arrays: Mapping[str, Any]) -> QuestionTable:
    """A table from arrays of the core; with `column` and `reals` alone, every question is a cut of one column."""
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
