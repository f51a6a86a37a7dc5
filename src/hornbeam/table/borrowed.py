"""How is a column made without copying its numbers?  It looks at them where they lie, and makes doubles when asked.

A matrix of rows in single or double precision keeps the numbers of a column some way apart. The core reads them there
(`source`), so that a tree is grown beside the matrix alone; whatever asks for `values` gets the same numbers as doubles
in a row, made once. The owner must not change them meanwhile.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column
from hornbeam.table.raw import Extent

_ROWS_AT_A_TIME = 64
# Numbers of a column that lie farther apart are fetched so slowly that a copy is worth its memory.
_FARTHEST = 512


class BorrowedColumn(Column):
    """A numeric column whose numbers lie in someone else's array."""

    _source: npt.NDArray[Any]

    def __post_init__(self) -> None:
        source = self.__dict__.pop("values").view()
        source.flags.writeable = False
        object.__setattr__(self, "_source", source)

    @property
    def source(self) -> npt.NDArray[Any]:
        """The numbers where they lie."""
        return self._source

    @functools.cached_property
    def values(self) -> npt.NDArray[Any]:
        """The numbers as doubles in a row."""
        values = np.ascontiguousarray(self._source, dtype=np.float64)
        values.flags.writeable = False
        return values


def can_borrow(array: npt.NDArray[Any]) -> bool:
    """Whether columns should look at an array's own numbers: of a precision that the core reads, and near enough."""
    is_plain = type(array) is np.ndarray and array.dtype in (np.float32, np.float64) and array.flags.aligned
    return is_plain and len(array) > 0 and abs(array.strides[0]) <= _FARTHEST


def extents(array: npt.NDArray[Any]) -> list[Extent]:
    """The lowest and the highest number of every column; NaN where some are missing."""
    n, width = array.shape
    whole = n // _ROWS_AT_A_TIME * _ROWS_AT_A_TIME
    ends = []
    for take in (np.minimum, np.maximum):
        if array.flags.c_contiguous and whole:
            # Many rows side by side are compared at once; one row at a time would cost a call each.
            folded = take.reduce(array[:whole].reshape(-1, _ROWS_AT_A_TIME * width), axis=0)
            parts = np.concatenate([folded.reshape(-1, width), array[whole:]])
            ends.append(take.reduce(parts, axis=0))
        else:
            ends.append(take.reduce(array, axis=0))
    return list(zip(*(end.astype(np.float64).tolist() for end in ends), strict=True))
