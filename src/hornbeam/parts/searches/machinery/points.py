"""The rows of a node as points: numeric columns in units of their own spread about their own mean.

    x~ = (x - mean) / sd      weighted as the criterion counts; a missing x counts as the mean, x~ = 0

Columns that are constant at the node up to rounding, or have infinite values there, are excluded. Sums run in the order
of rows, as in the core (native/oblique/points.cpp), so that both compute the same numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from hornbeam.parts.node import Floats, Integers, NodeView
from hornbeam.table.column import Kind

_CONSTANT = 1e-12  # a range of at most this fraction of the largest value is rounding


@dataclasses.dataclass(frozen=True, eq=False)
class Points:
    """The rows (n, d) in units of spread; `filled` the same in the units of the columns, missing values at the mean.

    `fill` replaces a missing value of new rows: the mean, or the imputed value of the training rows if it is finite.
    """

    columns: tuple[int, ...]
    x: Floats
    filled: Floats
    mean: Floats
    sd: Floats
    weights: Floats
    kept: Integers
    fill: Floats

    def select(self, indices: Integers) -> Points:
        """The same points in some of the columns; `kept` are their positions among the first ones."""
        return Points(
            tuple(self.columns[j] for j in indices),
            self.x[:, indices],
            self.filled[:, indices],
            self.mean[indices],
            self.sd[indices],
            self.weights,
            self.kept[indices],
            self.fill[indices],
        )


def points_of(node: NodeView, columns: Sequence[int]) -> Points | None:
    """The rows of a node in the numeric columns that vary there; None if there is none."""
    weights = node.criterion_weights
    total = sum_rows(weights)
    kept, parts = [], []
    for column in columns:
        data = node.sample.columns[column]
        if data.kind is not Kind.NUMERIC:
            continue
        found = _standardized(data.values[node.rows], weights, total)
        if found is not None:
            kept.append(column)
            parts.append(found)
    if not kept:
        return None
    filled = np.stack([each[0] for each in parts], axis=1)
    mean, sd = np.array([each[1] for each in parts]), np.array([each[2] for each in parts])
    fill = np.array([node.sample.fill_values[column] for column in kept]) if node.sample.fill_values else mean
    fill = np.where(np.isfinite(fill), fill, mean)
    return Points(tuple(kept), (filled - mean) / sd, filled, mean, sd, weights, np.arange(len(kept)), fill)


def _standardized(values: Floats, weights: Floats, total: float) -> tuple[Floats, float, float] | None:
    """The values of a column with missing ones at the mean, the mean and the spread; None if the column is constant."""
    known = ~np.isnan(values)
    if not known.any() or np.isinf(values).any():
        return None
    low, high = float(values[known].min()), float(values[known].max())
    if not high - low > _CONSTANT * max(abs(low), abs(high)):
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
    """The sum of w_j x_j, term by term, as a hyperplane computes it."""
    total = np.zeros(len(filled))
    for index, weight in enumerate(weights.tolist()):
        total = total + weight * filled[:, index]
    return total


def covariance(x: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Mean and covariance of weighted points."""
    total = weights.sum()
    mean = (weights @ x) / total
    off = x - mean
    return mean, (off * weights[:, None]).T @ off / total


def canonical(direction: Floats) -> Floats | None:
    """Length 1, largest component (the lowest index within 1e-9) positive; None for no direction.

    Components are rounded to multiples of 2^-32, so that rounding does not make one direction two.
    """
    length = float(np.sqrt((direction * direction).sum()))
    if not (np.isfinite(length) and length > 0):
        return None
    unit = direction / length
    size = np.abs(unit)
    first = int(np.flatnonzero(size >= size.max() - 1e-9)[0])
    unit = unit if unit[first] > 0 else -unit
    return np.asarray(np.rint(unit * 2.0**32) * 2.0**-32, dtype=np.float64)
