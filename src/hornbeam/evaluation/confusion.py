"""Confusion matrix and the rates that follow from it.

                     predicted rest   predicted positive
    actual rest           TN                FP              specificity = TN / (TN + FP)
    actual positive       FN                TP              sensitivity = TP / (TP + FN)
                          |                 |
                    NPV = TN/(TN+FN)  PPV = TP/(TP+FP)

    LR+ = sens/(1-spec)   LR- = (1-sens)/spec   F1 = 2TP/(2TP+FP+FN)   Youden = sens+spec-1
    kappa = (po-pe)/(1-pe)   MCC = (po-pe)/sqrt((1-Σr²)(1-Σc²)), r and c the fractions of actual and predicted classes,
    pe = Σ r c
    PPV at prevalence q: odds = q/(1-q); PPV = odds·LR+/(1+odds·LR+), NPV = 1/(1+odds·LR-)

The matrix is C[actual][predicted], in weights. 0/0 is undefined, with the reason, and never 0. Fractions have Wilson
intervals; likelihood ratios and what follows from them the log method; F1 the transformed Wilson interval of
TP/(TP+FP+FN); Youden and balanced accuracy Newcombe's; kappa and MCC the delta method. PPV and NPV of the sample are
valid only if the sample is a random one.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.evaluation import intervals
from hornbeam.evaluation.inputs import codes_of, position_of, same_length, weights_of
from hornbeam.evaluation.metrics import Metric, undefined_metric

Floats = npt.NDArray[np.float64]

AVERAGED = ("sensitivity", "specificity", "ppv", "npv", "f1")


@dataclasses.dataclass(frozen=True, eq=False)
class Confusion:
    """Weights and squared weights of the rows by [actual][predicted]."""

    weights: Floats
    squares: Floats
    classes: tuple[Any, ...]

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.weights.sum())

    @property
    def rows(self) -> float:
        """The effective number of rows."""
        return intervals.effective_rows(self.total, float(self.squares.sum()))


def confusion(truth: Any, prediction: Any, classes: Sequence[Any], weights: Any = None) -> Confusion:
    """The confusion matrix of truth and prediction (labels or codes)."""
    rows, columns = codes_of("truth", truth, classes), codes_of("prediction", prediction, classes)
    same_length("truth", rows, "prediction", columns)
    found = weights_of(weights, len(rows))
    size = len(classes)
    cells = rows * size + columns
    return Confusion(
        np.bincount(cells, found, size * size).reshape(size, size).astype(np.float64),
        np.bincount(cells, found**2, size * size).reshape(size, size).astype(np.float64),
        tuple(classes),
    )


def confusion_from_counts(counts: Any, classes: Sequence[Any]) -> Confusion:
    """A confusion matrix from counts [actual][predicted]; each row has weight 1."""
    found = np.asarray(counts, dtype=np.float64)
    if found.shape != (len(classes), len(classes)) or not (np.isfinite(found) & (found >= 0)).all():
        raise InputError(f"counts must be {len(classes)} by {len(classes)} and not negative, got {short_repr(counts)}.")
    return Confusion(found, found.copy(), tuple(classes))


def one_vs_rest(table: Confusion, positive: Any) -> Confusion:
    """The 2 by 2 matrix of one class against all others: index 1 is the positive class."""
    index = position_of(positive, table.classes)
    return Confusion(_merge_others(table.weights, index), _merge_others(table.squares, index), ("rest", positive))


def _merge_others(cells: Floats, index: int) -> Floats:
    others = np.arange(len(cells)) != index
    # Sums of cells, not differences of totals: a difference may leave 1e-17 in an empty cell.
    return np.array(
        [
            [cells[np.ix_(others, others)].sum(), cells[others, index].sum()],
            [cells[index, others].sum(), cells[index, index]],
        ]
    )


def binary_rates(
    table: Confusion, positive: Any, *, prevalence: float | None = None, confidence: float = 0.95
) -> dict[str, Metric]:
    """All rates of the positive class against the rest, by name."""
    two = one_vs_rest(table, positive)
    name = short_repr(positive)
    cells = _Cells(two, confidence)
    sensitivity = cells.fraction("sensitivity", [(1, 1)], [(1, 0), (1, 1)], f"no row is {name}")
    specificity = cells.fraction("specificity", [(0, 0)], [(0, 0), (0, 1)], f"every row is {name}")
    found = [
        cells.fraction("accuracy", [(0, 0), (1, 1)], _ALL, "there are no rows"),
        sensitivity,
        specificity,
        cells.fraction("ppv", [(1, 1)], [(0, 1), (1, 1)], f"no row is predicted {name}"),
        cells.fraction("npv", [(0, 0)], [(0, 0), (1, 0)], f"every row is predicted {name}"),
        likelihood_ratio("lr_plus", two, confidence),
        likelihood_ratio("lr_minus", two, confidence),
        _f1(cells, name),
        _sum_of("youden", sensitivity, specificity, 1.0),
        _sum_of("balanced_accuracy", sensitivity, specificity, 0.5),
        mcc(two, confidence),
        kappa(two, confidence),
        cells.fraction("prevalence", [(1, 0), (1, 1)], _ALL, "there are no rows"),
    ]
    if prevalence is not None:
        plus, minus = found[5], found[6]
        found += [ppv_at(prevalence, plus), npv_at(prevalence, minus)]
    return {metric.name: metric for metric in found}


_ALL = [(0, 0), (0, 1), (1, 0), (1, 1)]


@dataclasses.dataclass(frozen=True)
class _Cells:
    """Fractions of the weights in the cells of a 2 by 2 matrix."""

    table: Confusion
    confidence: float

    def fraction(self, name: str, part: list[tuple[int, int]], whole: list[tuple[int, int]], empty: str) -> Metric:
        over = math.fsum(self.table.weights[cell] for cell in part)
        under = math.fsum(self.table.weights[cell] for cell in whole)
        squares = math.fsum(self.table.squares[cell] for cell in whole)
        return fraction_metric(name, over, under, squares, self.confidence, empty)


def fraction_metric(name: str, over: float, under: float, squares: float, confidence: float, empty: str) -> Metric:
    """A fraction of weights with Wilson's interval; 0/0 is undefined."""
    count = (over, under)
    if under <= 0:
        return undefined_metric(name, f"0/0: {empty}", count=count, is_fraction=True)
    value = min(over / under, 1.0)
    low, high = intervals.wilson(value, intervals.effective_rows(under, squares), confidence)
    return Metric(name, value, low, high, count=count, is_fraction=True)


