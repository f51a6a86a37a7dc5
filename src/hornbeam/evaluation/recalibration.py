"""How are shares mended that promise too much or too little?  By a map learned on rows that did not grow the tree.

    isotonic   the non-decreasing steps nearest to y in least squares (pool adjacent violators), linear between knots
    Platt      1/(1 + exp(-(a + b logit p))), fitted to smoothed targets (N+ + 1)/(N+ + 2) and 1/(N- + 2)

    mended = platt(held_out_truth, held_out_shares).applied(new_shares)

For more than two classes each class gets its own map against the rest and the rows are scaled back to 1. A constant
share teaches Platt's map nothing but the base rate.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from hornbeam.errors import InputError
from hornbeam.evaluation import logistic
from hornbeam.evaluation.calibration import logit
from hornbeam.evaluation.inputs import Floats, binary_probabilities, checked_probabilities, numbers_of


class Recalibration(Protocol):
    """A map of shares to better shares."""

    def applied(self, probabilities: Any) -> Floats:
        """The mended shares."""
        ...


@dataclasses.dataclass(frozen=True, eq=False)
class Isotonic:
    """The knots of a non-decreasing map."""

    probabilities: Floats
    mended: Floats

    def applied(self, probabilities: Any) -> Floats:
        """The mended shares: linear between the knots, flat outside."""
        return np.asarray(np.interp(numbers_of("shares", probabilities), self.probabilities, self.mended))


@dataclasses.dataclass(frozen=True)
class Platt:
    """The line in log-odds."""

    intercept: float
    slope: float

    def applied(self, probabilities: Any) -> Floats:
        """The mended shares."""
        return logistic.expit(self.intercept + self.slope * logit(numbers_of("shares", probabilities)))


def isotonic(truth: Any, probabilities: Any, weights: Any = None) -> Isotonic:
    """The isotonic map of shares to the positives found, by pool adjacent violators."""
    flags, found, kept = _both_classes(truth, probabilities, weights)
    knots, place = np.unique(found, return_inverse=True)
    weight = np.bincount(place, kept).astype(np.float64)
    level = pool_adjacent_violators(np.bincount(place, kept * flags) / weight, weight)
    return Isotonic(knots, level)


def pool_adjacent_violators(values: Floats, weights: Floats) -> Floats:
    """The non-decreasing sequence nearest to the values in weighted least squares."""
    levels: list[float] = []
    masses: list[float] = []
    lengths: list[int] = []
    for value, weight in zip(values.tolist(), weights.tolist()):
        levels.append(value)
        masses.append(weight)
        lengths.append(1)
        while len(levels) > 1 and levels[-2] >= levels[-1]:
            mass = masses[-2] + masses[-1]
            levels[-2:] = [(levels[-2] * masses[-2] + levels[-1] * masses[-1]) / mass]
            masses[-2:] = [mass]
            lengths[-2:] = [lengths[-2] + lengths[-1]]
    return np.repeat(np.array(levels), lengths)


def platt(truth: Any, probabilities: Any, weights: Any = None) -> Platt:
    """Platt's sigmoid on the log-odds of the shares."""
    flags, found, kept = _both_classes(truth, probabilities, weights)
    positive, negative = float(kept[flags].sum()), float(kept[~flags].sum())
    target = np.where(flags, (positive + 1) / (positive + 2), 1 / (negative + 2))
    x = logit(found)
    if x.min() == x.max():
        base = float(np.average(target, weights=kept))
        return Platt(float(logit(np.array([base]))[0]), 0.0)
    line = logistic.fitted_line(x, target, kept)
    return Platt(line.intercept, line.slope)


def _both_classes(truth: Any, probabilities: Any, weights: Any) -> tuple[Any, Floats, Floats]:
    flags, found, kept = binary_probabilities(truth, probabilities, weights)
    if not len(flags) or flags.all() or not flags.any():
        raise InputError(
            f"Recalibration needs rows of both classes; got {int(flags.sum())} positive of {len(flags)}.",
            hint="Hold out more rows for recalibration.",
        )
    return flags, found, kept


def recalibrate(probabilities: Any, maps: Sequence[Recalibration]) -> Floats:
    """Class shares (n, K) with one map a class applied, scaled back to 1; rows mended to all zeros become even."""
    found = checked_probabilities(probabilities, len(maps))
    mended = np.column_stack([each.applied(found[:, k]) for k, each in enumerate(maps)])
    total = mended.sum(axis=1, keepdims=True)
    return np.where(total > 0, mended / np.where(total > 0, total, 1.0), 1 / len(maps))
