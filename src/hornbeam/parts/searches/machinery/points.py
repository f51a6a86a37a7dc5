"""How do the rows of a node look as points?  Numeric columns in units of their own spread about their own mean.

    x~ = (x - mean) / sd      weighted by what the criterion counts; a missing x counts as the mean, x~ = 0

Columns that do not vary here, or hold infinite values here, are left out. Sums run in the order of rows, as in the
core (native/oblique/points.cpp), so that both see the same numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from hornbeam.parts.node import Floats, Integers, NodeView
from hornbeam.table.column import Kind


@dataclasses.dataclass(frozen=True, eq=False)
class Points:
    """The rows (n, d) in units of spread; `filled` the same in the columns' own units, missing ones by the mean.

    `impute` is what new rows with a missing value are given: the mean, or the value that filled the training rows.
    """

    columns: tuple[int, ...]
    x: Floats
    filled: Floats
    mean: Floats
    sd: Floats
    weights: Floats
    kept: Integers
    fill: Floats

    def select(self, places: Integers) -> Points:
        """The same points in some of the columns; `kept` says which of the first ones."""
        return Points(
            tuple(self.columns[j] for j in places),
            self.x[:, places],
            self.filled[:, places],
            self.mean[places],
            self.sd[places],
            self.weights,
            self.kept[places],
            self.fill[places],
        )


def points_of(node: NodeView, columns: Sequence[int]) -> Points | None:
    """The rows of a node in the numeric columns that vary there; None when there is none."""
    weights = node.criterion_weights
    total = sum_rows(weights)
    kept, parts = [], []
    for column in columns:
        data = node.sample.columns[column]
        if data.kind is not Kind.NUMERIC:
            continue
        found = _measured(data.values[node.rows], weights, total)
        if found is not None:
            kept.append(column)
            parts.append(found)
    if not kept:
        return None
    filled = np.stack([each[0] for each in parts], axis=1)
    mean, sd = np.array([each[1] for each in parts]), np.array([each[2] for each in parts])
    fill = np.array([node.sample.fill_values[column] for column in kept]) if node.sample.fill_values else mean
    return Points(tuple(kept), (filled - mean) / sd, filled, mean, sd, weights, np.arange(len(kept)), fill)


def _measured(values: Floats, weights: Floats, total: float) -> tuple[Floats, float, float] | None:
    """A column's values with the mean where they are missing, mean and spread; None if it does not vary."""
    known = ~np.isnan(values)
    if not known.any() or np.isinf(values).any() or values[known].min() == values[known].max():
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        mean = sum_rows(weights[known] * values[known]) / sum_rows(weights[known])
        off = values[known] - mean
        sd = float(np.sqrt(sum_rows(weights[known] * (off * off)) / total))
    if not (np.isfinite(mean) and np.isfinite(sd) and sd > 0):
        return None
    return np.where(known, values, mean), mean, sd


def sum_rows(numbers: Floats) -> float:
    """The sum in the order of rows."""
    return float(np.cumsum(numbers)[-1])


def sum_columns(numbers: Floats) -> Floats:
    """The sums of all columns (n, d), each in the order of rows."""
    found: Floats = np.cumsum(numbers, axis=0)[-1]
    return found


def weighted_sum(filled: Floats, weights: Floats) -> Floats:
    """Sum of w_j x_j, term by term: what a hyperplane computes."""
    total = np.zeros(len(filled))
    for place, weight in enumerate(weights.tolist()):
        total = total + weight * filled[:, place]
    return total


def covariance(x: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Mean and covariance of weighted points."""
    total = weights.sum()
    mean = (weights @ x) / total
    off = x - mean
    return mean, (off * weights[:, None]).T @ off / total


def canonical(direction: Floats) -> Floats | None:
    """Length 1, largest component (the lowest index within 1e-9) positive; None for no direction.

    Components are multiples of 2^-32: what remains of rounding below that would make one direction two.
    """
    length = float(np.sqrt((direction * direction).sum()))
    if not (np.isfinite(length) and length > 0):
        return None
    unit = direction / length
    size = np.abs(unit)
    first = int(np.flatnonzero(size >= size.max() - 1e-9)[0])
    unit = unit if unit[first] > 0 else -unit
    return np.asarray(np.rint(unit * 2.0**32) * 2.0**-32, dtype=np.float64)
