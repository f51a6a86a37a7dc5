"""Question: the test at a node. A kind of question is a class; each kind uses one of five encodings.

The walk, the check of model files, SQL export, boxes and description lengths depend on the encoding alone
(`table.py` defines the arrays of each encoding), so a new kind is one new class: in a file of this folder, or in an
installed package that names it as an entry point of the group `hornbeam.parts`.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamError, OptionError, short_repr
from hornbeam.table.column import Column
from hornbeam.table.table import Schema

if TYPE_CHECKING:
    from hornbeam.tree.questions.table import QuestionTable, QuestionWriter, Row

UNKNOWN = -1
UNSEEN_LEVEL = -2

Branches = npt.NDArray[np.int32]

KIND_CLASSES: dict[str, type[Question]] = {}  # every kind that has been imported, by name


class Encoding(enum.IntEnum):
    """The five encodings of questions as arrays."""

    CUTS = 0
    MAP = 1
    PLANE = 2
    BALL = 3
    COMBINED = 4


@dataclasses.dataclass(frozen=True)
class Question(abc.ABC):
    """A question assigns a branch to each row. `kind` is the name of the class, `encoding` the form of its arrays."""

    kind: ClassVar[str]
    encoding: ClassVar[Encoding]

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "kind" in vars(cls):
            other = KIND_CLASSES.get(cls.kind, cls)
            if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
                raise OptionError(f"Two kinds of questions are called {short_repr(cls.kind)}.")
            KIND_CLASSES[cls.kind] = cls

    @property
    def n_branches(self) -> int:
        """The number of branches."""
        return 2

    @property
    @abc.abstractmethod
    def columns(self) -> tuple[int, ...]:
        """The positions of the predictors that it reads, each once."""

    @abc.abstractmethod
    def branch(self, columns: Sequence[Column]) -> Branches:
        """The branch of each row: UNKNOWN where a needed value is missing, UNSEEN_LEVEL where a level has no branch."""

    @abc.abstractmethod
    def text(self, schema: Schema, branch: int = 0) -> str:
        """The condition of a branch, such as 'age <= 61.4'."""

    @abc.abstractmethod
    def encoded(self, table: QuestionWriter) -> Row:
        """The question as one row of a question table."""

    @classmethod
    @abc.abstractmethod
    def decoded(cls, table: QuestionTable, row: int) -> Question:
        """The question at a row of a table."""

    @classmethod
    def accepts(cls, table: QuestionTable, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """For each of these rows: whether it is a question of this kind. The rows satisfy the rules of the encoding.

        This method decodes each row and compares its encoding with the row. Kinds that are frequent in forests override
        it with a comparison of arrays.
        """
        return np.array([_is_own_row(cls, table, int(row)) for row in rows], dtype=np.bool_)


def _is_own_row(kind: type[Question], table: QuestionTable, row: int) -> bool:
    try:
        question = kind.decoded(table, row)
        is_same = question.encoded(table.writer_at(row)) == table.row(row)
        return is_same and question.n_branches == table.n_branches(row)
    except (HornbeamError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False


@dataclasses.dataclass(frozen=True)
class OneColumn(Question):
    """A question about one predictor, given by its position."""

    column: int

    @property
    def columns(self) -> tuple[int, ...]:
        """The one predictor."""
        return (self.column,)


@dataclasses.dataclass(frozen=True)
class ManyColumns(Question):
    """A question about several numeric predictors, given by their positions."""

    terms: tuple[int, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """The predictors that it reads."""
        return self.terms

    def numbers(self, columns: Sequence[Column], fill: tuple[float, ...]) -> Iterator[npt.NDArray[np.float64]]:
        """The values of each term; missing values are replaced by `fill` if it is given."""
        for index, position in enumerate(self.terms):
            values = columns[position].values
            yield np.where(np.isnan(values), fill[index], values) if fill else values
