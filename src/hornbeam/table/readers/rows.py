"""Converts Python containers to raw columns.

{"age": [61, 58], "outcome": ["good", "poor"]}          a dict of columns
[{"age": 61, "outcome": "good"}, {"age": 58}]           a list of dicts; an absent key is missing
[[61, "good"], [58, "poor"]]                            a list of rows, names x0, x1, ...
{"age": 61, "outcome": "good"}                          a dict of single values: one row
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import InputError, short_repr
from hornbeam.table import coding
from hornbeam.table.names import checked_names, default_names
from hornbeam.table.raw import RawColumn, RawTable, column_or_error
from hornbeam.table.readers import arrays, frames


def raw_from_dict(source: Mapping[Any, Any]) -> RawTable:
    """A dict of columns, or of single values, which is one row."""
    if source and all(_is_single(value) for value in source.values()):
        source = {name: [value] for name, value in source.items()}
    names = checked_names(source)
    columns = tuple(_column(name, values) for name, values in zip(names, source.values()))
    for column in columns[1:]:
        if len(column) != len(columns[0]):
            raise InputError(
                f"Columns must have the same length, got {len(columns[0])} rows in {short_repr(columns[0].name)} and "
                f"{len(column)} in {short_repr(column.name)}.",
                column=column.name,
            )
    return RawTable(columns, "dict of columns")


def _is_single(value: Any) -> bool:
    return value is None or isinstance(value, (str, bytes)) or not hasattr(value, "__len__")


def _column(name: str, values: Any) -> RawColumn:
    if frames.is_series(values):
        return column_or_error(name, len(values), functools.partial(frames.raw_series, name, values))
    if isinstance(values, (list, tuple)):
        return _of_values(name, values)
    if _is_single(values):
        raise InputError(
            f"Column {short_repr(name)} must be a list or an array of values, got {short_repr(values)}.", column=name
        )
    array = arrays.as_base_array(values)
    if array.ndim != 1:
        raise InputError(f"Column {short_repr(name)} must have one dimension, got shape {array.shape}.", column=name)
    return arrays.raw_column(name, array)


def _of_values(name: str, values: Sequence[Any]) -> RawColumn:
    return column_or_error(name, len(values), functools.partial(coding.raw_from_values, name, values))


def raw_from_list(source: Sequence[Any]) -> RawTable:
    """A list of rows: each a sequence of values, or each a dict."""
    if not source:
        raise InputError("The list must have at least 1 row, got 0 rows.")
    first = source[0]
    if isinstance(first, Mapping):
        return _from_dicts(source)
    if isinstance(first, (str, bytes)) or not hasattr(first, "__len__"):
        raise InputError(
            f"A list must contain rows, each a list of values, got {short_repr(first)} in row 0 "
            f"(shape ({len(source)},)).",
            hint="Reshape your data: [[value] for value in X] for a single column, [X] for a single row.",
        )
    return _from_sequences(source)


def _from_sequences(source: Sequence[Any]) -> RawTable:
    width = len(source[0])
    try:
        lengths = np.fromiter(map(len, source), np.int64, len(source))
    except TypeError:
        row = next(row for row, values in enumerate(source) if not hasattr(values, "__len__"))
        raise InputError(f"Row {row} must be a list of values, got {short_repr(source[row])}.", row=row) from None
    if (lengths != width).any():
        row = int(np.argmax(lengths != width))
        raise InputError(f"Row {row} must have {width} value(s) as row 0, got {lengths[row]}.", row=row)
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in source[0]):
        try:
            array = np.array(source)
        except (ValueError, OverflowError):
            array = np.empty(0, dtype=object)
        if array.dtype.kind in "fiu" and array.ndim == 2:
            return arrays.raw(array)
    if np.ndim(source[0][0] if width else 0) > 0 and not isinstance(source[0][0], (str, bytes)):
        return arrays.raw(np.array(source))
    columns = zip(default_names(width), zip(*source))
    return RawTable(tuple(_of_values(name, values) for name, values in columns), "list of rows")


def _from_dicts(source: Sequence[Any]) -> RawTable:
    for row, values in enumerate(source):
        if not isinstance(values, Mapping):
            raise InputError(f"Row {row} must be a dict as row 0, got {short_repr(values)}.", row=row)
    keys = list(dict.fromkeys(key for values in source for key in values))
    columns = [
        _of_values(name, list(map(operator.methodcaller("get", key), source)))
        for name, key in zip(checked_names(keys), keys)
    ]
    return RawTable(tuple(columns), "list of dicts")
