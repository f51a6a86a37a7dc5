"""What if a missing value is taken for a usual one?  The mean, median or mode stands in for it (definition 7.1).

    numeric   weighted mean, lower weighted median, or mode (the lowest of several)
    ordinal   lower weighted median of the levels; mode when that is asked for
    nominal   mode (the first declared level of several)

`scope = "global"` takes them once from all training rows (the tree keeps them), "node" from the rows at each node. The
value counts while growing as if it had been there, and tells new rows their branch. A column of which nothing is known
stays as it is; a mean that is not finite gives way to the median.
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
from hornbeam.parts.missing.base import Missing, majority_branch
from hornbeam.parts.node import Candidate, Floats, NodeView, Sample
from hornbeam.table.column import Column, Kind
from hornbeam.tree.questions import Question

if TYPE_CHECKING:
    from hornbeam.parts.criteria import Criterion
    from hornbeam.parts.searches import Search


@dataclasses.dataclass(frozen=True)
class Impute(Missing):
    """Put a usual value in place of a missing one: mean, median or mode, of all rows or of each node's."""

    name: ClassVar[str] = "impute"
    holes: ClassVar[str] = "impute"
    by: str = option("mean", "what stands in for a missing number", choices=("mean", "median", "mode"))
    scope: str = option("global", "whose values it is taken from", choices=("global", "node"))

    def check(self, criterion: Criterion | None, searches: Sequence[Search]) -> None:
        """Raise where a mean at a node would fall between the values that a search cuts at."""
        for search in searches:
            between = search.name == "binned_cuts" or search.settings().get("cut") == "data"
            if between and self.scope == "node" and self.by == "mean":
                raise OptionError(
                    f"fill by the mean at each node makes values that {search.name} does not cut between.",
                    fix=(Set("impute.by", "median"), Set("impute.scope", "global")),
                    option="missing",
                    got=self.name,
                )

    def ready(self, sample: Sample) -> Sample:
        """The sample with its columns filled, or with the rule that fills them at each node."""
        if self.scope == "node":
            return dataclasses.replace(sample, holes="impute", fill=self._value)
        fills = tuple(self._of_column(column, sample.weights) for column in sample.columns)
        columns = tuple(impute_column(column, value) for column, value in zip(sample.columns, fills, strict=True))
        return dataclasses.replace(sample, columns=columns, holes="impute", fill=self._value, fills=fills)

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The branch of the value that stands in; the heaviest where that has none."""
        branch = branch_of_value(chosen.question, node.sample.columns, node.stands_in)
        return branch if branch >= 0 else majority_branch(chosen.weight)

    def _of_column(self, column: Column, weights: Floats) -> float:
        known = ~column.is_missing
        if not known.any():
            return math.nan if column.kind is Kind.NUMERIC else -1.0
        return self._value(column.kind, column.values[known], weights[known])

    def _value(self, kind: Kind, values: npt.NDArray[Any], weights: Floats) -> float:
        """What stands in for a missing value, from the known ones."""
        if kind is Kind.NUMERIC and self.by == "mean":
            mean = _mean(values, weights)
            if math.isfinite(mean):
                # Rounding can put the mean of equal numbers beside them, and rows would seem to differ.
                return min(max(mean, float(values.min())), float(values.max()))
        distinct, place = np.unique(values, return_inverse=True)
        held = np.bincount(place, weights=weights, minlength=len(distinct))
        if kind is Kind.NOMINAL or self.by == "mode":
            return float(distinct[int(held.argmax())])
        below = np.cumsum(held)
        return float(distinct[int(np.searchsorted(below, below[-1] / 2))])


def _mean(values: npt.NDArray[Any], weights: Floats) -> float:
    """The weighted mean, its sums rounded once; NaN where they are not finite."""
    with np.errstate(over="ignore"):
        weighed = values * weights
    if not np.isfinite(weighed).all():
        return math.nan
    try:
        return math.fsum(weighed.tolist()) / math.fsum(weights.tolist())
    except OverflowError:
        return math.nan


def impute_column(column: Column, value: float) -> Column:
    """A column with a value in place of its missing ones."""
    holes = column.is_missing
    if not holes.any() or math.isnan(value) or (column.kind is not Kind.NUMERIC and value < 0):
        return column
    return dataclasses.replace(column, values=np.where(holes, value, column.values).astype(column.values.dtype))


def branch_of_value(question: Question, columns: Sequence[Column], value: Any) -> int:
    """The branch of a row that has only the values that stand in; `value(column)` says which."""
    row: list[Any] = [None] * len(columns)
    for position in question.columns:
        column = columns[position]
        row[position] = dataclasses.replace(column, values=np.array([value(position)]).astype(column.values.dtype))
    return int(question.branch(row)[0])
