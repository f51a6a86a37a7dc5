"""Which class is taken for which, and what rates follow?

                   answer: rest   answer: positive
    truth: rest         TN              FP            specificity = TN / (TN + FP)
    truth: positive     FN              TP            sensitivity = TP / (TP + FN)
                        |               |
                  NPV = TN/(TN+FN)  PPV = TP/(TP+FP)

    LR+ = sens/(1-spec)   LR- = (1-sens)/spec   F1 = 2TP/(2TP+FP+FN)   Youden = sens+spec-1
    kappa = (po-pe)/(1-pe)   MCC = (po-pe)/sqrt((1-Σr²)(1-Σc²)), r and c the shares of truth and answer, pe = Σ r c
    PPV at prevalence q: odds = q/(1-q); PPV = odds·LR+/(1+odds·LR+), NPV = 1/(1+odds·LR-)

The table is C[truth][answer], in weights. 0/0 is undefined, with the reason, and never 0. Shares have Wilson
intervals, likelihood ratios (and what follows from them) the log method, F1 the Wilson interval of TP/(TP+FP+FN)
carried over, Youden and balanced accuracy Newcombe's, kappa and MCC the delta method. The sample's own PPV and NPV
hold only where the sample is a random one.
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
    """Weights and squared weights of the rows by [truth][answer]."""

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


def confusion(truth: Any, answers: Any, classes: Sequence[Any], weights: Any = None) -> Confusion:
    """The table of truth against answers (labels or codes)."""
    rows, columns = codes_of("truth", truth, classes), codes_of("answers", answers, classes)
    same_length("truth", rows, "answers", columns)
    found = weights_of(weights, len(rows))
    size = len(classes)
    cells = rows * size + columns
    return Confusion(
        np.bincount(cells, found, size * size).reshape(size, size).astype(np.float64),
        np.bincount(cells, found**2, size * size).reshape(size, size).astype(np.float64),
        tuple(classes),
    )


def confusion_from_counts(counts: Any, classes: Sequence[Any]) -> Confusion:
    """A table that was counted elsewhere, [truth][answer], each row of weight 1."""
    found = np.asarray(counts, dtype=np.float64)
    if found.shape != (len(classes), len(classes)) or not (np.isfinite(found) & (found >= 0)).all():
        raise InputError(f"Counts must be {len(classes)} by {len(classes)} and not negative; got {short_repr(counts)}.")
    return Confusion(found, found.copy(), tuple(classes))


def one_vs_rest(table: Confusion, positive: Any) -> Confusion:
    """The 2 by 2 table of one class against all others: index 1 is the positive class."""
    place = position_of(positive, table.classes)
    return Confusion(_folded(table.weights, place), _folded(table.squares, place), ("rest", positive))


def _folded(cells: Floats, place: int) -> Floats:
    others = np.arange(len(cells)) != place
    # Sums of cells, not differences of totals: a difference may leave 1e-17 where nothing is.
    return np.array(
        [
            [cells[np.ix_(others, others)].sum(), cells[others, place].sum()],
            [cells[place, others].sum(), cells[place, place]],
        ]
    )


def binary_rates(
    table: Confusion, positive: Any, *, prevalence: float | None = None, confidence: float = 0.95
) -> dict[str, Metric]:
    """Every rate of the positive class against the rest, by name."""
    two = one_vs_rest(table, positive)
    name = short_repr(positive)
    wide = _Cells(two, confidence)
    sensitivity = wide.share("sensitivity", [(1, 1)], [(1, 0), (1, 1)], f"no row is {name}")
    specificity = wide.share("specificity", [(0, 0)], [(0, 0), (0, 1)], f"every row is {name}")
    found = [
        wide.share("accuracy", [(0, 0), (1, 1)], _ALL, "there are no rows"),
        sensitivity,
        specificity,
        wide.share("ppv", [(1, 1)], [(0, 1), (1, 1)], f"no row was answered {name}"),
        wide.share("npv", [(0, 0)], [(0, 0), (1, 0)], f"every row was answered {name}"),
        likelihood_ratio("lr_plus", two, confidence),
        likelihood_ratio("lr_minus", two, confidence),
        _f1(wide, name),
        _sum_of("youden", sensitivity, specificity, 1.0),
        _sum_of("balanced_accuracy", sensitivity, specificity, 0.5),
        mcc(two, confidence),
        kappa(two, confidence),
        wide.share("prevalence", [(1, 0), (1, 1)], _ALL, "there are no rows"),
    ]
    if prevalence is not None:
        plus, minus = found[5], found[6]
        found += [ppv_at(prevalence, plus), npv_at(prevalence, minus)]
    return {metric.name: metric for metric in found}


_ALL = [(0, 0), (0, 1), (1, 0), (1, 1)]


@dataclasses.dataclass(frozen=True)
class _Cells:
    """The shares that can be read off a 2 by 2 table."""

    table: Confusion
    confidence: float

    def share(self, name: str, part: list[tuple[int, int]], whole: list[tuple[int, int]], empty: str) -> Metric:
        over = math.fsum(self.table.weights[cell] for cell in part)
        under = math.fsum(self.table.weights[cell] for cell in whole)
        squares = math.fsum(self.table.squares[cell] for cell in whole)
        return fraction_metric(name, over, under, squares, self.confidence, empty)


def fraction_metric(name: str, over: float, under: float, squares: float, confidence: float, empty: str) -> Metric:
    """A share of weights with Wilson's interval; 0/0 is undefined."""
    count = (over, under)
    if under <= 0:
        return undefined_metric(name, f"0/0: {empty}", count=count, is_share=True)
    value = min(over / under, 1.0)
    low, high = intervals.wilson(value, intervals.effective_rows(under, squares), confidence)
    return Metric(name, value, low, high, count=count, is_share=True)


