"""The columns of pieces as boosting uses them: bins that no training row has are no bins of their own.

A table in memory is binned by its training rows. So that cuts are the same, values that only held-out rows have are
merged with the bin that a cut between the values of training rows puts them in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.parts.searches.sorted_cuts import midpoint
from hornbeam.scale.binned import BinnedColumn
from hornbeam.table.column import Kind

_KINDS = {Kind.NUMERIC: 0, Kind.ORDINAL: 1, Kind.NOMINAL: 2}


def core_columns(columns: Sequence[BinnedColumn], has_code: Sequence[npt.NDArray[np.bool_]]) -> list[tuple[Any, ...]]:
    """Per column: its kind, the lowest and highest value of every bin, the bin of every code, the number of levels."""
    return [_core_column(column, flags[:-1]) for column, flags in zip(columns, has_code, strict=True)]


def _core_column(column: BinnedColumn, present: npt.NDArray[np.bool_]) -> tuple[Any, ...]:
    low, high, n = column.low, column.high, len(column.low)
    bins = np.arange(n)
    is_single = column.kind is Kind.NUMERIC and bool((low == high).all())
    if is_single and not present.all():
        values = low[present]
        cuts = np.array([midpoint(a, b) for a, b in zip(values[:-1].tolist(), values[1:].tolist(), strict=True)])
        bins = np.searchsorted(cuts, low, side="left") if len(values) else np.zeros(n, dtype=np.int64)
        low = high = values
    bin_of = np.append(bins, len(low)).astype(np.uint32)
    numbers = [np.ascontiguousarray(each, dtype=np.float64) for each in (low, high)]
    return (_KINDS[column.kind], *numbers, bin_of, len(column.levels))
