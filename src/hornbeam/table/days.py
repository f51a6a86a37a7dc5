"""How do dates and lengths of time become numbers?  As days, dates counted from 1970-01-01 (UTC where a zone is known).

One unit for all, so that a model needs to remember none. A double holds days to a microsecond until the year 2059; what is
finer than a microsecond is cut, and two moments that become one number are an error.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.table import coding

MICROSECONDS_A_DAY = 86_400_000_000
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)
NOTE_DATES = "dates as days since 1970-01-01"
NOTE_LENGTHS = "lengths of time as days"


def days_from_microseconds(microseconds: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Days from microseconds since 1970-01-01."""
    return microseconds / MICROSECONDS_A_DAY


def days_of_values(values: Sequence[Any], sort: str) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Days behind distinct dates, times or lengths of time, and the note that says so."""
    microseconds = [_microseconds(value) for value in values]
    if len(set(microseconds)) < len(values):
        raise InputError("Moments that differ by less than a microsecond cannot be told apart.")
    note = NOTE_DATES if sort == coding.MOMENT else NOTE_LENGTHS
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
