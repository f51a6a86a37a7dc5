"""Column: a name, a kind and the values of one column of a table.

    numeric   values float64, missing NaN
    ordinal   values int32 codes into `levels`, whose order is meaningful, missing -1
    nominal   values int32 codes into `levels`, missing -1

Codes are indices into `levels`. A level that a fitted model has not seen in training is coded `UNSEEN` (-2) when new
rows are matched to the model's schema. Arrays are contiguous and read-only; a column is immutable. `source` is the
array that stores the values: `values` itself, except in a `BorrowedColumn` (`borrowed.py`), which is a view of an array
of the caller.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr
from hornbeam.number_text import number_text
from hornbeam.table.text_format import TextFormat, is_date

MISSING = -1
UNSEEN = -2


class Kind(enum.StrEnum):
    """The meaning of a column's values."""

    NUMERIC = "numeric"
    ORDINAL = "ordinal"
    NOMINAL = "nominal"


def is_idle(values: npt.NDArray[Any], rows: npt.NDArray[Any] | None = None) -> bool:
    """Whether all values are missing or all are equal, in some rows or in all of them.

    It scans growing blocks, as most columns differ early.
    """
    n = len(values) if rows is None else len(rows)
    if not n:
        return False
    first, begin, step = values[0 if rows is None else rows[0]], 0, 16
    while begin < n:
        part = slice(begin, begin + step)
        block = values[part if rows is None else rows[part]]
        if not (np.isnan(block) if first != first else block == first).all():
            return False
        begin, step = begin + step, step * 4
    return True


def _restore(column: Any, state: Mapping[str, Any]) -> None:
    """Set the attributes of an unpickled column; some serializers return the kind as text."""
    column.__dict__.update(state)
    column.__dict__["kind"] = Kind(column.kind)


@dataclasses.dataclass(frozen=True)
class ColumnSpec:
    """A column without its values: what a fitted model stores.

    `is_idle`: the column was missing in all training rows, or had the same value in all of them. No question uses it,
    so new rows may have any value there. `text_format`: how the training file wrote its numbers or dates, if it shows
    that.
    """

    name: str
    kind: Kind
    levels: tuple[Any, ...] = ()
    is_idle: bool = dataclasses.field(default=False, compare=False, repr=False)
    text_format: TextFormat | None = dataclasses.field(default=None, compare=False, repr=False)

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        _restore(self, state)

    @property
    def has_levels(self) -> bool:
        """Whether values are codes into levels."""
        return self.kind is not Kind.NUMERIC

    @property
    def is_date(self) -> bool:
        """Whether the values are dates, stored as days since 1970-01-01."""
        return is_date(self.text_format)


@dataclasses.dataclass(frozen=True, eq=False)
class Column:
    """A name, a kind and values; `why` is the reason for the kind, `notes` are messages about the values.

    `text_format` states that the values are dates, or how a text file wrote its numbers. `known_complete` states that
    no value is missing, so that the values need not be scanned for it.
    """

    name: str
    kind: Kind
    values: npt.NDArray[Any]
    levels: tuple[Any, ...] = ()
    why: str = ""
    notes: tuple[str, ...] = ()
    known_complete: dataclasses.InitVar[bool] = False
    text_format: TextFormat | None = None

    def __post_init__(self, known_complete: bool) -> None:
        dtype: Any = np.float64 if self.kind is Kind.NUMERIC else np.int32
        values = np.ascontiguousarray(self.values, dtype=dtype)
        if values.ndim != 1:
            raise InputError(f"Column {short_repr(self.name)} must be one-dimensional, got shape {values.shape}.")
        if values is self.values and values.flags.writeable:
            values = values.view()
        values.flags.writeable = False
        object.__setattr__(self, "values", values)
        if known_complete:
            object.__setattr__(self, "has_missing", False)

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        _restore(self, state)

    def __len__(self) -> int:
        return len(self.source)

    @property
    def has_levels(self) -> bool:
        """Whether values are codes into levels."""
        return self.kind is not Kind.NUMERIC

    @property
    def source(self) -> npt.NDArray[Any]:
        """The array that stores the values."""
        return self.values

    @property
    def spec(self) -> ColumnSpec:
        """The column without its values."""
        return ColumnSpec(self.name, self.kind, self.levels, is_idle(self.source), self.text_format)

    @property
    def is_missing(self) -> npt.NDArray[np.bool_]:
        """True where the value is missing."""
        found: npt.NDArray[np.bool_] = np.isnan(self.source) if self.kind is Kind.NUMERIC else self.values == MISSING
        return found

    @functools.cached_property
    def has_missing(self) -> bool:
        """Whether any value is missing; computed once."""
        return bool(self.is_missing.any())

    def take(self, rows: npt.NDArray[Any]) -> Column:
        """The column for some of its rows, in the order given (indices or a mask)."""
        return dataclasses.replace(self, values=self.source[rows])

    def python_values(self) -> list[Any]:
        """The values as Python values: levels, or numbers (ISO dates); None if missing."""
        if self.kind is not Kind.NUMERIC:
            return [None if code < 0 else self.levels[code] for code in self.values.tolist()]
        is_date = self.text_format is not None and self.text_format.date
        return [
            None if number != number else self.number_text(number) if is_date else number
            for number in self.values.tolist()
        ]

    def shown_value(self, row: int) -> str:
        """One value as text."""
        value = self.values[row]
        if self.kind is Kind.NUMERIC:
            return "missing" if np.isnan(value) else self.number_text(float(value))
        return "missing" if value == MISSING else "unseen level" if value < 0 else str(self.levels[value])

    def number_text(self, number: float, digits: int = 6) -> str:
        """A value of a numeric column as text: a date, or a number with some digits."""
        if self.text_format is not None and self.text_format.date:
            return self.text_format.text(number)
        return number_text(number, digits)


def numeric(name: str, values: npt.ArrayLike, **more: Any) -> Column:
    """A numeric column from an array of numbers."""
    return Column(name, Kind.NUMERIC, np.asarray(values, dtype=np.float64), **more)


def nominal(name: str, codes: npt.ArrayLike, levels: tuple[Any, ...], **more: Any) -> Column:
    """A nominal column from codes and levels."""
    return Column(name, Kind.NOMINAL, np.asarray(codes, dtype=np.int32), tuple(levels), **more)


def ordinal(name: str, codes: npt.ArrayLike, levels: tuple[Any, ...], **more: Any) -> Column:
    """An ordinal column from codes and levels in order."""
    return Column(name, Kind.ORDINAL, np.asarray(codes, dtype=np.int32), tuple(levels), **more)