def likelihood_ratio(name: str, two: Confusion, confidence: float = 0.95) -> Metric:
    """LR+ or LR- of a 2 by 2 table: how much an answer changes the odds."""
    column, what = (1, "positive") if name == "lr_plus" else (0, "negative")
    totals, squares = two.weights.sum(axis=1), two.squares.sum(axis=1)
    if (totals <= 0).any():
        return undefined_metric(name, "there are no positive rows" if totals[1] <= 0 else "there are no negative rows")
    share = two.weights[:, column] / totals
    if share[0] == 0:
        if share[1] == 0:
            return undefined_metric(name, f"0/0: no row was answered {what}")
        return Metric(name, math.inf, reason=f"infinite: no row of the other class was answered {what}")
    ratio = float(share[1] / share[0])
    if share[1] == 0:
        return Metric(name, 0.0, reason="no interval by the log method: the ratio is 0")
    n = totals**2 / squares
    variance = float(np.sum(1 / (share * n) - 1 / n))
    return Metric(name, ratio, *intervals.log_ratio(ratio, max(variance, 0.0), confidence))


def _f1(wide: _Cells, name: str) -> Metric:
    touched = [(1, 1), (0, 1), (1, 0)]
    overlap = wide.share("f1", [(1, 1)], touched, f"no row is {name} or was answered {name}")
    if overlap.value is None or overlap.low is None or overlap.high is None:
        return overlap
    value, low, high = (2 * share / (1 + share) for share in (overlap.value, overlap.low, overlap.high))
    return Metric("f1", value, low, high, is_share=True)


def _sum_of(name: str, sensitivity: Metric, specificity: Metric, scale: float) -> Metric:
    """Youden (scale 1) or balanced accuracy (scale one half): scale · (sens + spec), less 1 for Youden."""
    for each in (sensitivity, specificity):
        if each.value is None:
            return undefined_metric(name, f"{each.name} is undefined ({each.reason})", is_share=True)
    total = float(sensitivity) + float(specificity)
    ends = intervals.newcombe(total, sensitivity, specificity) or (total, total)
    shift = 1.0 if name == "youden" else 0.0
    value, low, high = (scale * end - shift for end in (total, *ends))
    return Metric(name, value, max(low, -shift), min(high, 1.0), is_share=True)


def kappa(table: Confusion, confidence: float = 0.95) -> Metric:
    """Cohen's kappa: agreement beyond what the margins would give by chance."""
    return _agreement("kappa", table, confidence, lambda r, c, chance: 1 - chance, _kappa_slope)


