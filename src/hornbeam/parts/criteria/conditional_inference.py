"""Which column has most to do with the target, and where is it cut?  Two questions, answered one after the other.

    column    the smallest p of a permutation test of x against y (Hothorn, Hornik and Zeileis 2006), so that columns
              with many values have no advantage:
                  c = (n - 1) r^2                       two numbers,                  1 degree of freedom
                  c = (n - 1) SS between / SS total     a number and groups,          groups - 1
                  c = (n - 1) X2 / n                    levels and classes,           (m - 1)(K - 1)
              the quadratic forms (T - mu)' S^+ (T - mu) of ALGORITHMS 5.3, on the rows that know x
    cut       the same statistic of the two branches, so the largest (n - 1) X2 / n or (n - 1) SS between / SS total

Columns are compared by -ln p; the p's of the score are as they come, and the stop `conditional_inference` adjusts them.
A column that does not vary, or has infinite values, has no p.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from hornbeam.options import option
from hornbeam.parts.criteria.base import SplitScore
from hornbeam.parts.criteria.chi_square import ChiSquare
from hornbeam.parts.criteria.squared_error import SquaredError
from hornbeam.parts.node import Candidate, Floats, NodeView, summed
from hornbeam.table.column import Kind

# Steps of the continued fraction, enough for all digits where it is used.
_STEPS = 200


@dataclass(frozen=True)
class ConditionalInference(SplitScore):
    """The column of the smallest permutation-test p, then its best cut by the two-sample statistic."""

    name: ClassVar[str] = "conditional_inference"
    suits: ClassVar[tuple[str, ...]] = ("class", "number")
    tries: int = option(2, "how many columns, of smallest p, are tried where the best has no cut allowed", at_least=1)
    target: str = option("any", "what the target is; any: as the table says", choices=("any", "class", "number"))

    @property
    def serves(self) -> tuple[str, ...]:
        """Both targets, unless it says which."""
        return self.suits if self.target == "any" else (self.target,)

    @property
    def looks_at(self) -> str:
        """Class weights, or moments of a number."""
        return "moments" if self.target == "number" else "classes"

    def bound(self, classes: tuple[Any, ...]) -> Self:
        """The criterion for this target."""
        return dataclasses.replace(self, target="class" if classes else "number")

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """Gini for classes, the variance for numbers."""
        return SquaredError().impurity(stats) if self.target == "number" else super().impurity(stats)

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The two-sample statistic of every candidate."""
        n = float(self.mass(parent))
        if self.target != "number":
            return np.asarray((n - 1) * ChiSquare().score(parent, branches), dtype=np.float64)
        whole = float(SquaredError().impurity(parent))
        if whole <= 0:
            return np.zeros(branches.shape[:-2])
        return np.asarray((n - 1) * self.gain(parent, branches) / whole, dtype=np.float64)

    def values(self, candidates: Sequence[Candidate], node: NodeView) -> list[float]:
        """-ln p of the candidates' columns; columns beyond those to be tried are barred."""
        found = [each.log_p for each in column_tests(node)]
        known = sorted(log_p for log_p in found if not math.isnan(log_p))
        most = known[min(self.tries, len(known)) - 1] if known else math.inf
        return [-found[each.column] if found[each.column] <= most else math.nan for each in candidates]


@dataclass(frozen=True)
class Tested:
    """A column's test at a node: the statistic, its degrees of freedom and ln p; NaN where there is nothing to test."""

    statistic: float = math.nan
    degrees: int = 0
    log_p: float = math.nan


def column_tests(node: NodeView) -> tuple[Tested, ...]:
    """The tests of all columns at a node, made once."""
    key = ("conditional_inference", node.id)
    if key not in node.sample.memo:
        node.sample.memo[key] = tuple(_tested(node, column) for column in range(len(node.sample.columns)))
    found: tuple[Tested, ...] = node.sample.memo[key]
    return found


def adjusted_log_p(log_p: float, m: int) -> float:
    """The ln of 1 - (1 - p)^m (Sidak), also where p is far below what a double can hold."""
    if log_p < -40.0:
        return log_p + math.log(m)
    p = math.exp(log_p)
    return 0.0 if p >= 1.0 else math.log(-math.expm1(m * math.log1p(-p)))


def _tested(node: NodeView, column: int) -> Tested:
    data = node.sample.columns[column]
    x = data.values[node.rows]
    known = ~np.isnan(x) if data.kind is Kind.NUMERIC else x >= 0
    x, y, w = x[known], node.target[known], node.weights[known]
    of_groups = (data.kind is Kind.NOMINAL, node.sample.n_classes > 0)
    if of_groups == (True, True):
        share, degrees = _levels_and_classes(x, y, w)
    elif of_groups == (False, False):
        share, degrees = _two_numbers(x.astype(np.float64), y, w)
    else:
        groups, numbers = (x, y) if of_groups[0] else (y, x)
        share, degrees = _groups_and_number(groups, numbers.astype(np.float64), w)
    if degrees == 0:
        return Tested()
    statistic = (float(w.sum()) - 1) * share
    return Tested(statistic, degrees, log_p_of(statistic, degrees))


def log_p_of(statistic: float, degrees: int) -> float:
    """The ln of the upper tail of the chi-square distribution, also far below what a double can hold.

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


def _two_numbers(x: Floats, y: Floats, w: Floats) -> tuple[float, int]:
    """r^2."""
    if not (_differ(x) and _differ(y)):
        return 0.0, 0
    a, b = _centred(x, w), _centred(y, w)
    across = float((w * a * a).sum()) * float((w * b * b).sum())
    return (float((w * a * b).sum()) ** 2 / across, 1) if across > 0 else (0.0, 0)


def _differ(numbers: Floats) -> bool:
    """Whether there are different numbers, none of them infinite: of those there is no mean."""
    return bool(np.isfinite(numbers).all() and (numbers != numbers[:1]).any())


def _centred(numbers: Floats, w: Floats) -> Floats:
    """The distances from the mean, the largest being 1: squares of numbers beyond 10^154 would overflow."""
    scaled = numbers / np.abs(numbers).max()
    apart = scaled - np.average(scaled, weights=w)
    largest = np.abs(apart).max()
    return np.asarray(apart / largest if largest > 0 else apart, dtype=np.float64)


def _groups_and_number(groups: npt.NDArray[Any], numbers: Floats, w: Floats) -> tuple[float, int]:
    """The share of the squares that lies between the groups."""
    if not _differ(numbers):
        return 0.0, 0
    _, group = np.unique(groups, return_inverse=True)
    n_groups = int(group.max()) + 1
    apart = _centred(numbers, w)
    sums, weights = summed(group, w * apart, n_groups), summed(group, w, n_groups)
    total = float((w * apart * apart).sum())
    return (float((sums * sums / weights).sum()) / total, n_groups - 1) if total > 0 else (0.0, 0)


def _levels_and_classes(x: npt.NDArray[Any], y: npt.NDArray[Any], w: Floats) -> tuple[float, int]:
    """X2 / n."""
    if len(x) == 0:
        return 0.0, 0
    _, row = np.unique(x, return_inverse=True)
    _, place = np.unique(y, return_inverse=True)
    shape = int(row.max()) + 1, int(place.max()) + 1
    table = summed(row * shape[1] + place, w, shape[0] * shape[1]).reshape(shape)
    fair = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(((table - fair) ** 2 / fair).sum() / table.sum()), (shape[0] - 1) * (shape[1] - 1)
