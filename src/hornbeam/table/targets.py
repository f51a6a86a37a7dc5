"""Converts a target that is passed separately from the rows to a column.

    classification   the levels are the sorted values: texts, integers, true / false, floats without a fraction
    regression       float64, finite

A missing target is an error with its row, or is dropped and counted. Floats with a fraction cannot be classes.
"""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamWarning, InputError, short_repr
from hornbeam.table import coding
from hornbeam.table.column import MISSING, Column, Kind
from hornbeam.table.conversion import reject_infinite
from hornbeam.table.kinds import REQUESTED, decide_kind
from hornbeam.table.raw import RawColumn
from hornbeam.table.readers import arrays, frames
from hornbeam.table.remarks import remarks_on_levels


def target_column(y: Any, kind: Kind | str | None, n_rows: int, name: str = "y") -> Column:
    """The target as a column of the given kind; the kind is inferred from the values if it is None."""
    kind = None if kind is None else Kind(kind)
    if kind in (Kind.NOMINAL, Kind.ORDINAL) and _is_integer_vector(y):
        _check_length(len(y), n_rows)
        return _integer_classes(name, kind, np.asarray(y))
    raw = raw_target(y, name)
    _check_length(len(raw), n_rows)
    if kind is None or kind is Kind.NUMERIC:
        column = decide_kind(raw, kind, infinite="ordered")
    else:
        is_float = raw.numbers is not None and _is_float(y)
        if is_float:
            reject_continuous(raw)
        column = decide_kind(raw, kind)
        if is_float:
            column = dataclasses.replace(column, levels=tuple(map(float, column.levels)))
        elif raw.numbers is None:
            column = drop_unused_levels(column)
    if column.kind is Kind.NUMERIC:
        reject_infinite_target(column)
    return column


def _check_length(length: int, n_rows: int) -> None:
    if length != n_rows:
        raise InputError(f"X and y must have the same number of rows, got {n_rows} and {length}.")


def _is_integer_vector(y: Any) -> bool:
    dtype = getattr(y, "dtype", None)
    is_integer = isinstance(dtype, np.dtype) and dtype.kind in "iu" and not isinstance(y, np.ma.MaskedArray)
    return is_integer and getattr(y, "ndim", 0) == 1


def _integer_classes(name: str, kind: Kind, values: npt.NDArray[Any]) -> Column:
    """Integers as classes, without a conversion to float64 and back."""
    distinct, codes = coding.distinct_sorted(values)
    levels = tuple(distinct.tolist())
    remarks = remarks_on_levels(name, levels, len(codes), len(codes))
    return Column(name, kind, codes, levels, REQUESTED, remarks, known_complete=True)


def _is_float(y: Any) -> bool:
    if isinstance(y, (list, tuple)):
        return any(isinstance(value, (float, np.floating)) and value == value for value in y)
    dtype = getattr(y, "dtype", None)
    return dtype.kind == "f" if isinstance(dtype, np.dtype) else "float" in str(dtype).lower()


def raw_target(y: Any, name: str) -> RawColumn:
    """The target as a raw column, from one column in any form."""
    if y is None:
        raise InputError("y must be an array with one value per row, got None.", hint="Pass y with one value per row.")
    if arrays.is_sparse(y):
        raise InputError("Sparse data was passed for y, but dense data is required.", hint="Pass y.toarray().ravel().")
    if frames.is_series(y):
        return frames.raw_series(name, y)
    if frames.is_frame(y):
        table = frames.raw(y)
        if len(table.columns) != 1:
            raise InputError(f"y must be one column, got {len(table.columns)}: {short_repr(table.names)}.")
        _warn_about_column("a frame")
        return dataclasses.replace(table.columns[0], name=name)
    if isinstance(y, (list, tuple)) and not any(
        hasattr(each, "__len__") and not isinstance(each, str) for each in y[:1]
    ):
        return coding.raw_from_values(name, y)
    if isinstance(y, (str, bytes, dict)) or not (hasattr(y, "__len__") or hasattr(y, "__array__")):
        raise InputError(f"y must be an array with one value per row, got {type(y).__name__}.")
    array = arrays.as_base_array(y)
    if array.ndim == 2 and array.shape[1] == 1:
        _warn_about_column(f"shape {array.shape}")
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(f"y must be a 1d array, got shape {array.shape}.", shape=array.shape)
    return arrays.raw_column(name, array)


def _warn_about_column(got: str) -> None:
    warnings.warn(
        f"A column-vector y was passed when a 1d array was expected, got {got}. Pass y.ravel() or the column itself.",
        HornbeamWarning,
        stacklevel=4,
    )


def reject_continuous(raw: RawColumn) -> None:
    """Raise an error if a class target contains fractions."""
    values = raw.numbers
    if values is None:
        return
    known = values[~np.isnan(values)]
    if np.isinf(known).any():
        row = int(np.argmax(np.isinf(values)))
        raise InputError(f"The target must be finite, got {values[row]} in row {row}.", row=row)
    if (known != np.floor(known)).any():
        row = int(np.argmax((values != np.floor(values)) & ~np.isnan(values)))
        raise InputError(
            f"Unknown label type: the target looks continuous, {len(np.unique(known))} distinct of {len(known)}, "
            f"{values[row]!s} in row {row}; classes must be integers, texts or true / false.",
            hint="Grow a regression tree, or convert the numbers to classes.",
            row=row,
        )


def reject_infinite_target(column: Column) -> None:
    """Raise an error if a numeric target is infinite in any row."""
    try:
        reject_infinite(column)
    except InputError as error:
        row = error.details["row"]
        raise InputError(f"The target must be finite, got {column.values[row]} in row {row}.", row=row) from None


def drop_unused_levels(column: Column) -> Column:
    """A column with levels, without those that no row has."""
    is_used = np.bincount(column.values + 1, minlength=len(column.levels) + 1)[1:] > 0
    if is_used.all():
        return column
    lookup = np.full(len(column.levels) + 1, MISSING, dtype=np.int32)
    lookup[:-1][is_used] = np.arange(int(is_used.sum()), dtype=np.int32)
    levels = tuple(level for level, used in zip(column.levels, is_used.tolist()) if used)
    return dataclasses.replace(column, values=lookup[column.values], levels=levels)
