"""How do plain Python values become a raw column?

Numbers go to a float64 array; everything else to codes into the distinct values. Both ways run in compiled loops (a
dictionary of the distinct values, then one lookup a row), never row by row in Python: a million strings take some
tenths of a second where sorting the objects takes two. None, NaN, NA and NaT are missing; no word of text is.

Values of one column must be of one sort. `1` and `"a"` in the same column are refused, as are lists, dicts and bytes.
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
from hornbeam.table.raw import RawColumn
from hornbeam.table.texts import LARGEST_EXACT

TEXT, NUMBER, TRUTH, MOMENT, LENGTH, OTHER = "text", "number", "true or false", "date", "length of time", "other"
_MISSING_TYPES = frozenset({"NoneType", "NAType", "NaTType"})


def value_type(kind: type) -> str:
    """What sort of value a type holds; '' for the types that only mean missing."""
    if kind.__name__ in _MISSING_TYPES:
        return ""
    if issubclass(kind, str):
        return TEXT
    if issubclass(kind, (bool, np.bool_)):
        return TRUTH
    if issubclass(kind, (datetime.timedelta, np.timedelta64)):
        return LENGTH
    if issubclass(kind, (complex, np.complexfloating)):
        return "complex"
    if issubclass(kind, (number_types.Real, np.number, decimal.Decimal, fractions.Fraction)):
        return NUMBER
    if issubclass(kind, (datetime.date, np.datetime64)):
        return MOMENT
    return "bytes" if issubclass(kind, (bytes, bytearray, memoryview)) else OTHER


def value_types(values: Iterable[Any]) -> set[str]:
    """The sorts of value that occur."""
    return {value_type(kind) for kind in set(map(type, values))} - {""}


def raw_from_values(name: str, values: Sequence[Any], **more: Any) -> RawColumn:
    """A raw column from Python values, one a row."""
    sorts = value_types(values)
    if sorts <= {NUMBER}:
        numbers = exact_numbers(values)
        if numbers is not None:
            return RawColumn(name, numbers=numbers, **more)
    codes, texts = encode_values(name, values, mixed=len(sorts) > 1)
    return RawColumn(name, codes=codes, texts=texts, **more)


def exact_numbers(values: Sequence[Any]) -> npt.NDArray[np.float64] | None:
    """The values as doubles, or None when that would change a whole number or a Decimal."""
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
            f"Column {short_repr(name)}, row {row}, holds a {type(value).__name__}: {short_repr(value)}; "
            "a cell must be a number, a text, true or false, or a date.",
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
    """Raise the error that shows one value of each of two sorts."""
    first: dict[str, tuple[int, Any]] = {}
    for row, value in enumerate(values):
        sort = value_type(type(value))
        if sort and not is_missing(value) and first.setdefault(sort, (row, value)) and len(first) > 1:
            break
    if len(first) < 2:
        return
    (one, (row, value)), (other, (other_row, other_value)) = first.items()
    raise InputError(
        f"Column {short_repr(name)} mixes {_worded(one, value)} and {_worded(other, other_value)}: "
        f"{short_repr(value)} in row {row}, {short_repr(other_value)} in row {other_row}.",
        hint="Convert all values to numbers, or all to text.",
        column=name,
        row=other_row,
    )


def _worded(sort: str, value: Any) -> str:
    known = {TEXT: "text", NUMBER: "numbers", TRUTH: "true/false values", MOMENT: "dates", LENGTH: "lengths of time"}
    return known.get(sort, f"{type(value).__name__} values")


def is_missing(value: Any) -> bool:
    """Whether a Python value means missing: None, NaN, NA, NaT."""
    if type(value).__name__ in _MISSING_TYPES:
        return True
    if isinstance(value, (float, np.floating, decimal.Decimal)):
        return bool(value != value)
    return isinstance(value, (np.datetime64, np.timedelta64)) and bool(np.isnat(value))


def is_hashable(value: Any) -> bool:
    """Whether a value can stand in a dictionary."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
