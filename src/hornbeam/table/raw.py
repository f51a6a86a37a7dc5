"""RawTable: the columns of a source before their kinds are decided.

Every reader, of a file or of data in memory, returns a `RawTable`; `kinds.decide_kind` converts its columns to columns
with kinds. So a CSV file, a data frame and an array with the same values give the same table.

    numbers   a typed numeric source: float64, NaN where missing (float32 too if `is_borrowed`)
    codes     any other source: int32 indices into `distinct`, the distinct values in any order, -1 where missing

The cells of a text file stay texts (`from_text`). Which texts mean missing, and whether the texts are numbers, is
decided later from all distinct values; a sample is not enough.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NoReturn, TypeGuard

import numpy as np
import numpy.typing as npt

from hornbeam.errors import DataFileError, HornbeamError, InputError
from hornbeam.table.column import Kind
from hornbeam.table.text_format import TextFormat

# The minimum and the maximum of some numbers; NaN if one is missing or there are none.
Extent = tuple[float, float]


@dataclasses.dataclass(frozen=True, eq=False)
class RawColumn:
    """A name and the values of the source; either `numbers` or `codes` with `distinct`."""

    name: str
    numbers: npt.NDArray[Any] | None = None  # typed numeric source; NaN = missing
    codes: npt.NDArray[np.int32] | None = None  # else indices into `distinct`, -1 = missing
    distinct: tuple[Any, ...] = ()  # the distinct values, of any Python type, in any order
    declared: Kind | None = None  # the kind that the source declares
    levels: tuple[Any, ...] | None = None  # the order of levels that the source declares
    from_text: bool = False  # from a text file: texts may be numbers
    notes: tuple[str, ...] = ()
    is_borrowed: bool = False  # `numbers` is a view of an array of the caller
    extent: Extent | None = None
    text_format: TextFormat | None = None  # how the numbers or dates are written, where the text leaves no doubt

    def __len__(self) -> int:
        if self.numbers is not None:
            return len(self.numbers)
        return len(self.codes) if self.codes is not None else 0


class UnusableColumn(RawColumn):
    """A column whose values cannot be used; the error that states why is raised when they are."""

    error: HornbeamError

    def __init__(self, name: str, error: HornbeamError, n_rows: int) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "error", error)
        object.__setattr__(self, "_n_rows", n_rows)

    def _values(self) -> NoReturn:
        raise self.error

    numbers = codes = distinct = property(_values)

    def __len__(self) -> int:
        found: int = self.__dict__["_n_rows"]
        return found


def column_or_error(name: str, n_rows: int, read: Callable[[], RawColumn]) -> RawColumn:
    """What `read` returns, or a column that cannot be used: an error matters only if the column is used."""
    try:
        return read()
    except (InputError, DataFileError) as error:
        # A traceback would keep the source in memory.
        return UnusableColumn(name, error.with_traceback(None), n_rows)


@dataclasses.dataclass(frozen=True, eq=False)
class RawTable:
    """The columns of a source and what the source declares: name, target, weights."""

    columns: tuple[RawColumn, ...]
    source: str = ""
    notes: tuple[str, ...] = ()
    target: str | None = None  # the target that the source declares (C4.5)
    weights: npt.NDArray[np.float64] | None = None  # ARFF instance weights
    is_file: bool = False  # from a file: the rules of `file_rules` apply

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in order."""
        return tuple(column.name for column in self.columns)

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0


def usable_columns(raw: RawTable) -> RawTable:
    """The table without the columns that cannot be used; notes state why."""
    notes = [each.error.message.rstrip(".") for each in raw.columns if is_unusable(each)]
    columns = tuple(each for each in raw.columns if not is_unusable(each))
    return dataclasses.replace(raw, columns=columns, notes=(*raw.notes, *notes))


def is_unusable(column: RawColumn) -> TypeGuard[UnusableColumn]:
    """Whether the values of a column cannot be used."""
    return isinstance(column, UnusableColumn)
