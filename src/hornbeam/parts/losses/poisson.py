"""The Poisson loss: the deviance 2 (y ln(y/m) - (y - m)) of a count y from a rate m; the best prediction is the mean.

The loss of a rate m is the mean of 2 m phi(y / m - 1), phi(d) = (1 + d) ln(1 + d) - d, which does not cancel for large
counts. A negative target raises an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.errors import InputError
from hornbeam.parts.losses.base import Loss
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Poisson(Loss):
    """The Poisson deviance of a count."""

    name: ClassVar[str] = "poisson"
    suits: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "distribution"

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The weighted mean."""
        assert targets is not None
        return _mean_of(stats, targets)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """2 mean(y ln(y / a) - (y - a)); infinite for an answer 0 where there are counts."""
        assert targets is not None
        rate = np.asarray(answer, dtype=np.float64)[..., None]
        apart = np.divide(targets - rate, rate, out=np.zeros(np.broadcast(targets, rate).shape), where=rate > 0)
        total = stats.sum(axis=-1)
        loss = (stats * rate_divergence(apart)).sum(axis=-1) * rate[..., 0]
        mean = np.divide(loss, total, out=np.zeros(np.shape(total)), where=np.asarray(total) > 0)
        impossible = (rate[..., 0] <= 0) & (_mean_of(stats, targets) > 0)
        return np.asarray(np.where(impossible, np.inf, 2.0 * mean), dtype=np.float64)

    def check_target(self, target: Floats) -> None:
        """Counts are 0 or more."""
        if (target < 0).any():
            row = int(np.flatnonzero(target < 0)[0])
            raise InputError(f"A Poisson target must be 0 or more; got {target[row]:g} in row {row}.", row=row)


def rate_divergence(d: Floats) -> Floats:
    """(1 + d) ln(1 + d) - d for d of -1 or more; a series near 0, where the difference would cancel."""
    d = np.maximum(np.asarray(d, dtype=np.float64), -1.0)
    series = np.zeros_like(d)
    for k in range(12, 1, -1):
        series = 1.0 / (k * (k - 1)) - d * series
    inside = np.log1p(d, out=np.zeros_like(d), where=d > -1.0)
    return np.where(np.abs(d) < 0.01, d * d * series, (1.0 + d) * inside - d)


def _mean_of(stats: Floats, numbers: Floats) -> Floats:
    total = stats.sum(axis=-1)
    found: Floats = np.divide(stats @ numbers, total, out=np.zeros(np.shape(total)), where=np.asarray(total) > 0)
    return found
