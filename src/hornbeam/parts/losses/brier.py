"""Brier loss: squared error of class probabilities. Centroid: p; risk: Gini 1 - sum p^2; divergence: sum (p - q)^2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.parts.losses.base import Loss
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class Brier(Loss):
    """The squared distance of class probabilities from the true class as a one-hot vector."""

    name: ClassVar[str] = "brier"

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The class probabilities."""
        return class_probabilities(stats)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """1 - 2 p q + q q."""
        p, q = class_probabilities(stats), np.asarray(answer, dtype=np.float64)
        return np.asarray(1.0 + ((q - 2 * p) * q).sum(axis=-1), dtype=np.float64)
