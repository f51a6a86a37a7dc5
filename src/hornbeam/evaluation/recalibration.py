"""Recalibration of probabilities by a map fitted on held-out rows.

    isotonic   the non-decreasing steps nearest to y in least squares (pool adjacent violators), linear between knots
    Platt      1/(1 + exp(-(a + b logit p))), fitted to smoothed targets (N+ + 1)/(N+ + 2) and 1/(N- + 2)

    recalibrated = platt(held_out_truth, held_out_probabilities).apply(new_probabilities)

With more than two classes, each class has its own map against the rest, and rows are rescaled to sum to 1. From a
constant probability Platt's map can learn only the base rate.
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
    """A map of probabilities to recalibrated probabilities."""

    def apply(self, probabilities: Any) -> Floats:
        """The recalibrated probabilities."""
        ...


@dataclasses.dataclass(frozen=True, eq=False)
class Isotonic:
    """The knots of a non-decreasing map."""

    probabilities: Floats
    recalibrated: Floats

    def apply(self, probabilities: Any) -> Floats:
        """The recalibrated probabilities: linear between the knots, constant outside."""
        return np.asarray(np.interp(numbers_of("probabilities", probabilities), self.probabilities, self.recalibrated))


@dataclasses.dataclass(frozen=True)
class Platt:
    """A line in log-odds."""

    intercept: float
    slope: float

    def apply(self, probabilities: Any) -> Floats:
        """The recalibrated probabilities."""
        return logistic.expit(self.intercept + self.slope * logit(numbers_of("probabilities", probabilities)))


def isotonic(truth: Any, probabilities: Any, weights: Any = None) -> Isotonic:
    """The isotonic map of probabilities to observed fractions of positives, by pool adjacent violators."""
    flags, found, kept = _both_classes(truth, probabilities, weights)
    knots, index = np.unique(found, return_inverse=True)
    weight = np.bincount(index, kept).astype(np.float64)
    level = pool_adjacent_violators(np.bincount(index, kept * flags) / weight, weight)
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
    """Platt's sigmoid on the log-odds of the probabilities."""
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
            f"Recalibration requires rows of both classes, got {int(flags.sum())} positive of {len(flags)}.",
            hint="Hold out more rows for recalibration.",
        )
    return flags, found, kept


def recalibrate(probabilities: Any, maps: Sequence[Recalibration]) -> Floats:
    """Class probabilities (n, K) with one map per class applied, rescaled to 1; rows of zeros become uniform."""
    found = checked_probabilities(probabilities, len(maps))
    mapped = np.column_stack([each.apply(found[:, k]) for k, each in enumerate(maps)])
    total = mapped.sum(axis=1, keepdims=True)
    return np.where(total > 0, mapped / np.where(total > 0, total, 1.0), 1 / len(maps))
