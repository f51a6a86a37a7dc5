"""ROC and precision-recall curves: how well a score ranks positive rows above negative ones.

    ROC     a point (FPR, TPR) at each distinct score, equal scores joined by a line; positive if score >= threshold
    AUC     P(s+ > s-) + P(s+ = s-)/2
    DeLong  V10_i = fraction of negatives below positive i (ties half), V01_j = fraction of positives above negative j;
            var = S10/m + S01/n, unbiased; the covariance C of two scores likewise; z = (A1 - A2)/sqrt(V1 + V2 - 2C)
    PR      precision and recall at each distinct score; average precision = Σ (R_k - R_{k-1}) P_k

With one class only the AUC is undefined, never 0.5. With equal scores the curve is the diagonal and the AUC 0.5. If the
AUC is 0 or 1, or all scores are equal, DeLong's variance is 0 and the interval is flagged as degenerate. With weights,
m and n are effective numbers of rows. O(n log n).
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.evaluation import intervals
from hornbeam.evaluation.inputs import Flags, Floats, binary, checked_probabilities, numbers_of
from hornbeam.evaluation.metrics import Metric, undefined_metric

_MIN_ROWS = 1 + 1e-9


@dataclasses.dataclass(frozen=True, eq=False)
class RocCurve:
    """Points from (0, 0), where no row is predicted positive, to (1, 1), where every row is."""

    thresholds: Floats
    false_positive_rates: Floats
    true_positive_rates: Floats


@dataclasses.dataclass(frozen=True, eq=False)
class PrecisionRecall:
    """Precision and recall at each distinct score, from the highest down."""

    thresholds: Floats
    precision: Floats
    recall: Floats


@dataclasses.dataclass(frozen=True)
class Auc:
    """An area under the ROC curve with DeLong's variance and two intervals."""

    value: float | None
    variance: float | None = None
    low: float | None = None
    high: float | None = None
    logit_low: float | None = None
    logit_high: float | None = None
    is_degenerate: bool = False
    reason: str = ""

    def __float__(self) -> float:
        return math.nan if self.value is None else self.value

    def metric(self, name: str = "auc") -> Metric:
        """The area as a metric."""
        return Metric(name, self.value, self.low, self.high, self.reason)


@dataclasses.dataclass(frozen=True)
class PairedAuc:
    """Two scores of the same rows compared by their areas."""

    first: Auc
    second: Auc
    covariance: float | None
    difference: float | None
    low: float | None
    high: float | None
    z: float | None
    p: float | None
    reason: str = ""


def roc_curve(truth: Any, scores: Any, weights: Any = None) -> RocCurve | None:
    """The ROC curve, or None if truth has one class only."""
    flags, numbers, found = binary(truth, scores, weights)
    if flags.all() or not flags.any():
        return None
    thresholds, positives, negatives = _steps(flags, numbers, found)
    return RocCurve(
        np.concatenate(([np.inf], thresholds)),
        np.concatenate(([0.0], negatives / negatives[-1])),
        np.concatenate(([0.0], positives / positives[-1])),
    )


def precision_recall(truth: Any, scores: Any, weights: Any = None) -> PrecisionRecall | None:
    """The precision-recall curve, or None if no row is positive."""
    flags, numbers, found = binary(truth, scores, weights)
    if not flags.any():
        return None
    thresholds, positives, negatives = _steps(flags, numbers, found)
    return PrecisionRecall(thresholds, positives / (positives + negatives), positives / positives[-1])


def average_precision(truth: Any, scores: Any, weights: Any = None) -> Metric:
    """The mean precision over the steps of recall."""
    curve = precision_recall(truth, scores, weights)
    if curve is None:
        return undefined_metric("average_precision", "no row is positive")
    steps = np.diff(np.concatenate(([0.0], curve.recall)))
    return Metric("average_precision", float(np.sum(steps * curve.precision)))


