"""Values as levels: text, numbers, true or false, dates, times, and tuples of them, which a model file can store.

Decimal, Fraction     a number
pandas.Timestamp      a date and time
others                their text: an interval of pandas.cut is '(0, 10]'
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import fractions
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.table.coding import is_missing, value_type
from hornbeam.table.raw import RawColumn

_STORED = frozenset({str, bool, int, float, datetime.date, datetime.datetime, datetime.time})
_ERRORS = ("bytes", "complex")  # value types that are rejected elsewhere, with the row


def level_value(value: Any) -> Any:
    """A value as a level."""
    if type(value) is tuple:
        return tuple(map(level_value, value))
    if type(value) in _STORED or value_type(type(value)) in _ERRORS:
        return value
    if isinstance(value, np.generic):
        return level_value(value.item())
    if isinstance(value, (decimal.Decimal, fractions.Fraction)):
        number = float(value)
        return int(value) if number.is_integer() else number
    for kind in (str, bool, int, float):
        if isinstance(value, kind):
            return kind(value)
    if isinstance(value, datetime.datetime) and not getattr(value, "nanosecond", 0):
        return datetime.datetime.combine(value.date(), value.timetz())
    return str(value)


def with_level_values(raw: RawColumn) -> RawColumn:
    """The column with its distinct values, and the order of levels that it declares, as levels."""
    if set(map(type, raw.distinct)) <= _STORED:
        return raw
    codes, distinct = merged([level_value(value) for value in raw.distinct], raw.codes)
    order = None if raw.levels is None else tuple(dict.fromkeys(map(level_value, raw.levels)))
    return dataclasses.replace(raw, codes=codes, distinct=distinct, levels=order)


def merged(values: Sequence[Any], codes: Any) -> tuple[npt.NDArray[np.int32], tuple[Any, ...]]:
    """Codes into values that may be equal or missing, as codes into the different known ones."""
    code_of: dict[Any, int] = {}
    of_value = [-1 if is_missing(value) else code_of.setdefault(value, len(code_of)) for value in values]
    if len(code_of) < len(values):
        codes = np.array([*of_value, -1], dtype=np.int32)[codes]
    return codes, tuple(code_of)
