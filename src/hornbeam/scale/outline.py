"""The outline of a binned table: a table of a few rows that has its columns, levels, classes and class weights.

A method is checked and translated for the core by the code that does it for a table in memory; the outline stands for
the table there. A column with missing values has one in the outline.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData, prepare
from hornbeam.parts.searches.sorted_cuts import SortedCuts
from hornbeam.scale.binned import BinnedColumn, BinnedData, Floats
from hornbeam.table.column import MISSING, Column, ColumnSpec, Kind
from hornbeam.table.table import Schema, Table


def outline(data: BinnedData, class_weights: Floats, has_missing: Sequence[bool]) -> Table:
    """A table of up to two rows per class, or per end of the range of numbers; the second has the missing values."""
    target = data.target
    if target.kind is Kind.NUMERIC:
        values, weights = np.array([target.minimum, target.maximum]), np.full(2, float(class_weights.sum()) / 2)
    else:
        values = np.flatnonzero(class_weights > 0).astype(np.int32)
        weights = class_weights[values]
    # Weights are multiples of a power of two, and so are both parts of each.
    unit = 2.0 ** (int(np.frexp(weights.sum())[1]) - 52)
    second = np.floor(weights / unit / 2) * unit
    weights = np.concatenate([weights - second, second])
    rows = np.flatnonzero(weights > 0)
    columns = (
        _outline(column, len(values), missing) for column, missing in zip(data.columns, has_missing, strict=True)
    )
    target_values = np.concatenate([values, values])
    table = Table(tuple(columns), Column(target.name, target.kind, target_values, target.levels), weights)
    return table.take(rows)


def _outline(column: BinnedColumn, n: int, has_missing: bool) -> Column:
    is_numeric = column.kind is Kind.NUMERIC
    absent = np.nan if is_numeric else MISSING
    known = column.low[0] if len(column.low) else absent
    cells = np.repeat([known, absent if has_missing else known], n)
    return Column(column.name, column.kind, cells.astype(np.float64 if is_numeric else np.int32), column.levels)


def prepared_outline(table: Table, method: Method, *, seed: int, tree: int = 0) -> PreparedData:
    """The method prepared for the outline, whose weights already include those of classes.

    A bin is a value to the core, so cuts between bins are translated as cuts between values.
    """
    searches = tuple(SortedCuts() if search.name == "binned_cuts" else search for search in method.searches)
    given = dataclasses.replace(method, class_weight=None, weights="frequency", searches=searches)
    return prepare(table, given, seed=seed, tree=tree)


def with_parts_of(start: PreparedData, method: Method) -> PreparedData:
    """The prepared method with the parts and weights that the user named, as a tree stores it."""
    named = dataclasses.replace(
        start.method, class_weight=method.class_weight, weights=method.weights, searches=method.searches
    )
    return dataclasses.replace(start, method=named)


def schema_of(data: BinnedData, is_idle: Sequence[bool]) -> Schema:
    """The schema of the table."""
    columns = tuple(
        ColumnSpec(column.name, column.kind, column.levels, idle)
        for column, idle in zip(data.columns, is_idle, strict=True)
    )
    return Schema(columns, ColumnSpec(data.target.name, data.target.kind, data.target.levels))
