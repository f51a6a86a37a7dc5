"""Imputed values of binned columns (definition 7.1), computed from the sums of all rows.

A missing value counts as the imputed one, so its code is replaced by the code of that value:

    levels, bins of one value   the code of the value; a value that no bin has becomes a bin of its own
    bins of several values      the bin of the value; a bin counts at the mean of its sampled values

Where every bin is one value the imputed values are those of growth in memory.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbeam.growing.method import Method
from hornbeam.parts.losses.base import weighted_quantile
from hornbeam.parts.missing.impute import Impute
from hornbeam.parts.searches.sorted_cuts import midpoint
from hornbeam.scale.binned import BinnedColumn, BinnedData
from hornbeam.scale.counting import Counting, Root
from hornbeam.scale.rounds import Rounds
from hornbeam.table.column import Kind


@dataclasses.dataclass(frozen=True)
class Imputed:
    """The imputed value of every column, and whether the column has missing values."""

    fill_values: tuple[float, ...]
    has_missing: tuple[bool, ...]


@dataclasses.dataclass(frozen=True, eq=False)
class CountedData:
    """Binned data, how its rows are counted for a tree, and its imputed values; None if the method imputes none."""

    data: BinnedData
    counting: Counting
    imputed: Imputed | None = None


def counted(data: BinnedData, method: Method, countings: Sequence[Counting], rounds: Rounds) -> list[CountedData]:
    """The data for trees with these countings; with imputed values if the method imputes those of all rows."""
    if not isinstance(method.missing, Impute) or method.missing.scope != "global":
        return [CountedData(data, counting) for counting in countings]
    sums = rounds.statistics([counting.root_request() for counting in countings])
    return [
        imputed_data(data, method.missing, Root(counting, root)) for counting, root in zip(countings, sums, strict=True)
    ]


def imputed_data(data: BinnedData, missing: Impute, root: Root) -> CountedData:
    """The data with imputed values; `root` has the sums of all rows."""
    weights = root.code_weights()
    columns, tables, values = [], {}, []
    for position, (column, weight) in enumerate(zip(data.columns, weights, strict=True)):
        value = _value(column, weight[:-1], missing, root.counting.units.weight_unit)
        values.append(value)
        has_value = not (math.isnan(value) or (column.kind is not Kind.NUMERIC and value < 0))
        if weight[-1] and has_value:
            column, tables[position] = _recoded(column, value)
        columns.append(column)
    n_codes = tuple(len(column.low) for column in columns)
    counting = dataclasses.replace(root.counting, n_codes=n_codes, recoded=tables)
    changed = dataclasses.replace(data, columns=tuple(columns))
    imputed = Imputed(tuple(values), tuple(bool(weight[-1]) for weight in weights))
    return CountedData(changed, counting, imputed)


def _value(column: BinnedColumn, weights: Sequence[int], missing: Impute, unit: float) -> float:
    """The imputed value of a column from the weights of its bins, in units."""
    used = [code for code, weight in enumerate(weights) if weight]
    if not used:
        return math.nan if column.kind is Kind.NUMERIC else -1.0
    numbers = column.middle if column.middle is not None else column.low
    if column.kind is Kind.NUMERIC and missing.method == "mean":
        mean = _mean([numbers[code] for code in used], [weights[code] for code in used], unit)
        if math.isfinite(mean):
            return float(min(max(mean, column.low[used[0]]), column.high[used[-1]]))
    totals = np.array([float(weights[code]) for code in used]) * unit
    if column.kind is Kind.NOMINAL or missing.method == "mode":
        return float(numbers[used[int(totals.argmax())]])
    return float(weighted_quantile(totals, numbers[used], 0.5))


def _mean(numbers: Sequence[float], weights: Sequence[int], unit: float) -> float:
    """The weighted mean: both sums are exact and rounded once; NaN if they are not finite."""
    total = sum((Fraction(float(number)) * weight for number, weight in zip(numbers, weights)), Fraction(0))
    try:
        return float(total * Fraction(unit)) / float(Fraction(unit) * sum(weights))
    except OverflowError:
        return math.nan


def _recoded(column: BinnedColumn, value: float) -> tuple[BinnedColumn, npt.NDArray[np.uint16]]:
    """The column with a bin for a value, and the new code of every code, the last for missing values."""
    n = len(column.low)
    codes = np.arange(n + 1)
    if column.kind is not Kind.NUMERIC:
        codes[n] = int(value)
        return column, codes.astype(column.dtype)
    is_exact = bool((column.low == column.high).all())
    at = int(np.searchsorted(column.low, value)) if is_exact else _bin_of(column, value)
    if is_exact and (at == n or column.low[at] != value):
        edges = np.insert(column.low, at, value)
        column = dataclasses.replace(column, low=edges, high=edges, middle=None)
        codes[codes >= at] += 1
    codes[n] = at
    return column, codes.astype(column.dtype)


def _bin_of(column: BinnedColumn, value: float) -> int:
    """The bin of a value: the number of cuts between bins below it."""
    pairs = zip(column.high[:-1].tolist(), column.low[1:].tolist())
    return int((np.array([midpoint(high, low) for high, low in pairs]) < value).sum())
