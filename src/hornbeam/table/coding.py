"""Converts Python values to a raw column.

Numbers become a float64 array; all other values become codes into the distinct values. Both conversions run in compiled
loops (a dictionary of the distinct values, then one lookup per row): a million strings take some tenths of a second,
where sorting the objects takes two. None, NaN, NA and NaT are missing; no text is.

All values of a column must have one value type: `1` and `"a"` in the same column are rejected, as are lists, dicts and
bytes.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import numbers as number_types
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr
from hornbeam.table.column import MISSING
from hornbeam.table.number_grammar import LARGEST_EXACT
from hornbeam.table.raw import RawColumn

TEXT, NUMBER, BOOLEAN, DATE, DURATION, OTHER = "text", "number", "true or false", "date", "duration", "other"
_MISSING_TYPES = frozenset({"NoneType", "NAType", "NaTType"})


def value_type(kind: type) -> str:
    """The value type of a Python type; '' for the types that only mean missing."""
    if kind.__name__ in _MISSING_TYPES:
        return ""
    if issubclass(kind, str):
        return TEXT
    if issubclass(kind, (bool, np.bool_)):
        return BOOLEAN
    if issubclass(kind, (datetime.timedelta, np.timedelta64)):
        return DURATION
    if issubclass(kind, (complex, np.complexfloating)):
        return "complex"
    if issubclass(kind, (number_types.Real, np.number, decimal.Decimal, fractions.Fraction)):
        return NUMBER
    if issubclass(kind, (datetime.date, np.datetime64)):
        return DATE
    return "bytes" if issubclass(kind, (bytes, bytearray, memoryview)) else OTHER


def value_types(values: Iterable[Any]) -> set[str]:
    """The value types that occur."""
    return {value_type(kind) for kind in set(map(type, values))} - {""}


def raw_from_values(name: str, values: Sequence[Any], **more: Any) -> RawColumn:
    """A raw column from Python values, one per row."""
    types = value_types(values)
    if types <= {NUMBER}:
        numbers = exact_numbers(values)
        if numbers is not None:
            return RawColumn(name, numbers=numbers, **more)
    codes, distinct = encode_values(name, values, mixed=len(types) > 1)
    return RawColumn(name, codes=codes, distinct=distinct, **more)


def exact_numbers(values: Sequence[Any]) -> npt.NDArray[np.float64] | None:
    """The values as float64, or None if that would change an integer or a Decimal."""
    kinds = set(map(type, values))
    if any(issubclass(kind, (decimal.Decimal, fractions.Fraction)) for kind in kinds):
        return None
    if any(kind.__name__ in ("NAType", "NaTType") for kind in kinds):
        values = [None if type(value).__name__ in _MISSING_TYPES else value for value in values]
    try:
        numbers = np.array(values, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        return None
    far = np.abs(numbers) >= LARGEST_EXACT
    if far.any() and any(
        isinstance(values[row], number_types.Integral) and int(values[row]) != int(numbers[row])
        for row in np.flatnonzero(far & np.isfinite(numbers)).tolist()
    ):
        return None
    return numbers


def encode_values(
    name: str, values: Sequence[Any], mixed: bool = False
) -> tuple[npt.NDArray[np.int32], tuple[Any, ...]]:
    """Codes and the distinct values, in order of first appearance; missing is -1."""
    try:
        distinct = list(dict.fromkeys(values))
    except TypeError:
        row, value = next((i, v) for i, v in enumerate(values) if not is_hashable(v))
        raise InputError(
            f"Column {short_repr(name)}, row {row}, must be a number, text, true or false, or a date, "
            f"got {short_repr(value)} ({type(value).__name__}).",
            hint="Split it into several columns.",
            column=name,
            row=row,
        ) from None
    if mixed:
        reject_mixture(name, values)
    known = distinct if set(map(type, distinct)) == {str} else [value for value in distinct if not is_missing(value)]
    lookup = dict.fromkeys(distinct, MISSING)
    lookup.update(zip(known, range(len(known))))
    codes = np.fromiter(map(lookup.__getitem__, values), np.int32, len(values))
    if known is distinct:
        return codes, tuple(known)
    return codes, tuple([value.item() if isinstance(value, np.generic) else value for value in known])


def reject_mixture(name: str, values: Sequence[Any]) -> None:
    """Raise the error that shows one value of each of two value types."""
    first: dict[str, tuple[int, Any]] = {}
    for row, value in enumerate(values):
        found = value_type(type(value))
        if found and not is_missing(value) and first.setdefault(found, (row, value)) and len(first) > 1:
            break
    if len(first) < 2:
        return
    (one, (row, value)), (other, (other_row, other_value)) = first.items()
    raise InputError(
        f"Column {short_repr(name)} mixes {_plural(one, value)} and {_plural(other, other_value)}: "
        f"{short_repr(value)} in row {row}, {short_repr(other_value)} in row {other_row}.",
        hint="Convert all values to numbers, or all to text.",
        column=name,
        row=other_row,
    )


def _plural(found: str, value: Any) -> str:
    known = {TEXT: "text", NUMBER: "numbers", BOOLEAN: "true/false values", DATE: "dates", DURATION: "durations"}
    return known.get(found, f"{type(value).__name__} values")


def is_missing(value: Any) -> bool:
    """Whether a Python value means missing: None, NaN, NA, NaT."""
    if type(value).__name__ in _MISSING_TYPES:
        return True
    if isinstance(value, (float, np.floating, decimal.Decimal)):
        return bool(value != value)
    return isinstance(value, (np.datetime64, np.timedelta64)) and bool(np.isnat(value))


def is_hashable(value: Any) -> bool:
    """Whether a value can be a key of a dictionary."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


_MAX_COUNTED = 1000


def distinct_sorted(numbers: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The distinct numbers, sorted, and the index of each number in them; small integers are counted, not sorted."""
    if len(numbers) and numbers.min() >= 0 and numbers.max() <= _MAX_COUNTED:
        integers = numbers.astype(np.int32, copy=False)
        if numbers.dtype.kind in "iu" or (integers == numbers).all():
            occurs = np.zeros(_MAX_COUNTED + 1, dtype=bool)
            occurs[integers] = True
            return np.flatnonzero(occurs).astype(numbers.dtype), (np.cumsum(occurs, dtype=np.int32) - 1)[integers]
    return np.unique(numbers, return_inverse=True)
