"""Imputation: the mean, median or mode replaces a missing value (definition 7.1).

    numeric   weighted mean, lower weighted median, or mode (the lowest of several)
    ordinal   lower weighted median of the levels, or the mode if `method = "mode"`
    nominal   mode (the first declared level of several)

With `scope = "global"` the values are computed once from all training rows and stored in the tree, with "node" from the
rows at each node. The imputed value counts during growth like a known one, and decides the branch of new rows. A column
without known values stays unchanged; the median replaces a mean that is not finite.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OptionError, Set
from hornbeam.options import option
from hornbeam.parts.losses.base import weighted_quantile
from hornbeam.parts.missing.base import Missing, majority_branch
from hornbeam.parts.node import Candidate, Floats, NodeView, Sample, sum_by_group
from hornbeam.table.column import Column, Kind
from hornbeam.tree.questions import Question

if TYPE_CHECKING:
    from hornbeam.parts.criteria import Criterion
    from hornbeam.parts.searches import Search

_SPLIT = 2.0**27 + 1.0  # divides a float64 into two halves


@dataclasses.dataclass(frozen=True)
class Impute(Missing):
    """Replace a missing value by the mean, median or mode, of all rows or of those at the node."""

    name: ClassVar[str] = "impute"
    uses_sums: ClassVar[bool] = True
    mode: ClassVar[str] = "impute"
    method: str = option("mean", "statistic that replaces a missing number", choices=("mean", "median", "mode"))
    scope: str = option(
        "global", "rows that it is computed from: all training rows, or those at each node", choices=("global", "node")
    )

    def check(self, criterion: Criterion | None, searches: Sequence[Search]) -> None:
        """Raise an error if a mean at a node could fall between the values where a search cuts."""
        for search in searches:
            cuts_at_data = search.name == "binned_cuts" or search.settings().get("cut") == "data"
            if cuts_at_data and self.scope == "node" and self.method == "mean":
                raise OptionError(
                    f"Missing-value strategy 'impute' by the mean at each node excludes {search.name!r}.",
                    fix=(Set("impute.method", "median"), Set("impute.scope", "global")),
                    option="missing",
                    got=self.name,
                )

    def ready(self, sample: Sample) -> Sample:
        """The sample with imputed columns, or with the function that imputes at each node."""
        if self.scope == "node":
            return dataclasses.replace(sample, missing_mode="impute", imputer=self._value)
        values = tuple(self._value_of_column(column, sample.weights) for column in sample.columns)
        columns = tuple(impute_column(column, value) for column, value in zip(sample.columns, values, strict=True))
        return dataclasses.replace(
            sample, columns=columns, missing_mode="impute", imputer=self._value, fill_values=values
        )

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The branch of the imputed value; the majority branch if that has none."""
        branch = branch_of_value(chosen.question, node.sample.columns, node.fill_value)
        return branch if branch >= 0 else majority_branch(chosen.weight)

    def _value_of_column(self, column: Column, weights: Floats) -> float:
        known = ~column.is_missing
        if not known.any():
            return math.nan if column.kind is Kind.NUMERIC else -1.0
        return self._value(column.kind, column.values[known], weights[known])

    def _value(self, kind: Kind, values: npt.NDArray[Any], weights: Floats) -> float:
        """The imputed value, from the known values."""
        if kind is Kind.NUMERIC and self.method == "mean":
            mean = _mean(values, weights)
            if math.isfinite(mean):
                # The rounded mean of equal numbers may differ from them, and rows would seem to differ.
                return min(max(mean, float(values.min())), float(values.max()))
        distinct, group = np.unique(values, return_inverse=True)
        weight = sum_by_group(group, weights, len(distinct))
        if kind is Kind.NOMINAL or self.method == "mode":
            return float(distinct[int(weight.argmax())])
        return float(weighted_quantile(weight, distinct, 0.5))


def _mean(values: npt.NDArray[Any], weights: Floats) -> float:
    """The weighted mean, its sums rounded once; NaN if they are not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        weighted = values * weights
        error = _product_error(values, weights, weighted) if weights.strides != (0,) else np.zeros(0)
    if not np.isfinite(weighted).all():
        return math.nan
    error = error if np.isfinite(error).all() else np.zeros(0)
    try:
        return math.fsum([*weighted.tolist(), *error.tolist()]) / math.fsum(weights.tolist())
    except OverflowError:
        return math.nan


def _product_error(a: Floats, b: Floats, product: Floats) -> Floats:
    """The rounding error of products (Dekker), so that their sum does not depend on how equal values are grouped."""
    parts, exponents = [], np.zeros(np.shape(product), dtype=np.int64)
    for each in (a, b):
        fraction, exponent = np.frexp(each)  # the halves of the largest numbers would not be finite
        scaled = fraction * _SPLIT
        high = scaled - (scaled - fraction)
        parts.append((high, fraction - high))
        exponents = exponents + exponent
    (high, low), (other_high, other_low) = parts
    rounded = (high + low) * (other_high + other_low)
    error = low * other_low - (((rounded - high * other_high) - low * other_high) - high * other_low)
    return np.asarray(np.ldexp(error, exponents), dtype=np.float64)


def impute_column(column: Column, value: float) -> Column:
    """A column with a value in place of its missing values."""
    is_missing = column.is_missing
    if not is_missing.any() or math.isnan(value) or (column.kind is not Kind.NUMERIC and value < 0):
        return column
    return dataclasses.replace(column, values=np.where(is_missing, value, column.values).astype(column.values.dtype))


def branch_of_value(question: Question, columns: Sequence[Column], value: Any) -> int:
    """The branch of a row that consists of imputed values; `value(column)` returns them."""
    row: list[Any] = [None] * len(columns)
    for position in question.columns:
        column = columns[position]
        row[position] = dataclasses.replace(column, values=np.array([value(position)]).astype(column.values.dtype))
    return int(question.branch(row)[0])
