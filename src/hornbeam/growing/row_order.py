"""A canonical order of rows, for methods whose tree would otherwise depend on the order of the input.

Sums of integers are the same in any order: classes without weights, and numbers by squared error. Other sums of
floating-point numbers, questions about many columns that process rows one after the other, and tests that shuffle rows
depend on the order. For these the rows are sorted first: by the columns in turn, then by target and weight. What is
drawn for row numbers still depends on them: the folds of a pruning, and the rows of every tree of a forest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbeam.growing.method import Method
from hornbeam.table.table import Table

_TESTS = ("permutation_test", "conditional_inference")


def in_one_order(table: Table, method: Method, *, is_needed: bool = False) -> Table:
    """The table with its rows in canonical order, if the tree would depend on their order."""
    if not table.columns or not (is_needed or _depends_on_order(table, method)):
        return table
    order = row_order(table)
    return table if (order == np.arange(len(order))).all() else table.take(order)


def _depends_on_order(table: Table, method: Method) -> bool:
    is_counted = table.target is not None and table.schema.is_class
    is_exact = is_counted or getattr(method.criterion, "name", None) in (None, "squared_error")
    if not is_exact or table.weights is not None or method.missing.name == "fractional":
        return True
    names = [method.criterion.name] if method.criterion is not None else []
    if any(name in _TESTS for name in [*names, *(stop.name for stop in method.stops)]):
        return True
    return any(search.uses_many_columns for search in method.searches)


def row_order(table: Table) -> npt.NDArray[np.int64]:
    """The rows sorted by the columns from the first on, then target and weight; equal rows keep their order."""
    keys = [column.values for column in table.columns]
    keys += [table.target.values] if table.target is not None else []
    keys += [table.weights] if table.weights is not None else []
    order = np.argsort(keys[0], kind="stable")
    group = _groups(np.zeros(len(order), dtype=np.int64), keys[0][order])
    for key in keys[1:]:
        tied = _is_tied(group)
        if not tied.any():
            break
        rows = order[tied]
        inner = np.lexsort((key[rows], group[tied]))
        order[tied] = rows[inner]
        group = _groups(group, key[order])
    return order.astype(np.int64)


def _groups(group: npt.NDArray[np.int64], values: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    """The number of the run of each row; rows of one run agree in their group and in a value, and NaNs agree."""
    differs = values[1:] != values[:-1]
    if values.dtype.kind == "f":
        differs &= ~(np.isnan(values[1:].astype(float)) & np.isnan(values[:-1].astype(float)))
    starts = differs | (group[1:] != group[:-1])
    return np.concatenate([[0], np.cumsum(starts)]).astype(np.int64)


def _is_tied(group: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    same = np.concatenate([[False], group[1:] == group[:-1], [False]])
    tied: npt.NDArray[np.bool_] = same[1:] | same[:-1]
    return tied
