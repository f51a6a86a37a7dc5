"""Squared error (y - prediction)^2. Centroid: weighted mean; risk: variance; divergence: (mean - prediction)^2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.parts.losses.base import Loss
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Squared(Loss):
    """The squared error of a number."""

    name: ClassVar[str] = "squared"
    supports: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "moments"

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The weighted mean."""
        return ratio(stats[..., 1], stats[..., 0])

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """The variance plus the squared distance from the mean."""
        mean = ratio(stats[..., 1], stats[..., 0])
        variance = np.maximum(ratio(stats[..., 2], stats[..., 0]) - mean * mean, 0.0)
        return np.asarray(variance + (mean - answer) ** 2, dtype=np.float64)


def ratio(above: Floats, below: Floats) -> Floats:
    """The ratio above / below, and 0 where `below` is 0."""
    found: Floats = np.divide(above, below, out=np.zeros(np.shape(above)), where=np.asarray(below) > 0)
    return found
