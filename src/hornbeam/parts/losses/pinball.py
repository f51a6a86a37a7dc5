"""Pinball loss: tau per unit below the truth, 1 - tau per unit above it. Centroid: the tau-quantile.

The quantile is the smallest target whose cumulative weight reaches tau times the weight (definition 2.1, E2.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.losses.base import Loss, weighted_quantile
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Pinball(Loss):
    """The loss whose best prediction is a quantile."""

    name: ClassVar[str] = "pinball"
    supports: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "distribution"
    predicts_quantile: ClassVar[bool] = True
    tau: float = option(0.5, "quantile that a leaf predicts", above=0, below=1)

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The weighted quantile."""
        assert targets is not None
        return weighted_quantile(stats, targets, self.tau)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """The mean of tau (y - a) above the prediction a and (1 - tau) (a - y) below it."""
        assert targets is not None
        return pinball_loss(stats, answer, targets, self.tau)


def pinball_loss(stats: Floats, answer: Any, targets: Floats, tau: float) -> Floats:
    """The mean pinball loss of predictions, one per row of statistics; 0 where there is no weight."""
    apart = targets - np.asarray(answer, dtype=np.float64)[..., None]
    cost = np.where(apart >= 0, tau * apart, (tau - 1.0) * apart)
    total = stats.sum(axis=-1)
    found: Floats = np.divide(
        (stats * cost).sum(axis=-1), total, out=np.zeros(np.shape(total)), where=np.asarray(total) > 0
    )
    return found
