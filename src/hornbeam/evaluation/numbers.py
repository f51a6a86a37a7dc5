"""Errors of a regression.

    MSE mean (y-f)²   RMSE sqrt MSE   MAE mean |y-f|   R² 1 - Σ(y-f)²/Σ(y-ȳ)²   median |y-f|
    pinball at a: mean of a(y-f) where y >= f, else (1-a)(f-y)       Poisson deviance 2 mean (y ln(y/f) - y + f)

R² is undefined if the truth is constant, the Poisson deviance if a count is negative or a prediction not above 0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.evaluation.inputs import Floats, numbers_of, same_length, weights_of
from hornbeam.evaluation.intervals import mean_metric
from hornbeam.evaluation.metrics import Metric, undefined_metric


def _pair(truth: Any, prediction: Any, weights: Any) -> tuple[Floats, Floats, Floats]:
    actual, given = numbers_of("truth", truth), numbers_of("prediction", prediction)
    same_length("truth", actual, "prediction", given)
    found = weights_of(weights, len(actual))
    kept = found > 0
    return actual[kept], given[kept], found[kept]


def number_errors(truth: Any, prediction: Any, weights: Any = None, confidence: float = 0.95) -> dict[str, Metric]:
    """All errors of predicted numbers, by name."""
    actual, given, kept = _pair(truth, prediction, weights)
    with np.errstate(over="ignore"):
        squares, distances = (actual - given) ** 2, np.abs(actual - given)
    mse = mean_metric("mse", squares, kept, confidence)
    found = [
        mse,
        root_of(mse),
        mean_metric("mae", distances, kept, confidence),
        _median_error(distances, kept),
        r_squared(actual, given, kept),
        poisson_deviance(actual, given, kept, confidence),
    ]
    return {metric.name: metric for metric in found}


def root_of(mse: Metric) -> Metric:
    """The root of a mean squared error."""
    if mse.value is None:
        return undefined_metric("rmse", mse.reason)
    if mse.low is None or mse.high is None:
        return Metric("rmse", math.sqrt(mse.value), reason=mse.reason)
    return Metric("rmse", math.sqrt(mse.value), math.sqrt(mse.low), math.sqrt(mse.high))


def _median_error(distances: Floats, weights: Floats) -> Metric:
    name = "median_absolute_error"
    if not len(distances):
        return undefined_metric(name, "there are no rows")
    return Metric(name, weighted_median(distances, weights))


def weighted_median(values: Floats, weights: Floats) -> float:
    """The value with half the weight on each side; the midpoint of two if the weight divides evenly."""
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    half = sums[-1] / 2
    first = int(np.searchsorted(sums, half * (1 - 1e-12)))
    second = int(np.searchsorted(sums, half * (1 + 1e-12), "right"))
    low, high = values[order[first]], values[order[min(second, len(values) - 1)]]
    return float(low + (high - low) / 2)


def r_squared(truth: Any, prediction: Any, weights: Any = None) -> Metric:
    """The fraction of the variance that the prediction explains; negative if it is worse than the mean."""
    actual, given, kept = _pair(truth, prediction, weights)
    if not len(actual):
        return undefined_metric("r2", "there are no rows")
    if actual.min() == actual.max():
        return undefined_metric("r2", "0/0: the truth is constant")
    with np.errstate(over="ignore", invalid="ignore"):
        spread = float(np.sum(kept * (actual - np.average(actual, weights=kept)) ** 2))
        value = 1 - float(np.sum(kept * (actual - given) ** 2)) / spread if spread > 0 else math.nan
    if not math.isfinite(value):
        return undefined_metric("r2", "the sums of squares overflow or vanish in double precision")
    return Metric("r2", value)


def pinball(truth: Any, prediction: Any, quantile: float, weights: Any = None, confidence: float = 0.95) -> Metric:
    """The loss that is smallest for the given quantile of y."""
    if isinstance(quantile, bool) or not isinstance(quantile, (int, float)) or not 0 < quantile < 1:
        raise OptionError(f"quantile must be above 0 and below 1, got {short_repr(quantile)}.", option="quantile")
    actual, given, kept = _pair(truth, prediction, weights)
    gap = actual - given
    return mean_metric("pinball", np.where(gap >= 0, quantile * gap, (quantile - 1) * gap), kept, confidence)


def poisson_deviance(truth: Any, prediction: Any, weights: Any = None, confidence: float = 0.95) -> Metric:
    """The mean Poisson deviance of predicted rates."""
    actual, given, kept = _pair(truth, prediction, weights)
    name = "poisson_deviance"
    if (actual < 0).any():
        return undefined_metric(name, "the truth has a negative value, which is not a count")
    if (given <= 0).any():
        return undefined_metric(name, "a prediction is not above 0")
    ratio = np.where(actual > 0, actual, given) / given
    return mean_metric(name, 2 * (actual * np.log(ratio) - actual + given), kept, confidence)
