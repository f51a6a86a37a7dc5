"""Confidence intervals and tests.

    Wilson, k of n     (p + z²/2n ∓ z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n), clipped to [0, 1]
    exact, k of n      Clopper and Pearson: beta quantiles
    ratio              exp(ln r ∓ z sqrt(var ln r))                                   (the log method)
    sum of fractions   a ∓ sqrt of the squared distances to their Wilson limits       (Newcombe)
    smooth f(cells)    f ∓ z sqrt((Σ p g² - (Σ p g)²) / n), g = ∂f/∂p                 (delta method, multinomial cells)
    mean               m ∓ z sd / sqrt(n)

With weights n is the effective number of rows (Σw)² / Σw². McNemar's test of paired predictions uses only the rows on
which the two disagree: p = 2 P(X <= min(b, c)), X binomial(b + c, 1/2).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr
from hornbeam.evaluation.metrics import Metric, undefined_metric
from hornbeam.proportions import Interval, check_proportion, wilson, z_of

__all__ = [
    "clopper_pearson",
    "delta",
    "effective_rows",
    "log_ratio",
    "mcnemar",
    "mcnemar_corrected",
    "mean_metric",
    "newcombe",
    "two_sided",
    "wilson",
    "z_of",
]

Floats = npt.NDArray[np.float64]


def two_sided(z: float) -> float:
    """The probability of a normal deviate at least this far from 0 on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def effective_rows(weight: float, squares: float) -> float:
    """The effective number of rows: (Σw)² / Σw²."""
    return weight * weight / squares if squares > 0 else 0.0


def clopper_pearson(k: float, n: float, confidence: float = 0.95) -> Interval:
    """Clopper and Pearson's interval of k in n: conservative."""
    from scipy.special import betaincinv

    check_proportion(k / n if n else math.nan, n)
    z_of(confidence)
    tail = (1 - confidence) / 2
    low = float(betaincinv(k, n - k + 1, tail)) if k > 0 else 0.0
    high = float(betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0
    return low, high


def log_ratio(ratio: float, variance: float, confidence: float = 0.95) -> Interval:
    """The interval of a ratio whose logarithm has the given variance."""
    reach = math.exp(min(z_of(confidence) * math.sqrt(variance), 700.0))
    return ratio / reach, ratio * reach


def newcombe(total: float, first: Metric, second: Metric) -> Interval | None:
    """The interval of first + second + constant, from the Wilson intervals of the two fractions."""
    ends = (first.value, first.low, first.high, second.value, second.low, second.high)
    if any(end is None for end in ends):
        return None
    a, a_low, a_high, b, b_low, b_high = (float(end) for end in ends if end is not None)
    return total - math.hypot(a - a_low, b - b_low), total + math.hypot(a_high - a, b_high - b)


def delta(value: float, gradient: Floats, probabilities: Floats, n: float, confidence: float = 0.95) -> Interval:
    """The interval of a smooth function of multinomial cell probabilities."""
    spread = float(np.sum(probabilities * gradient**2) - np.sum(probabilities * gradient) ** 2)
    reach = z_of(confidence) * math.sqrt(max(spread, 0.0) / n)
    return value - reach, value + reach


def mean_metric(
    name: str, values: Floats, weights: Floats, confidence: float = 0.95, squares: Floats | None = None
) -> Metric:
    """A weighted mean of losses with its normal interval, at least 0; one row has a mean and no interval.

    An entry may stand for many rows: `squares` are the sums of their squared weights then.
    """
    total = float(weights.sum())
    if len(values) == 0 or total <= 0:
        return undefined_metric(name, "there are no rows")
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(np.sum(weights * values) / total)
        variance = float(np.sum(weights * (values - mean) ** 2) / total)
    if not math.isfinite(mean):
        return undefined_metric(name, "the sum overflows double precision")
    n = effective_rows(total, float(np.sum(weights**2 if squares is None else squares)))
    if n <= 1 + 1e-12 or not math.isfinite(variance):
        return Metric(name, mean, reason="one row has no interval" if n <= 1 + 1e-12 else "the variance overflows")
    reach = z_of(confidence) * math.sqrt(variance / (n - 1))
    return Metric(name, mean, max(0.0, mean - reach), mean + reach)


def mcnemar(first_only: Any, second_only: Any) -> float:
    """McNemar's exact two-sided p from the two counts of rows on which only one prediction is right."""
    from scipy.special import bdtr

    b, c = _count(first_only), _count(second_only)
    if b + c == 0:
        return 1.0
    return min(1.0, 2.0 * float(bdtr(min(b, c), b + c, 0.5)))


def mcnemar_corrected(first_only: Any, second_only: Any) -> float:
    """McNemar's p by chi-square with continuity correction, as R's mcnemar.test gives it."""
    b, c = _count(first_only), _count(second_only)
    if b + c == 0:
        return 1.0
    return two_sided(max(abs(b - c) - 1, 0) / math.sqrt(b + c))


def _count(count: Any) -> int:
    number = float(count)
    if not number.is_integer() or number < 0:
        raise InputError(
            f"McNemar's test requires counts (integers, not negative), got {short_repr(count)}.",
            got=count,
        )
    return int(number)
