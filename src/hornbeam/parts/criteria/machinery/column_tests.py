"""Permutation tests of a column against the target, on its known rows (Hothorn, Hornik and Zeileis 2006).

    quadratic   c = (n - 1) r^2                       two numbers,                  1 degree of freedom
                c = (n - 1) SS between / SS total     a number and groups,          groups - 1
                c = (n - 1) X2 / n                    levels and classes,           (m - 1)(K - 1)
                the quadratic forms (T - mu)' S^+ (T - mu) of the linear statistic T
    maximum     c = max |T - mu| / sqrt(diag S), p from the normal distribution with the correlations of T

The two agree where T is one number. A column that does not vary, or has infinite values, has no p.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.parts.criteria.machinery.largest_normal import log_tail
from hornbeam.parts.node import Floats, NodeView, sum_by_group
from hornbeam.table.column import Kind

STATISTICS = ("quadratic", "maximum")
# Steps of the continued fraction; enough for full precision where it is used.
_STEPS = 200


@dataclass(frozen=True)
class ColumnTest:
    """The test of a column at a node: statistic, degrees of freedom and ln p; NaN if there is nothing to test."""

    statistic: float = math.nan
    degrees: int = 0
    log_p: float = math.nan


def column_tests(node: NodeView, teststat: str = "quadratic") -> tuple[ColumnTest, ...]:
    """The tests of all columns at a node, computed once."""
    is_class = node.sample.n_classes > 0

    def compute() -> tuple[ColumnTest, ...]:
        return tuple(
            association(each.kind, each.values[node.rows], node.target, is_class, node.weights, teststat)
            for each in node.sample.columns
        )

    return node.sample.cache.get(("column_tests", node.id, teststat), compute)


def adjusted_log_p(log_p: float, m: int) -> float:
    """The logarithm of 1 - (1 - p)^m (Sidak), also where p underflows."""
    if log_p < -40.0:
        return log_p + math.log(m)
    p = math.exp(log_p)
    return 0.0 if p >= 1.0 else math.log(-math.expm1(m * math.log1p(-p)))


def association(
    kind: Kind, x: npt.NDArray[Any], y: npt.NDArray[Any], is_class: bool, w: Floats, teststat: str = "quadratic"
) -> ColumnTest:
    """The test of a column's values against classes or numbers, rows weighted by w."""
    known = ~np.isnan(x) if kind is Kind.NUMERIC else x >= 0
    x, y, w = x[known], y[known], w[known]
    of_groups = (kind is Kind.NOMINAL, is_class)
    if of_groups == (True, True):
        fraction, degrees = _levels_and_classes(x, y, w)
    elif of_groups == (False, False):
        fraction, degrees = _two_numbers(x.astype(np.float64), y, w)
    else:
        groups, numbers = (x, y) if of_groups[0] else (y, x)
        fraction, degrees = _groups_and_number(groups, numbers.astype(np.float64), w)
    if degrees == 0:
        return ColumnTest()
    if teststat == "maximum":
        return _largest(x, y, of_groups, w, degrees)
    statistic = (float(w.sum()) - 1) * fraction
    return ColumnTest(statistic, degrees, log_p_of(statistic, degrees))


def log_p_of(statistic: float, degrees: int) -> float:
    """The logarithm of the upper tail of the chi-square distribution, also where the tail underflows.

    Far out it is Legendre's continued fraction for the incomplete gamma function.
    """
    from scipy.stats import chi2

    if statistic < 1000.0 + 2.0 * degrees:
        return min(float(chi2.logsf(statistic, degrees)), 0.0)
    a, z = degrees / 2, statistic / 2
    fraction = 0.0
    for step in range(_STEPS, 0, -1):
        fraction = step * (step - a) / (z + 2 * step + 1 - a - fraction)
    return a * math.log(z) - z - math.lgamma(a) - math.log(z + 1 - a - fraction)


def _largest(
    x: npt.NDArray[Any], y: npt.NDArray[Any], of_groups: tuple[bool, bool], w: Floats, degrees: int
) -> ColumnTest:
    """The largest standardized entry of the linear statistic of a column that varies."""
    sides = [_scores(values, is_group, w) for values, is_group in zip((x, y), of_groups, strict=True)]
    (a, own_a), (b, own_b) = sides
    apart = (a.T * w) @ b / np.sqrt(np.outer(np.diag(own_a), np.diag(own_b)))
    largest = float(np.abs(apart).max()) * math.sqrt(float(w.sum()) - 1)
    correlation: Floats = np.kron(_correlation(own_a), _correlation(own_b)).astype(np.float64)
    return ColumnTest(largest, degrees, log_tail(largest, correlation))


def _scores(values: npt.NDArray[Any], is_group: bool, w: Floats) -> tuple[Floats, Floats]:
    """Centered scores, one column for a number or one per group present, and their products."""
    if not is_group:
        scores = _centered(values.astype(np.float64), w)[:, None]
    else:
        _, group = np.unique(values, return_inverse=True)
        inside = np.eye(int(group.max()) + 1)[group]
        scores = inside - np.average(inside, axis=0, weights=w)
    return scores, (scores.T * w) @ scores


def _correlation(products: Floats) -> Floats:
    spread = np.sqrt(np.diag(products))
    return np.asarray(products / np.outer(spread, spread), dtype=np.float64)


def _two_numbers(x: Floats, y: Floats, w: Floats) -> tuple[float, int]:
    """r^2."""
    if not (_differ(x) and _differ(y)):
        return 0.0, 0
    a, b = _centered(x, w), _centered(y, w)
    across = float((w * a * a).sum()) * float((w * b * b).sum())
    return (float((w * a * b).sum()) ** 2 / across, 1) if across > 0 else (0.0, 0)


def _differ(numbers: Floats) -> bool:
    """Whether the numbers differ and are finite; infinite ones have no mean."""
    return bool(np.isfinite(numbers).all() and (numbers != numbers[:1]).any())


def _centered(numbers: Floats, w: Floats) -> Floats:
    """The distances from the mean, scaled to at most 1: squares of numbers beyond 10^154 would overflow."""
    scaled = numbers / np.abs(numbers).max()
    apart = scaled - np.average(scaled, weights=w)
    largest = np.abs(apart).max()
    return np.asarray(apart / largest if largest > 0 else apart, dtype=np.float64)


def _groups_and_number(groups: npt.NDArray[Any], numbers: Floats, w: Floats) -> tuple[float, int]:
    """The fraction of the sum of squares between the groups."""
    if not _differ(numbers):
        return 0.0, 0
    _, group = np.unique(groups, return_inverse=True)
    n_groups = int(group.max()) + 1
    apart = _centered(numbers, w)
    sums, weights = sum_by_group(group, w * apart, n_groups), sum_by_group(group, w, n_groups)
    total = float((w * apart * apart).sum())
    return (float((sums * sums / weights).sum()) / total, n_groups - 1) if total > 0 else (0.0, 0)


def _levels_and_classes(x: npt.NDArray[Any], y: npt.NDArray[Any], w: Floats) -> tuple[float, int]:
    """X2 / n."""
    if len(x) == 0:
        return 0.0, 0
    _, row = np.unique(x, return_inverse=True)
    _, column = np.unique(y, return_inverse=True)
    shape = int(row.max()) + 1, int(column.max()) + 1
    table = sum_by_group(row * shape[1] + column, w, shape[0] * shape[1]).reshape(shape)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(((table - expected) ** 2 / expected).sum() / table.sum()), (shape[0] - 1) * (shape[1] - 1)