def likelihood_ratio(name: str, two: Confusion, confidence: float = 0.95) -> Metric:
    """LR+ or LR- of a 2 by 2 matrix: the factor by which a prediction changes the odds."""
    column, what = (1, "positive") if name == "lr_plus" else (0, "negative")
    totals, squares = two.weights.sum(axis=1), two.squares.sum(axis=1)
    if (totals <= 0).any():
        return undefined_metric(name, "there are no positive rows" if totals[1] <= 0 else "there are no negative rows")
    fraction = two.weights[:, column] / totals
    if fraction[0] == 0:
        if fraction[1] == 0:
            return undefined_metric(name, f"0/0: no row is predicted {what}")
        return Metric(name, math.inf, reason=f"infinite: no row of the other class is predicted {what}")
    ratio = float(fraction[1] / fraction[0])
    if fraction[1] == 0:
        return Metric(name, 0.0, reason="no interval by the log method: the ratio is 0")
    n = totals**2 / squares
    variance = float(np.sum(1 / (fraction * n) - 1 / n))
    return Metric(name, ratio, *intervals.log_ratio(ratio, max(variance, 0.0), confidence))


def _f1(cells: _Cells, name: str) -> Metric:
    counted = [(1, 1), (0, 1), (1, 0)]
    overlap = cells.fraction("f1", [(1, 1)], counted, f"no row is {name} or is predicted {name}")
    if overlap.value is None or overlap.low is None or overlap.high is None:
        return overlap
    value, low, high = (2 * each / (1 + each) for each in (overlap.value, overlap.low, overlap.high))
    return Metric("f1", value, low, high, is_fraction=True)


def _sum_of(name: str, sensitivity: Metric, specificity: Metric, scale: float) -> Metric:
    """Youden (scale 1) or balanced accuracy (scale 1/2): scale · (sens + spec), minus 1 for Youden."""
    for each in (sensitivity, specificity):
        if each.value is None:
            return undefined_metric(name, f"{each.name} is undefined ({each.reason})", is_fraction=True)
    total = float(sensitivity) + float(specificity)
    ends = intervals.newcombe(total, sensitivity, specificity) or (total, total)
    shift = 1.0 if name == "youden" else 0.0
    value, low, high = (scale * end - shift for end in (total, *ends))
    return Metric(name, value, max(low, -shift), min(high, 1.0), is_fraction=True)


def kappa(table: Confusion, confidence: float = 0.95) -> Metric:
    """Cohen's kappa: agreement beyond that expected by chance from the margins."""
    return _agreement("kappa", table, confidence, lambda r, c, chance: 1 - chance, _kappa_slope)


def mcc(table: Confusion, confidence: float = 0.95) -> Metric:
    """Matthews' correlation (Gorodkin's form for more classes); undefined if truth or prediction has one class only."""

    def scale(r: Floats, c: Floats, chance: float) -> float:
        return math.sqrt(max(_variety(r) * _variety(c), 0.0))

    return _agreement("mcc", table, confidence, scale, _mcc_slope)


def _variety(probabilities: Floats) -> float:
    """1 - Σ s², exactly 0 if one class has all rows."""
    return 0.0 if np.count_nonzero(probabilities) <= 1 else 1 - float(np.sum(probabilities**2))