def mcc(table: Confusion, confidence: float = 0.95) -> Metric:
    """Matthews' correlation (Gorodkin's form for more classes): undefined when truth or answers are one class."""

    def scale(r: Floats, c: Floats, chance: float) -> float:
        return math.sqrt(max(_variety(r) * _variety(c), 0.0))

    return _agreement("mcc", table, confidence, scale, _mcc_slope)


def _variety(probabilities: Floats) -> float:
    """1 - Σ s², exactly 0 when one class holds all."""
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
    is_lonely = np.count_nonzero(r) <= 1 or np.count_nonzero(c) <= 1
    if scale <= 1e-15 or (is_lonely and (name == "mcc" or np.array_equal(r, c))):
        return undefined_metric(
            name, "0/0: " + ("truth" if np.count_nonzero(r) <= 1 else "answers") + " hold one class only"
        )
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
    """PPV where this share of people have the positive class (Bayes); the interval is that of LR+ carried over."""
    odds = _odds(prevalence)
    return _carried("ppv_at_prevalence", lr_plus, lambda ratio: _chance(odds * ratio))


def npv_at(prevalence: float, lr_minus: Metric) -> Metric:
    """NPV where this share of people have the positive class (Bayes); the interval is that of LR- carried over."""
    odds = _odds(prevalence)
    return _carried("npv_at_prevalence", lr_minus, lambda ratio: 1 - _chance(odds * ratio))


def _carried(name: str, ratio: Metric, way: Callable[[float], float]) -> Metric:
    if ratio.value is None:
        return undefined_metric(name, f"{ratio.name} is undefined ({ratio.reason})", is_share=True)
    if ratio.low is None or ratio.high is None:
        return Metric(name, way(ratio.value), reason=ratio.reason, is_share=True)
    low, high = sorted((way(ratio.low), way(ratio.high)))
    return Metric(name, way(ratio.value), low, high, is_share=True)


def _chance(odds: float) -> float:
    return 1.0 if math.isinf(odds) else odds / (1 + odds)


def _odds(prevalence: float) -> float:
    is_number = isinstance(prevalence, (int, float, np.floating)) and not isinstance(prevalence, bool)
    if not is_number or not 0 < prevalence < 1:
        raise OptionError(
            f"prevalence must be above 0 and below 1; got {short_repr(prevalence)}.",
            option="prevalence",
            got=prevalence,
        )
    return float(prevalence) / (1 - float(prevalence))


def accuracy(table: Confusion, confidence: float = 0.95) -> Metric:
    """The share of rows answered right."""
    right, squares = float(np.trace(table.weights)), float(table.squares.sum())
    return fraction_metric("accuracy", right, table.total, squares, confidence, "there are no rows")


def class_rates(table: Confusion, confidence: float = 0.95) -> dict[Any, dict[str, Metric]]:
    """The rates of each class against the rest."""
    return {label: binary_rates(table, label, confidence=confidence) for label in table.classes}


def averages(table: Confusion, how: str, confidence: float = 0.95) -> dict[str, Metric]:
    """One-vs-rest rates averaged over the classes: `macro` counts each class once, `weighted` by its rows.

    A class for which a rate is undefined is left out, and the reason names it.
    """
    if how not in ("macro", "weighted"):
        raise OptionError(f"how must be macro or weighted; got {short_repr(how)}.", option="how", got=how)
    rates = class_rates(table, confidence)
    share = np.ones(len(table.classes)) if how == "macro" else table.weights.sum(axis=1)
    return {
        name: average(f"{name}_{how}", [rates[label][name] for label in table.classes], share, table.classes)
        for name in AVERAGED
    }


def average(name: str, metrics: Sequence[Metric], probabilities: Floats, classes: Sequence[Any]) -> Metric:
    """The mean of one metric over the classes where it is defined."""
    known = np.array([metric.value is not None for metric in metrics], dtype=bool)
    left_out = [short_repr(label) for label, is_known in zip(classes, known) if not is_known]
    weight = float(np.sum(probabilities[known]))
    if weight <= 0:
        return undefined_metric(name, "undefined for every class that counts", is_share=True)
    values = np.array([float(metric) for metric in metrics])[known]
    reason = f"without {', '.join(left_out)}, where it is undefined" if left_out else ""
    return Metric(name, float(np.sum(probabilities[known] * values) / weight), reason=reason, is_share=True)
