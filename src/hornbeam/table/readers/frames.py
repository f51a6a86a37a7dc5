"""Converts data frames to raw columns: pandas, polars, pyarrow and all libraries that narwhals supports.

    numbers            float64; null, NA and NaN are missing; integers stay exact
    text               codes by the hash tables of the frame library
    category           declared nominal, unused levels dropped; an ordered one declared ordinal, all levels kept
    dates, durations   days
    times of day       text
    object             value by value; mixed value types are an error
    nested, binary     an error with the name of the column

A frame that supports only Arrow's C stream or the `__dataframe__` protocol is read through pyarrow. Index labels are
ignored.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr
from hornbeam.table import coding, days
from hornbeam.table.column import Kind
from hornbeam.table.level_values import merged
from hornbeam.table.names import checked_names
from hornbeam.table.number_grammar import LARGEST_EXACT
from hornbeam.table.raw import RawColumn, RawTable, column_or_error
from hornbeam.table.readers import arrow_values, pandas_frames

_KNOWN = ("pandas", "polars", "pyarrow", "modin", "cudf", "narwhals", "duckdb", "dask", "ibis", "pyspark", "sqlframe")


def _library(source: Any) -> str:
    return type(source).__module__.partition(".")[0]


def is_frame(source: Any) -> bool:
    """Whether this is a data frame; no frame library is imported for it."""
    if (
        hasattr(source, "__dataframe__")
        or hasattr(source, "__arrow_c_stream__")
        or hasattr(source, "__arrow_c_array__")
    ):
        return not is_series(source)
    return _library(source) in _KNOWN and hasattr(type(source), "columns")


def is_series(source: Any) -> bool:
    """Whether this is one column of a frame library."""
    return (
        _library(source) in _KNOWN
        and (
            type(source).__name__ in ("Series", "Index", "ChunkedArray", "Categorical") or hasattr(source, "to_pylist")
        )
        and not hasattr(source, "column_names")
    )


def raw(source: Any) -> RawTable:
    """The raw table of a data frame."""
    if _library(source) == "pandas":
        return pandas_frames.raw(source, raw_series)
    import narwhals.stable.v2 as nw

    native = nw.to_native(source, pass_through=True)
    if _library(native) == "pandas":
        return pandas_frames.raw(native, raw_series)
    if type(native).__name__ == "RecordBatch" and _library(native) == "pyarrow":
        native = sys.modules["pyarrow"].Table.from_batches([native])
    if hasattr(native, "column_names"):
        checked_names(native.column_names)
    frame: Any = nw.from_native(native, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        frame = nw.from_native(_through_arrow(native))
    names = checked_names(frame.columns)
    columns = tuple(
        column_or_error(name, len(frame), functools.partial(_decoded, name, _from_series, frame[column]))
        for name, column in zip(names, frame.columns)
    )
    return RawTable(columns, f"{_library(nw.to_native(frame))} frame")


def _through_arrow(source: Any) -> Any:
    """A frame of an unknown library as a pyarrow table."""
    try:
        import pyarrow
        import pyarrow.interchange
    except ImportError as error:
        raise InputError(
            f"Reading a {type(source).__name__} of the library {_library(source)} requires pyarrow.",
            hint="Install pyarrow, or pass a pandas or polars frame.",
        ) from error
    try:
        if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
            return pyarrow.table(source)
        return pyarrow.interchange.from_dataframe(source)
    except Exception as error:
        raise InputError(f"Cannot read {type(source).__name__} as a data frame: {error}") from error


def raw_series(name: str, series: Any) -> RawColumn:
    """One series (of pandas, polars, pyarrow or narwhals) as a raw column."""
    return _decoded(name, _raw_series, series)


def _decoded(name: str, read: Callable[[str, Any], RawColumn], series: Any) -> RawColumn:
    """The column of a series; texts that are not UTF-8 are an error. Arrow notices as they become Python values."""
    try:
        return read(name, series)
    except UnicodeDecodeError as error:
        raise InputError(
            f"Column {short_repr(name)} has a text that is not UTF-8: {short_repr(error.object)}.",
            hint="Decode it before, or drop the column.",
            column=name,
        ) from None


def _raw_series(name: str, series: Any) -> RawColumn:
    if _library(series) == "pandas":
        found = pandas_frames.raw_series(name, series)
        if found is not None:
            return found
    import narwhals.stable.v2 as nw

    if _library(series) == "pyarrow" and type(series).__name__ != "ChunkedArray":
        series = sys.modules["pyarrow"].chunked_array([series])
    elif type(series).__name__ in ("Index", "Categorical") and _library(series) == "pandas":
        series = sys.modules["pandas"].Series(series)
    return _from_series(name, nw.from_native(series, series_only=True))


def _from_series(name: str, series: Any) -> RawColumn:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype.is_integer():
        return _integers(name, series)
    if dtype.is_float():
        return RawColumn(name, _floats(series))
    if dtype == nw.Boolean:
        numbers = _floats(series.cast(nw.Int8))
        codes = np.where(np.isnan(numbers), -1, numbers).astype(np.int32)
        return RawColumn(name, codes=codes, distinct=(False, True))
    if dtype in (nw.Categorical, nw.Enum):
        return _category(name, series, is_ordered=_is_ordered(series, dtype == nw.Enum))
    if dtype == nw.String:
        codes, distinct = _hashed(series)
        return RawColumn(name, codes=codes, distinct=distinct)
    if dtype in (nw.Datetime, nw.Date):
        return RawColumn(name, _days(series.dt.timestamp("us")), notes=(days.NOTE_DATES,))
    if dtype == nw.Duration:
        return RawColumn(name, _days(series.dt.total_microseconds()), notes=(days.NOTE_DURATIONS,))
    if dtype == nw.Time:
        return coding.raw_from_values(name, [None if time is None else str(time) for time in series.to_list()])
    if dtype in (nw.Decimal, nw.Object) or str(dtype) in ("Int128", "UInt128"):
        return coding.raw_from_values(name, series.to_list())
    if str(dtype) == "Unknown" and series.null_count() == len(series):
        return RawColumn(name, np.full(len(series), np.nan))
    return _reject(name, series)


def _reject(name: str, series: Any) -> RawColumn:
    rows = np.flatnonzero(~np.asarray(series.is_null().to_numpy(), dtype=np.bool_))
    row = int(rows[0]) if len(rows) else 0
    hint = (
        "Decode it to text first." if str(series.dtype) == "Binary" else "Flatten it into simple columns, or drop it."
    )
    raise InputError(
        f"Column {short_repr(name)}, row {row}, has the type {series.dtype}, which is not supported.",
        hint=hint,
        column=name,
        row=row,
    )


def _floats(series: Any) -> npt.NDArray[np.float64]:
    """The values as float64, null as NaN; a copy unless the frame is immutable."""
    import narwhals.stable.v2 as nw

    if series.dtype != nw.Float64:
        series = series.cast(nw.Float64)
    native = nw.to_native(series)
    if _library(native) == "pyarrow":
        return arrow_values.floats(native)
    values = series.to_numpy()
    if values.dtype != np.float64:
        return np.array([np.nan if coding.is_missing(value) else value for value in values.tolist()], dtype=np.float64)
    return np.array(values) if _library(native) == "pandas" else np.asarray(values)


def _integers(name: str, series: Any) -> RawColumn:
    import narwhals.stable.v2 as nw

    low, high = (series.min(), series.max()) if series.dtype in (nw.Int64, nw.UInt64) else (0, 0)
    if low is None or coding.is_missing(low) or (low >= -LARGEST_EXACT and high <= LARGEST_EXACT):
        return RawColumn(name, _floats(series))
    return coding.raw_from_values(name, series.to_list())


def _days(microseconds: Any) -> npt.NDArray[np.float64]:
    is_null = np.asarray(microseconds.is_null().to_numpy(), dtype=np.bool_)
    values = np.asarray(microseconds.fill_null(0).to_numpy()).astype(np.int64)
    return np.where(is_null, np.nan, days.days_from_microseconds(values))


def _hashed(series: Any) -> tuple[npt.NDArray[np.int32], tuple[Any, ...]]:
    """Codes and distinct values by the hash tables of the frame library."""
    import narwhals.stable.v2 as nw

    native = nw.to_native(series)
    if _library(native) == "pandas":
        codes, distinct = native.factorize()
        return codes.astype(np.int32), tuple(distinct.tolist())
    if _library(native) == "pyarrow":
        return _dictionary(native.combine_chunks().dictionary_encode())
    unique = tuple(series.drop_nulls().unique().to_list())
    is_null = np.asarray(series.is_null().to_numpy(), dtype=np.bool_)
    if not unique:
        return np.full(len(series), -1, dtype=np.int32), ()
    filled = series.fill_null(unique[0]) if is_null.any() else series
    codes = filled.replace_strict(list(unique), list(range(len(unique))), return_dtype=nw.Int32).to_numpy()
    return np.where(is_null, np.int32(-1), codes), unique


def _dictionary(encoded: Any) -> tuple[npt.NDArray[np.int32], tuple[Any, ...]]:
    """Codes and different values of an Arrow dictionary array, whose own values may be equal or null."""
    return merged(encoded.dictionary.to_pylist(), arrow_values.integers(encoded.indices, -1))


def _is_ordered(series: Any, is_enum: bool) -> bool:
    import narwhals.stable.v2 as nw

    native = _as_arrow(nw.to_native(series))
    if _library(native) == "pandas":
        return bool(getattr(native.dtype, "ordered", False))
    if _library(native) == "pyarrow":
        return bool(native.type.ordered)
    return is_enum


def _as_arrow(native: Any) -> Any:
    """The Arrow array of a pandas series of an Arrow dictionary; other series unchanged."""
    if _library(native) == "pandas" and not hasattr(native.dtype, "categories"):
        import pyarrow as pa

        return pa.chunked_array(native.array.__arrow_array__())
    return native


def _category(name: str, series: Any, is_ordered: bool) -> RawColumn:
    import narwhals.stable.v2 as nw

    native = _as_arrow(nw.to_native(series))
    if _library(native) == "pandas":
        codes, distinct = native.cat.codes.to_numpy().astype(np.int32), tuple(native.cat.categories.tolist())
    elif _library(native) == "pyarrow":
        if native.type.value_type.num_fields:
            return _reject(name, series)
        codes, distinct = _dictionary(native.unify_dictionaries().combine_chunks())
    else:
        codes, distinct = _hashed(series.cast(nw.String))
        if is_ordered:
            return RawColumn(name, None, codes, distinct, Kind.ORDINAL, tuple(series.cat.get_categories().to_list()))
    return pandas_frames.category_column(name, codes, distinct, is_ordered)
