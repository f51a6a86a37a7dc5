"""Tests of two models on the same rows.

    predictions   McNemar's exact test on the rows where only one is right; difference of accuracies, paired interval
    AUC           DeLong's test of the two areas under the ROC curve
    folds         t of the differences over J folds, variance (1/J + n_test/n_train) s² (Nadeau and Bengio), J - 1
                  degrees of freedom

The uncorrected t over folds (variance s²/J) finds differences that do not exist, because folds share training rows.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hornbeam.errors import InputError
from hornbeam.evaluation import intervals
from hornbeam.evaluation.inputs import numbers_of, one_dimensional, same_length
from hornbeam.evaluation.metrics import finite
from hornbeam.evaluation.resample import CrossValidation
from hornbeam.evaluation.roc import paired_auc


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Two values of one metric, their difference with its interval, and the test."""

    metric: str
    test: str
    first: float | None = None
    second: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    statistic: float | None = None
    p: float | None = None
    reason: str = ""

    def __str__(self) -> str:
        if self.difference is None:
            return f"{self.metric}: no comparison, {self.reason}"
        ends = "" if self.low is None or self.high is None else f" ({self.low:+.3f} to {self.high:+.3f})"
        p = f"p = {self.p:.3g}" if self.p is not None else self.reason
        values = f"{self.first:.3f} against {self.second:.3f}"
        return f"{self.metric}: {values}, {self.difference:+.3f}{ends}; {self.test}: {p}"

    def as_dict(self) -> dict[str, Any]:
        """The comparison for JSON."""
        found = dataclasses.asdict(self)
        return {name: finite(value) if isinstance(value, float) else value for name, value in found.items()}


def compare_predictions(truth: Any, first: Any, second: Any, confidence: float = 0.95) -> Comparison:
    """McNemar's exact test of the predictions of two classifiers."""
    actual, one, two = (one_dimensional(n, v) for n, v in (("truth", truth), ("first", first), ("second", second)))
    same_length("truth", actual, "first", one)
    same_length("truth", actual, "second", two)
    n = len(actual)
    if not n:
        return Comparison("accuracy", "McNemar, exact", reason="there are no rows")
    right_one, right_two = np.asarray(one == actual), np.asarray(two == actual)
    b, c = int(np.sum(right_one & ~right_two)), int(np.sum(right_two & ~right_one))
    difference = (b - c) / n
    reach = intervals.z_of(confidence) * math.sqrt(max(b + c - (b - c) ** 2 / n, 0.0)) / n
    values = float(right_one.mean()), float(right_two.mean())
    p = intervals.mcnemar(b, c)
    reason = "" if b + c else "the two are right on the same rows"
    ends = max(-1.0, difference - reach), min(1.0, difference + reach)
    return Comparison("accuracy", "McNemar, exact", *values, difference, *ends, float(min(b, c)), p, reason)


def compare_auc(truth: Any, first: Any, second: Any, confidence: float = 0.95) -> Comparison:
    """DeLong's test of two scores; truth is true for the positive class."""
    found = paired_auc(truth, first, second, None, confidence)
    areas = found.first.value, found.second.value
    return Comparison("auc", "DeLong", *areas, found.difference, found.low, found.high, found.z, found.p, found.reason)


def compare_folds(
    first: Sequence[float], second: Sequence[float], n_train: float, n_test: float, name: str = "value"
) -> Comparison:
    """The corrected resampled t test of values over the same folds."""
    from scipy.special import stdtr, stdtrit

    one, two = numbers_of("first", first), numbers_of("second", second)
    same_length("first", one, "second", two)
    if not (n_train > 0 and n_test > 0):
        raise InputError(f"Folds must have training rows and test rows, got {n_train} and {n_test}.")
    test, gaps = "paired folds, corrected t", one - two
    if not len(gaps):
        return Comparison(name, test, reason="there are no folds")
    means = float(one.mean()), float(two.mean()), float(gaps.mean())
    if len(gaps) < 2:
        return Comparison(name, test, *means, None, None, None, None, "the test needs at least two folds")
    error = math.sqrt((1 / len(gaps) + n_test / n_train) * float(gaps.var(ddof=1)))
    if error <= 1e-15 * max(1.0, abs(means[2])):
        return Comparison(name, test, *means, means[2], means[2], None, None, "the difference is the same in all folds")
    degrees = len(gaps) - 1
    t = means[2] / error
    reach = float(stdtrit(degrees, 0.975)) * error
    return Comparison(name, test, *means, means[2] - reach, means[2] + reach, t, 2 * float(stdtr(degrees, -abs(t))))


def compare_cross_validated(first: CrossValidation, second: CrossValidation, name: str) -> Comparison:
    """The corrected t test of one metric of two models on the same folds; folds undefined in either are excluded."""
    if len(first.rows) != len(second.rows) or any(
        not np.array_equal(one, two) for one, two in zip(first.rows, second.rows)
    ):
        raise InputError("The two models were not evaluated on the same folds.", hint="Use the same splits for both.")
    pairs = [(a, b) for a, b in zip(first[name].values, second[name].values) if a is not None and b is not None]
    sizes = np.mean(np.array(first.sizes, dtype=np.float64), axis=0)
    return compare_folds([a for a, _ in pairs], [b for _, b in pairs], float(sizes[0]), float(sizes[1]), name)
