"""Calibration of probabilities: whether rows with a predicted probability of 30% are positive in 30% of cases.

    Brier       mean (p - y)²                  log loss  -mean ln(probability of the true class in [1e-15, 1 - 1e-15])
    bins        bin = min(floor(p B), B - 1)   ECE = Σ W_b/W |mean y - mean p|
    Murphy      reliability Σ W_b/W (ȳ_b - p̄_b)², resolution Σ W_b/W (ȳ_b - ȳ)², uncertainty ȳ(1 - ȳ)
    line        logistic regression of y on logit p: ideally intercept 0 and slope 1; slope < 1: overconfident
    Hosmer and Lemeshow   χ² = Σ (O - E)²/(E(1 - E/n)) over groups of equal size (equal values in one group)

Empty bins are excluded. Probabilities of exactly 0 or 1 (pure leaves) are clipped before the logit and have a large
influence on the line: smooth the leaves first. If the classes do not overlap on p, the slope is undefined.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.evaluation import intervals, logistic
from hornbeam.evaluation.inputs import Floats, binary_probabilities, checked_probabilities, weights_of
from hornbeam.evaluation.metrics import Metric, undefined_metric

CLIP = 1e-15

# Above this variance of a shift in log-odds (a standard error of 100) the likelihood is constant to rounding.
_FLAT = 1e4


@dataclasses.dataclass(frozen=True)
class Bin:
    """The rows with a probability in one bin: mean probability and fraction of positives, with Wilson's interval."""

    low_edge: float
    high_edge: float
    weight: float
    mean_probability: float
    positive: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True)
class BrierParts:
    """Murphy's decomposition of the Brier score after binning."""

    reliability: float
    resolution: float
    uncertainty: float


@dataclasses.dataclass(frozen=True)
class HosmerLemeshow:
    """The statistic, its degrees of freedom and the p value (undefined below one degree of freedom)."""

    statistic: float | None
    degrees: int
    p: float | None
    reason: str = ""


def brier(truth: Any, probabilities: Any, weights: Any = None, confidence: float = 0.95, squares: Any = None) -> Metric:
    """The mean squared difference between the probability of the positive class and 0 or 1."""
    flags, found, kept = binary_probabilities(truth, probabilities, weights)
    return intervals.mean_metric("brier", (found - flags) ** 2, kept, confidence, squares)


def brier_of_classes(
    codes: npt.NDArray[Any], probabilities: Any, weights: Any = None, confidence: float = 0.95, squares: Any = None
) -> Metric:
    """The squared difference summed over the classes (0 to 2; for two classes twice the binary score)."""
    found = checked_probabilities(probabilities)
    loss = np.sum(found**2, axis=1) + 1 - 2 * _probability_of_truth(codes, found)
    return intervals.mean_metric("brier", loss, weights_of(weights, len(found)), confidence, squares)


def log_loss(
    codes: npt.NDArray[Any], probabilities: Any, weights: Any = None, confidence: float = 0.95, squares: Any = None
) -> Metric:
    """The mean of -ln of the probability of the true class, in nats."""
    found = checked_probabilities(probabilities)
    loss = -np.log(np.clip(_probability_of_truth(codes, found), CLIP, 1 - CLIP))
    return intervals.mean_metric("log_loss", loss, weights_of(weights, len(found)), confidence, squares)


def _probability_of_truth(codes: npt.NDArray[Any], probabilities: Floats) -> Floats:
    truth = np.asarray(codes)
    if truth.shape != (len(probabilities),) or truth.dtype.kind not in "iub":
        raise InputError(f"truth must have one class code per row ({len(probabilities)}), got shape {truth.shape}.")
    if len(truth) and (truth.min() < 0 or truth.max() >= probabilities.shape[1]):
        raise InputError(
            f"Class codes must be between 0 and {probabilities.shape[1] - 1}, got {truth.min()}..{truth.max()}."
        )
    return np.asarray(probabilities[np.arange(len(probabilities)), truth.astype(np.int64)], dtype=np.float64)


def reliability_curve(
    truth: Any,
    probabilities: Any,
    bins: Any = 10,
    weights: Any = None,
    confidence: float = 0.95,
    squares: Floats | None = None,
) -> tuple[Bin, ...]:
    """The bins that contain rows, in order; `bins` is a number of equal widths or the edges from 0 to 1.

    An entry may stand for many rows: `squares` are the sums of their squared weights then.
    """
    flags, found, kept = binary_probabilities(truth, probabilities, weights)
    edges, indices = _binned(found, bins)
    curve = []
    for index in np.unique(indices):
        inside = indices == index
        weight = float(kept[inside].sum())
        n = intervals.effective_rows(weight, float(np.sum(kept[inside] ** 2 if squares is None else squares[inside])))
        positive = min(float(np.average(flags[inside], weights=kept[inside])), 1.0)
        mean = float(np.average(found[inside], weights=kept[inside]))
        ends = intervals.wilson(positive, n, confidence)
        curve.append(Bin(float(edges[index]), float(edges[index + 1]), weight, mean, positive, *ends))
    return tuple(curve)


def _binned(probabilities: Floats, bins: Any) -> tuple[Floats, npt.NDArray[np.int64]]:
    if isinstance(bins, (int, np.integer)) and not isinstance(bins, bool) and bins >= 1:
        count = int(bins)
        indices = np.minimum(np.floor(probabilities * count), count - 1).astype(np.int64)
        return np.linspace(0.0, 1.0, count + 1), indices
    edges = np.asarray(bins, dtype=np.float64) if not isinstance(bins, (int, float, str)) else np.empty(0)
    if edges.ndim != 1 or len(edges) < 2 or edges[0] != 0 or edges[-1] != 1 or not (np.diff(edges) > 0).all():
        raise OptionError(
            f"bins must be an integer of at least 1, or ascending edges from 0 to 1, got {short_repr(bins)}.",
            option="bins",
            got=bins,
        )
    return edges, np.minimum(np.searchsorted(edges, probabilities, "right") - 1, len(edges) - 2).astype(np.int64)


