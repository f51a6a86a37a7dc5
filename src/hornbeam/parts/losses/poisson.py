"""How unlikely is a count?  Half the deviance is y ln(y/m) - (y - m); centroid: the mean rate m; risk: mean deviance.

risk = 2 (mean of y ln y  -  m ln m)          0 ln 0 = 0; a negative target is refused
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
        rate = np.asarray(answer, dtype=np.float64)
        mean = _mean_of(stats, targets)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossed = np.where(mean > 0, mean * np.log(rate), 0.0)
        own = _mean_of(stats, xln(targets))
        return np.asarray(np.maximum(2.0 * (own - crossed - (mean - rate)), 0.0), dtype=np.float64)

    def check_target(self, target: Floats) -> None:
        """Counts are 0 or more."""
        if (target < 0).any():
            row = int(np.flatnonzero(target < 0)[0])
            raise InputError(f"A Poisson target must be 0 or more; got {target[row]:g} in row {row}.", row=row)


def xln(x: Floats) -> Floats:
    """X ln x, 0 at 0."""
    return np.asarray(x * np.log(x, out=np.zeros_like(x, dtype=np.float64), where=x > 0), dtype=np.float64)


def _mean_of(stats: Floats, numbers: Floats) -> Floats:
    total = stats.sum(axis=-1)
    found: Floats = np.divide(stats @ numbers, total, out=np.zeros(np.shape(total)), where=np.asarray(total) > 0)
    return found
