"""Converts pandas frames to raw columns without another library: numbers, text, categories and numbers with gaps.

The cells of a short frame, such as one row to predict, are converted in one step: a series per column takes longer.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr
from hornbeam.table import coding
from hornbeam.table.column import Kind
from hornbeam.table.names import checked_names
from hornbeam.table.number_grammar import LARGEST_EXACT
from hornbeam.table.raw import RawColumn, RawTable, column_or_error
from hornbeam.table.readers import arrays

Other = Callable[[str, Any], RawColumn]

_FEW_ROWS = 64
_MASKED_NUMBERS = frozenset(f"{sign}Int{bits}Dtype" for sign in ("", "U") for bits in (8, 16, 32, 64)) | {
    "Float64Dtype"
}


def raw(frame: Any, other: Other) -> RawTable:
    """The raw table of a frame; `other` converts the columns of types that are not listed above."""
    if frame.columns.nlevels > 1:
        raise InputError(
            f"The header of the frame must have one level, got {frame.columns.nlevels}.",
            hint='Flatten it first: frame.columns = ["_".join(map(str, name)) for name in frame.columns].',
        )
    names = checked_names(frame.columns.tolist())
    dtypes = frame.dtypes.tolist()
    if len(set(dtypes)) == 1 and isinstance(dtypes[0], np.dtype) and dtypes[0].kind in "fiu":
        return RawTable(arrays.columns_of(frame.to_numpy(), names), "pandas frame")
    if 0 < len(frame) <= _FEW_ROWS:
        return RawTable(_few_rows(frame, names, dtypes, other), "pandas frame")
    columns = tuple(
        [
            column_or_error(name, len(frame), functools.partial(other, name, series))
            for name, (_, series) in zip(names, frame.items())
        ]
    )
    return RawTable(columns, "pandas frame")


def _few_rows(frame: Any, names: Sequence[str], dtypes: Sequence[Any], other: Other) -> tuple[RawColumn, ...]:
    """The columns of a short frame; one conversion of all cells takes less time than a series per column."""
    cells = frame.to_numpy(dtype=object)
    floats = [index for index, dtype in enumerate(dtypes) if dtype == np.float64]
    block = np.ascontiguousarray(cells[:, floats].astype(np.float64).T)
    found = {index: RawColumn(names[index], block[at]) for at, index in enumerate(floats)}
    for index, dtype in enumerate(dtypes):
        if index in found:
            continue
        if isinstance(dtype, np.dtype) and dtype.kind in "fiubO":
            values = cells[:, index].astype(dtype)
            found[index] = column_or_error(
                names[index], len(frame), functools.partial(arrays.raw_column, names[index], values)
            )
        else:
            column = _from_cells(names[index], dtype, cells[:, index].tolist())
            found[index] = column or column_or_error(
                names[index], len(frame), functools.partial(other, names[index], frame.iloc[:, index])
            )
    return tuple([found[index] for index in range(len(names))])


def _from_cells(name: str, dtype: Any, cells: list[Any]) -> RawColumn | None:
    """A column of text, categories, or numbers with gaps, from its cells; None for other types."""
    type_name = type(dtype).__name__
    known = [not coding.is_missing(cell) for cell in cells]
    if type_name == "CategoricalDtype":
        levels = dtype.categories.tolist()
        codes = [levels.index(cell) if is_known else -1 for cell, is_known in zip(cells, known)]
        return category_column(name, np.array(codes, dtype=np.int32), tuple(levels), dtype.ordered)
    if type_name == "BooleanDtype":
        codes = [int(cell) if is_known else -1 for cell, is_known in zip(cells, known)]
        return RawColumn(name, codes=np.array(codes, dtype=np.int32), distinct=(False, True))
    if type_name == "StringDtype":
        code_of: dict[Any, int] = {}
        codes = [code_of.setdefault(cell, len(code_of)) if is_known else -1 for cell, is_known in zip(cells, known)]
        return RawColumn(name, codes=np.array(codes, dtype=np.int32), distinct=tuple(code_of))
    if type_name in _MASKED_NUMBERS:
        numbers = [cell if is_known else None for cell, is_known in zip(cells, known)]
        if all(number is None or abs(number) <= LARGEST_EXACT for number in numbers):
            return RawColumn(name, np.array(numbers, dtype=np.float64))
    return None


def raw_series(name: str, series: Any) -> RawColumn | None:
    """A series of a type that pandas converts itself: numbers, text and categories; None for other types."""
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return arrays.raw_column(name, series.to_numpy())
    type_name = type(dtype).__name__
    if type_name == "StringDtype":
        codes, distinct = series.factorize()
        return RawColumn(name, codes=codes.astype(np.int32), distinct=tuple(distinct.tolist()))
    if type_name == "CategoricalDtype":
        array = series if type(series).__name__ == "Categorical" else series.array
        return category_column(name, array.codes.astype(np.int32), tuple(dtype.categories.tolist()), dtype.ordered)
    if type_name == "SparseDtype":
        return arrays.raw_column(name, np.asarray(series))
    if type_name in ("IntervalDtype", "PeriodDtype"):
        raise InputError(
            f"Column {short_repr(name)} has dtype {dtype}, which is not supported.",
            hint="Use its ends, its middle or its start as numbers or dates.",
            column=name,
        )
    return None


def category_column(
    name: str, codes: npt.NDArray[np.int32], distinct: tuple[Any, ...], is_ordered: bool | None
) -> RawColumn:
    """A column of codes into categories; ordered categories declare their order."""
    if is_ordered:
        return RawColumn(name, None, codes, distinct, Kind.ORDINAL, distinct)
    return RawColumn(name, None, codes, distinct, Kind.NOMINAL)
