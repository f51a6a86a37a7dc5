"""A table in memory as binned data: for tests, and for growth on the same bins as from files."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.scale.binned import BinnedColumn, BinnedData, BinnedTarget, Floats, MemoryPiece, bin_means
from hornbeam.table.column import Column, Kind
from hornbeam.table.table import Table

_MOST_CODES = 65_535


def binned_in_memory(table: Table, bins: int = 255, cuts: Sequence[int] | None = None) -> BinnedData:
    """The table as bins, divided into pieces at the rows of `cuts`.

    A numeric column has one bin per distinct value if there are at most `bins`, else `bins` bins of about equal weight
    (`binned_cuts.py`).
    """
    if table.target is None or table.target.has_missing:
        raise InputError("Binned data require a target without missing values.")
    weights = table.row_weights
    binned = [_binned(column, weights, bins) for column in table.columns]
    target = table.target
    is_class = target.kind is not Kind.NUMERIC
    values = target.values.astype(np.uint16) if is_class else target.values
    edges = [0, *(cuts or ()), len(table)]
    pieces = tuple(
        MemoryPiece(
            end - begin,
            begin,
            tuple(np.ascontiguousarray(codes[begin:end]) for _, codes in binned),
            values[begin:end],
            None if table.weights is None else table.weights[begin:end],
        )
        for begin, end in itertools.pairwise(edges)
    )
    limits = {} if is_class else {"minimum": float(values.min()), "maximum": float(values.max())}
    described = BinnedTarget(target.name, target.kind, target.levels, **limits)
    return BinnedData(tuple(column for column, _ in binned), described, len(table), float(weights.sum()), pieces)


def _binned(column: Column, weights: Floats, bins: int) -> tuple[BinnedColumn, npt.NDArray[Any]]:
    values, missing = column.values, column.is_missing
    if column.kind is not Kind.NUMERIC:
        low = high = np.arange(len(column.levels), dtype=np.float64)
        middle = None
        codes = np.where(missing, len(low), values)
    else:
        distinct, place = np.unique(values[~missing] + 0.0, return_inverse=True)
        total: Floats = np.zeros(0)
        if len(distinct):
            total = np.bincount(place, weights[~missing], minlength=len(distinct)).astype(np.float64)
        bin_of = np.arange(len(distinct))
        if len(distinct) > bins:
            below = np.cumsum(total) - total
            _, bin_of = np.unique(np.floor(bins * below / total.sum()), return_inverse=True)
        first = np.flatnonzero(np.diff(bin_of, prepend=-1))
        last = np.flatnonzero(np.diff(bin_of, append=len(distinct)))
        low, high = distinct[first], distinct[last]
        is_exact = len(low) == len(distinct)
        middle = None if is_exact else bin_means(bin_of, distinct, total, len(low))
        codes = np.full(len(values), len(low))
        codes[~missing] = bin_of[place]
    if len(low) > _MOST_CODES:
        raise InputError(f"Column {column.name!r} has {len(low)} levels; at most {_MOST_CODES} are supported.")
    described = BinnedColumn(column.name, column.kind, column.levels, low, high, middle)
    return described, codes.astype(described.dtype)
