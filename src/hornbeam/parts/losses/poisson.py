"""The Poisson loss: the deviance 2 (y ln(y/m) - (y - m)) of a count y from a rate m; the best prediction is the mean.

The loss of a rate m is the mean of 2 m phi(y / m - 1), phi(d) = (1 + d) ln(1 + d) - d, which does not cancel for large
counts. A negative target raises an error.

With `shrink` = k above 0 a node predicts (a + events) / (b + weight) with a = 1 / k^2 and b = a / rate of all rows: the
posterior mean under a gamma prior of the rates whose mean is the rate of all rows and whose coefficient of variation is
k. This is `parms = list(shrink = k)` of rpart, where it is 1 by default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.errors import InputError
from hornbeam.options import option
from hornbeam.parts.losses.base import Loss
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Poisson(Loss):
    """The Poisson deviance of a count from a predicted rate."""

    name: ClassVar[str] = "poisson"
    supports: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "distribution"
    shrink: float = option(
        0.0, "coefficient of variation of the gamma prior of the rates; 0 means no shrinkage", at_least=0.0, at_most=1e6
    )

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The weighted mean."""
        assert targets is not None
        return _mean_of(stats, targets)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """2 mean(y ln(y / a) - (y - a)); infinite for a prediction of 0 where there are counts."""
        assert targets is not None
        rate = np.asarray(answer, dtype=np.float64)[..., None]
        apart = np.divide(targets - rate, rate, out=np.zeros(np.broadcast(targets, rate).shape), where=rate > 0)
        total = stats.sum(axis=-1)
        loss = (stats * rate_divergence(apart)).sum(axis=-1) * rate[..., 0]
        mean = np.divide(loss, total, out=np.zeros(np.shape(total)), where=np.asarray(total) > 0)
        impossible = (rate[..., 0] <= 0) & (_mean_of(stats, targets) > 0)
        return np.asarray(np.where(impossible, np.inf, 2.0 * mean), dtype=np.float64)

    def shrunken(self, answer: Floats, weight: Floats, overall: float) -> Floats:
        """The rates shrunk toward the rate of all rows, more for nodes of less weight."""
        if self.shrink <= 0 or overall <= 0:
            return answer
        square = self.shrink**2
        return np.asarray((1.0 + square * weight * answer) / (1.0 / overall + square * weight), dtype=np.float64)

    def check_target(self, target: Floats) -> None:
        """Raise an error for a negative count."""
        if (target < 0).any():
            row = int(np.flatnonzero(target < 0)[0])
            raise InputError(f"A Poisson target must be 0 or more, got {target[row]:g} in row {row}.", row=row)


def rate_divergence(d: Floats) -> Floats:
    """(1 + d) ln(1 + d) - d for d of -1 or more; a series near 0, where the difference would cancel."""
    d = np.maximum(np.asarray(d, dtype=np.float64), -1.0)
    series = np.zeros_like(d)
    for k in range(12, 1, -1):
        series = 1.0 / (k * (k - 1)) - d * series
    inside = np.log1p(d, out=np.zeros_like(d), where=d > -1.0)
    return np.where(np.abs(d) < 0.01, d * d * series, (1.0 + d) * inside - d)


def _mean_of(stats: Floats, numbers: Floats) -> Floats:
    """The weighted mean, at least the smallest and at most the largest number present: equal numbers have no spread."""
    total = stats.sum(axis=-1)
    found = np.divide(stats @ numbers, total, out=np.zeros(np.shape(total)), where=np.asarray(total) > 0)
    lowest = np.min(np.where(stats > 0, numbers, np.inf), axis=-1, initial=np.inf)
    highest = np.max(np.where(stats > 0, numbers, -np.inf), axis=-1, initial=-np.inf)
    return np.asarray(np.where(np.asarray(total) > 0, np.clip(found, lowest, highest), found), dtype=np.float64)