def _agreement(
    name: str,
    table: Confusion,
    confidence: float,
    scale_of: Callable[[Floats, Floats, float], float],
    slope: Callable[[Floats, Floats, float], Floats],
) -> Metric:
    """(po - pe) / scale with its delta interval, clipped to [-1, 1]."""
    if table.total <= 0:
        return undefined_metric(name, "0/0: there are no rows")
    probabilities = table.weights / table.total
    r, c = probabilities.sum(axis=1), probabilities.sum(axis=0)
    chance = float(np.sum(r * c))
    scale = scale_of(r, c, chance)
    has_one_class = np.count_nonzero(r) <= 1 or np.count_nonzero(c) <= 1
    if scale <= 1e-15 or (has_one_class and (name == "mcc" or np.array_equal(r, c))):
        which = "truth" if np.count_nonzero(r) <= 1 else "prediction"
        return undefined_metric(name, f"0/0: {which} has one class only")
    value = (float(np.trace(probabilities)) - chance) / scale
    gain = np.eye(len(r)) - (c[:, None] + r[None, :])
    gradient = gain / scale + value * slope(r, c, scale)
    low, high = intervals.delta(value, gradient, probabilities, table.rows, confidence)
    reason = "the interval has no length: every row agrees" if low == high else ""
    return Metric(name, value, max(low, -1.0), min(high, 1.0), reason=reason)


def _kappa_slope(r: Floats, c: Floats, scale: float) -> Floats:
    return np.asarray((c[:, None] + r[None, :]) / scale)


def _mcc_slope(r: Floats, c: Floats, scale: float) -> Floats:
    return np.asarray(r[:, None] / _variety(r) + c[None, :] / _variety(c))


def ppv_at(prevalence: float, lr_plus: Metric) -> Metric:
    """PPV at a prevalence of the positive class (Bayes); the interval is that of LR+, transformed."""
    odds = _odds(prevalence)
    return _transformed("ppv_at_prevalence", lr_plus, lambda ratio: _probability(odds * ratio))


def npv_at(prevalence: float, lr_minus: Metric) -> Metric:
    """NPV at a prevalence of the positive class (Bayes); the interval is that of LR-, transformed."""
    odds = _odds(prevalence)
    return _transformed("npv_at_prevalence", lr_minus, lambda ratio: 1 - _probability(odds * ratio))


def _transformed(name: str, ratio: Metric, function: Callable[[float], float]) -> Metric:
    if ratio.value is None:
        return undefined_metric(name, f"{ratio.name} is undefined ({ratio.reason})", is_fraction=True)
    if ratio.low is None or ratio.high is None:
        return Metric(name, function(ratio.value), reason=ratio.reason, is_fraction=True)
    low, high = sorted((function(ratio.low), function(ratio.high)))
    return Metric(name, function(ratio.value), low, high, is_fraction=True)


def _probability(odds: float) -> float:
    return 1.0 if math.isinf(odds) else odds / (1 + odds)


def _odds(prevalence: float) -> float:
    is_number = isinstance(prevalence, (int, float, np.floating)) and not isinstance(prevalence, bool)
    if not is_number or not 0 < prevalence < 1:
        raise OptionError(
            f"prevalence must be above 0 and below 1, got {short_repr(prevalence)}.",
            option="prevalence",
            got=prevalence,
        )
    return float(prevalence) / (1 - float(prevalence))


def accuracy(table: Confusion, confidence: float = 0.95) -> Metric:
    """The fraction of rows that are predicted correctly."""
    right, squares = float(np.trace(table.weights)), float(table.squares.sum())
    return fraction_metric("accuracy", right, table.total, squares, confidence, "there are no rows")


def class_rates(table: Confusion, confidence: float = 0.95) -> dict[Any, dict[str, Metric]]:
    """The rates of each class against the rest."""
    return {label: binary_rates(table, label, confidence=confidence) for label in table.classes}


def averages(table: Confusion, method: str, confidence: float = 0.95) -> dict[str, Metric]:
    """One-vs-rest rates averaged over the classes: `macro` weighs all classes equally, `weighted` by their rows.

    A class for which a rate is undefined is excluded, and the reason names it.
    """
    if method not in ("macro", "weighted"):
        raise OptionError(f"method must be macro or weighted, got {short_repr(method)}.", option="method", got=method)
    rates = class_rates(table, confidence)
    weights = np.ones(len(table.classes)) if method == "macro" else table.weights.sum(axis=1)
    return {
        name: average(f"{name}_{method}", [rates[label][name] for label in table.classes], weights, table.classes)
        for name in AVERAGED
    }


def average(name: str, metrics: Sequence[Metric], weights: Floats, classes: Sequence[Any]) -> Metric:
    """The weighted mean of one metric over the classes where it is defined."""
    known = np.array([metric.value is not None for metric in metrics], dtype=bool)
    excluded = [short_repr(label) for label, is_known in zip(classes, known) if not is_known]
    total = float(np.sum(weights[known]))
    if total <= 0:
        return undefined_metric(name, "undefined for every class that has weight", is_fraction=True)
    values = np.array([float(metric) for metric in metrics])[known]
    reason = f"without {', '.join(excluded)}, where it is undefined" if excluded else ""
    return Metric(name, float(np.sum(weights[known] * values) / total), reason=reason, is_fraction=True)
