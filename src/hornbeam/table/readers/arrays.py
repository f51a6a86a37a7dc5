"""Converts NumPy arrays of any memory layout, byte order or precision to raw columns, by one transposed copy.

    2-D numbers        one float64 column each, names x0, x1, ...
    bool               values False and True
    structured         one column per field; a field of several numbers becomes several columns
    masked             masked values are missing
    text, objects      distinct values and codes
    sparse (scipy)     converted to a dense array, with a note, if the size is within a limit

Integers beyond 2^53 that float64 would round stay integers, as distinct values. The array is copied, so that it may
change later; with `borrow=True` an array of floats is read in place instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr
from hornbeam.table import coding, days
from hornbeam.table.borrowed import can_borrow, extents
from hornbeam.table.column import MISSING
from hornbeam.table.memory import format_bytes, require_memory
from hornbeam.table.names import checked_names, default_names
from hornbeam.table.number_grammar import LARGEST_EXACT
from hornbeam.table.raw import RawColumn, RawTable

DENSE_LIMIT = 2**30
_BLOCK_ROWS = 1024


def raw(source: Any, names: tuple[str, ...] | None = None, *, borrow: bool = False) -> RawTable:
    """The raw table of a 2-D or structured array; `borrow`: floats are not copied."""
    notes: tuple[str, ...] = ()
    if is_sparse(source):
        source, notes = densify(source)
    array = as_base_array(source)
    if array.dtype.names is not None:
        return RawTable(structured_columns(array), "array", notes)
    if array.ndim != 2:
        _reject_shape(array)
    if array.shape[1] == 0:
        raise InputError(f"X has 0 columns: 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    names = names or default_names(array.shape[1])
    columns = borrowed_columns(array, names) if borrow and can_borrow(array) else columns_of(array, names)
    return RawTable(columns, "array", notes)


def as_base_array(source: Any) -> npt.NDArray[Any]:
    """The source as a base (or masked) array; an error if it cannot be converted or reports a wrong shape."""
    if type(source) is np.ndarray or isinstance(source, np.ma.MaskedArray):
        return source
    try:
        array = np.asarray(source)
    except Exception as error:
        raise InputError(f"Cannot convert {type(source).__name__} to an array: {error}") from error
    shape = getattr(source, "shape", array.shape)
    if isinstance(source, np.ndarray) and tuple(shape) != array.shape:
        raise InputError(f"The array reports the shape {shape}, but its shape is {array.shape}.")
    return array


def _reject_shape(array: npt.NDArray[Any]) -> None:
    hint = ""
    if array.ndim == 1:
        hint = "Reshape your data: X.reshape(-1, 1) for a single column, X.reshape(1, -1) for a single row."
    raise InputError(
        f"Data must have two dimensions, rows and columns, got shape {array.shape}.", hint=hint, shape=array.shape
    )


def is_sparse(source: Any) -> bool:
    """Whether this is a sparse matrix of scipy; scipy is not imported for it."""
    return type(source).__module__.startswith("scipy.sparse") and hasattr(source, "toarray")


def densify(source: Any) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    """A sparse matrix as a dense array, which must be at most a gigabyte, and the note with its size."""
    rows, columns = source.shape
    size = rows * columns * 8
    what = f"The sparse matrix of {rows} rows and {columns} columns as a dense array"
    require_memory(size, what, "Select the columns that matter, or pass a dense array.", limit=DENSE_LIMIT)
    return source.toarray(), (
        f"sparse matrix ({type(source).__name__}) converted to a dense array of {format_bytes(size)}",
    )


def structured_columns(array: npt.NDArray[Any]) -> tuple[RawColumn, ...]:
    """One column per field."""
    if array.ndim != 1:
        raise InputError(f"A structured array must have one dimension, got shape {array.shape}.", shape=array.shape)
    names: list[str] = []
    values: list[Any] = []
    for field in array.dtype.names or ():
        block = array[field]
        flat = block.reshape(len(block), -1)
        names += [f"{field}_{index}" for index in range(flat.shape[1])] if block.ndim > 1 else [field]
        values += [flat[:, index] for index in range(flat.shape[1])]
    return tuple(raw_column(name, each) for name, each in zip(checked_names(names), values))


def borrowed_columns(array: npt.NDArray[Any], names: tuple[str, ...]) -> tuple[RawColumn, ...]:
    """The columns of a two-dimensional array, as views."""
    return tuple(
        RawColumn(name, array[:, index], is_borrowed=True, extent=extent)
        for index, (name, extent) in enumerate(zip(names, extents(array), strict=True))
    )


def columns_of(array: npt.NDArray[Any], names: tuple[str, ...]) -> tuple[RawColumn, ...]:
    """The columns of a two-dimensional array."""
    if array.dtype.kind in "fiu" and not isinstance(array, np.ma.MaskedArray):
        block = as_float64(array)
        if block is not None:
            return tuple([RawColumn(name, block[index]) for index, name in enumerate(names)])
    return tuple(raw_column(name, array[:, index]) for index, name in enumerate(names))


def as_float64(array: npt.NDArray[Any]) -> npt.NDArray[np.float64] | None:
    """A transposed float64 copy, or None if that would change a value."""
    require_memory(array.size * 8, f"A copy of the {' x '.join(map(str, array.shape))} array")
    block = np.empty(array.shape[::-1])
    with np.errstate(over="ignore"):
        # In blocks of rows, so that source and destination stay in the cache.
        for start in range(0, len(array), _BLOCK_ROWS):
            block[..., start : start + _BLOCK_ROWS] = array[start : start + _BLOCK_ROWS].T
    if array.dtype.kind in "iu":
        return block if array.dtype.itemsize < 8 or _is_exact(array) else None
    if array.dtype.itemsize > 8 and not np.array_equal(np.isinf(block), np.isinf(array.T)):
        return None
    return block


def _is_exact(array: npt.NDArray[Any]) -> bool:
    """Whether 64-bit integers are exact as float64."""
    if not array.size or (array.max() <= LARGEST_EXACT and array.min() >= -LARGEST_EXACT):
        return True
    far = array[(array > LARGEST_EXACT) | (array < -LARGEST_EXACT)]
    return all(int(float(value)) == value for value in np.unique(far).tolist())


def raw_column(name: str, values: npt.NDArray[Any]) -> RawColumn:
    """A one-dimensional array as a raw column."""
    mask = None
    if isinstance(values, np.ma.MaskedArray):
        mask, values = np.ma.getmaskarray(values), np.asarray(values.data)
    kind = values.dtype.kind
    if kind in "fiu":
        column = _raw_numbers(name, values, mask)
    elif kind == "b":
        column = RawColumn(name, codes=values.astype(np.int32), distinct=(False, True))
    elif kind in "Mm":
        column = _raw_times(name, values)
    elif kind in "OUT":
        objects = values if mask is None else values.astype(object)
        if mask is not None:
            objects[mask] = None
        return coding.raw_from_values(name, objects.tolist())
    else:
        _reject_dtype(name, values.dtype)
    return column if mask is None else _masked(column, mask)


def _raw_numbers(name: str, values: npt.NDArray[Any], mask: npt.NDArray[np.bool_] | None) -> RawColumn:
    if mask is not None:
        values = np.where(mask, values.dtype.type(0), values)
    block = as_float64(values)
    if block is not None:
        return RawColumn(name, block)
    if values.dtype.kind == "f":
        row = int(np.argmax(np.isfinite(values) & (np.abs(values) > np.finfo(np.float64).max)))
        raise InputError(
            f"Column {short_repr(name)}, row {row}, is out of the range of float64: {values[row]!s}.",
            column=name,
            row=row,
        )
    distinct, codes = coding.distinct_sorted(values)
    return RawColumn(name, codes=codes.astype(np.int32, copy=False), distinct=tuple(distinct.tolist()))


def _raw_times(name: str, values: npt.NDArray[Any]) -> RawColumn:
    """Dates and durations as days."""
    is_date = values.dtype.kind == "M"
    exact = values.astype("datetime64[us]" if is_date else "timedelta64[us]")
    numbers = days.days_from_microseconds(exact.astype(np.int64))
    numbers[np.isnat(values)] = np.nan
    return RawColumn(name, numbers, notes=(days.NOTE_DATES if is_date else days.NOTE_DURATIONS,))


def _masked(column: RawColumn, mask: npt.NDArray[np.bool_]) -> RawColumn:
    if column.numbers is not None:
        return RawColumn(column.name, np.where(mask, np.nan, column.numbers), notes=column.notes)
    codes: Any = column.codes
    return RawColumn(
        column.name, codes=np.where(mask, MISSING, codes).astype(np.int32), distinct=column.distinct, notes=column.notes
    )


def _reject_dtype(name: str, dtype: np.dtype[Any]) -> None:
    known = {
        "c": ("Complex data not supported", "Use the real part, the size or the angle as columns of their own."),
        "S": ("Bytes are not text", 'Decode them first: numpy.char.decode(values, "utf-8").'),
    }
    reason, hint = known.get(dtype.kind, ("Values of this type are not supported", "Convert them to numbers or text."))
    raise InputError(f"{reason}: column {short_repr(name)} has dtype {dtype}.", hint=hint, column=name)