def _steps(flags: Flags, scores: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Distinct scores descending, and the weight of positives and negatives at or above each."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    last = np.concatenate((np.flatnonzero(ranked[1:] != ranked[:-1]), [len(ranked) - 1]))
    positives = np.cumsum(np.where(flags, weights, 0.0)[order])[last]
    negatives = np.cumsum(np.where(flags, 0.0, weights)[order])[last]
    return ranked[last], positives, negatives


def best_by_youden(curve: RocCurve) -> tuple[float, float, float]:
    """The highest threshold of the largest sensitivity + specificity - 1: (threshold, sensitivity, specificity)."""
    gain = curve.true_positive_rates - curve.false_positive_rates
    # Points that differ by rounding only count as equal, so that the highest threshold is chosen.
    best = int(np.argmax(gain >= gain.max() - 1e-12))
    rates = float(curve.true_positive_rates[best]), 1 - float(curve.false_positive_rates[best])
    return float(curve.thresholds[best]), *rates


@dataclasses.dataclass(frozen=True, eq=False)
class _Placements:
    """DeLong's structural components of one score."""

    area: float
    positive: Floats
    negative: Floats
    positive_weights: Floats
    negative_weights: Floats
    positive_squares: Floats | None = None
    negative_squares: Floats | None = None

    def covariance(self, other: _Placements) -> float | None:
        """The covariance of two areas of the same rows (the variance, with itself)."""
        above = _covariance(self.positive, other.positive, self.positive_weights, self.positive_squares)
        below = _covariance(self.negative, other.negative, self.negative_weights, self.negative_squares)
        return None if above is None or below is None else above + below


def _covariance(first: Floats, second: Floats, weights: Floats, squares: Floats | None) -> float | None:
    total = float(weights.sum())
    n = intervals.effective_rows(total, float(np.sum(weights**2 if squares is None else squares)))
    if n <= _MIN_ROWS:
        return None
    fraction = weights / total
    centered = (first - np.sum(fraction * first)) * (second - np.sum(fraction * second))
    return float(np.sum(fraction * centered)) / (n - 1)


def _placements(flags: Flags, scores: Floats, weights: Floats, squares: Floats | None = None) -> _Placements:
    above_weights, below_weights = weights[flags], weights[~flags]
    of_positives, of_negatives = _fractions_below(flags, scores, weights)
    positive, negative = of_negatives[flags], 1 - of_positives[~flags]
    area = float(np.sum(above_weights * positive) / above_weights.sum())
    by_class = (None, None) if squares is None else (squares[flags], squares[~flags])
    return _Placements(area, positive, negative, above_weights, below_weights, *by_class)


def _fractions_below(flags: Flags, scores: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """For each row the fractions of the positives' and of the negatives' weight below it, ties counted half."""
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    is_new = np.concatenate(([True], ranked[1:] != ranked[:-1]))
    group = np.empty(len(order), dtype=np.intp)
    group[order] = np.cumsum(is_new) - 1
    ends = np.append(np.flatnonzero(is_new)[1:], len(order)) - 1
    of_positives = _midranks(np.where(flags, weights, 0.0)[order], ends)
    of_negatives = _midranks(np.where(flags, 0.0, weights)[order], ends)
    return of_positives[group], of_negatives[group]


def _midranks(weights: Floats, ends: npt.NDArray[np.intp]) -> Floats:
    """The fraction of the weight before each group of rows, plus half of that in it; `ends` are the last rows."""
    until = np.concatenate(([0.0], np.cumsum(weights)[ends]))
    found: Floats = (until[:-1] + until[1:]) / (2 * until[-1])
    return found


def auc(truth: Any, scores: Any, weights: Any = None, confidence: float = 0.95, squares: Floats | None = None) -> Auc:
    """The area under the ROC curve with DeLong's interval.

    An entry may stand for many rows: `squares` are the sums of their squared weights then.
    """
    flags, numbers, found = binary(truth, scores, weights)
    intervals.z_of(confidence)
    lacking = _lacking(flags)
    if lacking:
        return Auc(None, reason=lacking)
    return _auc(_placements(flags, numbers, found, squares), confidence)


def _lacking(flags: Flags) -> str:
    if not len(flags):
        return "there are no rows"
    if flags.all():
        return "truth has one class only: every row is positive"
    return "" if flags.any() else "truth has one class only: no row is positive"


def _auc(placed: _Placements, confidence: float) -> Auc:
    variance = placed.covariance(placed)
    if variance is None:
        return Auc(placed.area, reason="no variance: DeLong's method needs two rows of each class")
    # Placements that should be equal may differ in the last bit; their variance is rounding then.
    if variance <= 1e-28:
        reason = "DeLong's interval is degenerate: all rows have the same placement"
        return Auc(placed.area, 0.0, placed.area, placed.area, is_degenerate=True, reason=reason)
    reach = intervals.z_of(confidence) * math.sqrt(variance)
    area = placed.area
    logit, step = math.log(area / (1 - area)), reach / (area * (1 - area))
    ends = (_expit(logit - step), _expit(logit + step))
    return Auc(area, variance, max(0.0, area - reach), min(1.0, area + reach), *ends)


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def paired_auc(truth: Any, first: Any, second: Any, weights: Any = None, confidence: float = 0.95) -> PairedAuc:
    """DeLong's test that two scores of the same rows have the same area."""
    flags, one, found = binary(truth, first, weights)
    _, two, _ = binary(truth, second, weights)
    lacking = _lacking(flags)
    if lacking:
        nothing = Auc(None, reason=lacking)
        return PairedAuc(nothing, nothing, None, None, None, None, None, None, lacking)
    placed, other = _placements(flags, one, found), _placements(flags, two, found)
    areas = _auc(placed, confidence), _auc(other, confidence)
    difference = placed.area - other.area
    covariance = placed.covariance(other)
    if covariance is None:
        reason = "DeLong's test needs two rows of each class"
        return PairedAuc(*areas, None, difference, None, None, None, None, reason)
    variance = float(areas[0].variance or 0.0) + float(areas[1].variance or 0.0) - 2 * covariance
    if variance <= 1e-18:
        reason = "the difference has no variance: the two scores rank the rows equally or without error"
        return PairedAuc(*areas, covariance, difference, difference, difference, None, None, reason)
    z = difference / math.sqrt(variance)
    reach = intervals.z_of(confidence) * math.sqrt(variance)
    ends = max(-1.0, difference - reach), min(1.0, difference + reach)
    return PairedAuc(*areas, covariance, difference, *ends, z, intervals.two_sided(z))


def hand_till_auc(codes: Any, probabilities: Any, counts: Floats | None = None) -> Metric:
    """The mean AUC over pairs of classes (Hand and Till 2001); `counts` are the rows that an entry stands for.

    Classes without rows are excluded, and the reason states how many.
    """
    name = "auc_hand_till"
    found = checked_probabilities(probabilities)
    truth = numbers_of("truth", codes)
    if len(truth) != len(found):
        raise InputError(f"truth has {len(truth)} rows, the probabilities have {len(found)}; they must agree.")
    present = [k for k in range(found.shape[1]) if (truth == k).any()]
    if len(present) < 2:
        return undefined_metric(name, "truth has one class only" if present else "there are no rows")
    areas = [
        (_pair_area(truth, found, i, j, counts) + _pair_area(truth, found, j, i, counts)) / 2
        for index, i in enumerate(present)
        for j in present[index + 1 :]
    ]
    missing = found.shape[1] - len(present)
    return Metric(name, float(np.mean(areas)), reason=f"without {missing} classes that have no rows" if missing else "")


def _pair_area(
    truth: npt.NDArray[Any], probabilities: Floats, positive: int, negative: int, counts: Floats | None
) -> float:
    rows = (truth == positive) | (truth == negative)
    weights = np.ones(int(rows.sum())) if counts is None else counts[rows]
    return _placements(truth[rows] == positive, probabilities[rows, positive], weights).area