def ece(truth: Any, probabilities: Any, bins: Any = 10, weights: Any = None) -> Metric:
    """The expected calibration error: the mean distance of the bins from the diagonal, by weight."""
    curve = reliability_curve(truth, probabilities, bins, weights)
    total = math.fsum(each.weight for each in curve)
    if total <= 0:
        return undefined_metric("ece", "there are no rows")
    gap = math.fsum(each.weight * abs(each.positive - each.mean_probability) for each in curve)
    return Metric("ece", gap / total)


def ece_of_classes(codes: npt.NDArray[Any], probabilities: Any, bins: Any = 10, weights: Any = None) -> Metric:
    """The calibration error of the highest probability: whether predictions are right as often as they claim."""
    found = checked_probabilities(probabilities)
    _probability_of_truth(codes, found)
    return ece(found.argmax(axis=1) == np.asarray(codes), np.minimum(found.max(axis=1), 1.0), bins, weights)


def brier_parts(truth: Any, probabilities: Any, bins: Any = 10, weights: Any = None) -> BrierParts | None:
    """Reliability, resolution and uncertainty; None without rows."""
    curve = reliability_curve(truth, probabilities, bins, weights)
    total = math.fsum(each.weight for each in curve)
    if total <= 0:
        return None
    base = math.fsum(each.weight * each.positive for each in curve) / total
    reliability = math.fsum(each.weight * (each.positive - each.mean_probability) ** 2 for each in curve) / total
    resolution = math.fsum(each.weight * (each.positive - base) ** 2 for each in curve) / total
    return BrierParts(reliability, resolution, base * (1 - base))


def logit(probabilities: Floats) -> Floats:
    """Log-odds, clipped so that those of 0 and 1 are finite."""
    clipped = np.clip(probabilities, CLIP, 1 - CLIP)
    return np.asarray(np.log(clipped) - np.log1p(-clipped))


def calibration_line(
    truth: Any, probabilities: Any, weights: Any = None, confidence: float = 0.95
) -> dict[str, Metric]:
    """Slope, intercept and calibration in the large (the intercept at slope 1), with Wald intervals."""
    flags, found, kept = binary_probabilities(truth, probabilities, weights)
    names = ("calibration_slope", "calibration_intercept", "calibration_in_the_large")
    if not len(flags) or flags.all() or not flags.any():
        return {name: undefined_metric(name, "truth has one class only" if len(flags) else "no rows") for name in names}
    x, y = logit(found), flags.astype(np.float64)
    z = intervals.z_of(confidence)
    shift, shift_variance = logistic.fitted_intercept(x, y, kept)
    large = _wald(names[2], shift, shift_variance, z)
    if shift_variance > _FLAT:
        reason = "the probabilities of nearly all rows are 0 or 1 and right, so no finite shift is best"
        large = undefined_metric(names[2], reason)
    if x.min() == x.max() or logistic.is_separated(x, flags):
        why = "every row has the same probability" if x.min() == x.max() else "the probabilities separate the classes"
        reason = f"{why}, so no finite slope is best"
        return {
            names[0]: undefined_metric(names[0], reason),
            names[1]: undefined_metric(names[1], reason),
            names[2]: large,
        }
    line = logistic.fitted_line(x, y, kept)
    slope = _wald(names[0], line.slope, line.slope_variance, z)
    intercept = _wald(names[1], line.intercept, line.intercept_variance, z)
    return {metric.name: metric for metric in (slope, intercept, large)}


def _wald(name: str, value: float, variance: float, z: float) -> Metric:
    reach = z * math.sqrt(max(variance, 0.0))
    return Metric(name, value, value - reach, value + reach)


def hosmer_lemeshow(truth: Any, probabilities: Any, groups: int = 10, *, is_held_out: bool = False) -> HosmerLemeshow:
    """Hosmer and Lemeshow's test; degrees of freedom: groups - 2 on training rows, groups on held-out rows."""
    from scipy.special import gammaincc

    flags, found, _ = binary_probabilities(truth, probabilities, None)
    if isinstance(groups, bool) or not isinstance(groups, int) or groups < 2:
        raise OptionError(f"groups must be an integer of at least 2, got {short_repr(groups)}.", option="groups")
    if not len(found):
        return HosmerLemeshow(None, 0, None, "there are no rows")
    cuts = np.unique(np.quantile(found, np.arange(1, groups) / groups))
    _, index = np.unique(np.searchsorted(cuts, found, "left"), return_inverse=True)
    size = np.bincount(index).astype(np.float64)
    observed, expected = np.bincount(index, flags), np.bincount(index, found)
    spread = expected * (1 - expected / size)
    degrees = len(size) - (0 if is_held_out else 2)
    if (spread <= 0).any():
        return HosmerLemeshow(None, degrees, None, "a group has only probabilities of 0 or 1")
    statistic = float(np.sum((observed - expected) ** 2 / spread))
    if degrees < 1:
        return HosmerLemeshow(statistic, degrees, None, f"{len(size)} distinct groups leave no degree of freedom")
    return HosmerLemeshow(statistic, degrees, float(gammaincc(degrees / 2, statistic / 2)))
