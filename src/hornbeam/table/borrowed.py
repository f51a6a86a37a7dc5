"""BorrowedColumn: a numeric column that is a read-only view of an array of the caller.

In a C-ordered matrix of float32 or float64 values, the values of a column have a stride. The compiled core reads them
in place (`source`), so that growing a tree needs no copy of the matrix. `values` converts them to a contiguous float64
array on first access. The caller must not change the array while the column is in use.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column, Kind
from hornbeam.table.raw import Extent
from hornbeam.table.text_format import TextFormat

_BLOCK_ROWS = 64
# Reading values with a larger stride is so slow that a copy is worth its memory.
_MAX_STRIDE = 512


class BorrowedColumn(Column):
    """A numeric column whose values are stored in an array of the caller."""

    _source: npt.NDArray[Any]

    def __init__(
        self,
        name: str,
        kind: Kind,
        values: npt.NDArray[Any],
        levels: tuple[Any, ...] = (),
        why: str = "",
        notes: tuple[str, ...] = (),
        known_complete: bool = False,
        text_format: TextFormat | None = None,
    ) -> None:
        source = values.view()
        source.flags.writeable = False
        attributes: dict[str, Any] = {
            "name": name,
            "kind": kind,
            "_source": source,
            "levels": levels,
            "why": why,
            "notes": notes,
            "text_format": text_format,
        }
        if known_complete:
            attributes["has_missing"] = False
        for attribute, value in attributes.items():
            object.__setattr__(self, attribute, value)

    @property
    def source(self) -> npt.NDArray[Any]:
        """The view of the caller's array."""
        return self._source

    @functools.cached_property
    def values(self) -> npt.NDArray[Any]:
        """The values as a contiguous float64 array, converted on first access."""
        values = np.ascontiguousarray(self.source, dtype=np.float64)
        values.flags.writeable = False
        return values


def can_borrow(array: npt.NDArray[Any]) -> bool:
    """Whether the core can read the columns of an array in place: float32 or float64, with a small stride."""
    is_readable = type(array) is np.ndarray and array.dtype in (np.float32, np.float64) and array.flags.aligned
    return is_readable and len(array) > 0 and abs(array.strides[0]) <= _MAX_STRIDE


def extents(array: npt.NDArray[Any]) -> list[Extent]:
    """The minimum and the maximum of every column; NaN where a value is missing."""
    n, width = array.shape
    n_folded = n // _BLOCK_ROWS * _BLOCK_ROWS
    ends = []
    for reduce in (np.minimum.reduce, np.maximum.reduce):
        if array.flags.c_contiguous and n_folded:
            # Blocks of rows are reduced together; one row at a time would cost one call per row.
            folded = reduce(array[:n_folded].reshape(-1, _BLOCK_ROWS * width), axis=0)
            rest = np.concatenate([folded.reshape(-1, width), array[n_folded:]])
            ends.append(reduce(rest, axis=0))
        else:
            ends.append(reduce(array, axis=0))
    return list(zip(*(end.astype(np.float64).tolist() for end in ends), strict=True))
