"""Absolute error |y - prediction|. Centroid: the lower weighted median; risk: mean |y - median|."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from hornbeam.parts.losses.base import Loss, weighted_quantile
from hornbeam.parts.losses.pinball import pinball_loss
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Absolute(Loss):
    """The absolute error of a number."""

    name: ClassVar[str] = "absolute"
    supports: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "distribution"
    predicts_quantile: ClassVar[bool] = True

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The lower weighted median."""
        assert targets is not None
        return weighted_quantile(stats, targets, 0.5)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """The mean absolute error: twice the pinball loss at one half."""
        assert targets is not None
        return 2.0 * pinball_loss(stats, answer, targets, 0.5)
