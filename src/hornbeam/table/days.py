"""Converts dates and durations to days; dates are counted from 1970-01-01, in UTC where the time zone is known.

All dates and durations have the same unit, so that a model need not store one. A float64 represents days to a
microsecond until the year 2059. Fractions of a microsecond are truncated, and two values that then are equal are an
error.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.table import coding
from hornbeam.table.notes import Note, NoteCode

_MICROSECONDS_PER_DAY = 86_400_000_000
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)
NOTE_DATES = Note("dates converted to days since 1970-01-01", NoteCode.DAYS)
NOTE_DURATIONS = Note("durations converted to days", NoteCode.DAYS)


def days_from_microseconds(microseconds: npt.NDArray[np.int64] | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Microseconds as days."""
    return microseconds / _MICROSECONDS_PER_DAY


def days_of_values(values: Sequence[Any], value_type: str) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Distinct dates, times or durations as days, and the note about it."""
    microseconds = [_microseconds(value) for value in values]
    if len(set(microseconds)) < len(values):
        raise InputError("Times that differ by less than a microsecond cannot be distinguished.")
    note = NOTE_DATES if value_type == coding.DATE else NOTE_DURATIONS
    return days_from_microseconds(np.array(microseconds, dtype=np.int64)), (note,)


def _microseconds(value: Any) -> int:
    if isinstance(value, np.datetime64):
        return int(value.astype("datetime64[us]").astype(np.int64))
    if isinstance(value, np.timedelta64):
        return int(value.astype("timedelta64[us]").astype(np.int64))
    if isinstance(value, datetime.timedelta):
        return value // _MICROSECOND
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    zoned = value.replace(tzinfo=datetime.UTC) if value.tzinfo is None else value
    return int((zoned - _EPOCH) // _MICROSECOND)
