"""Logarithmic loss in bits. Centroid: the class probabilities p; risk: entropy; divergence: KL(p, q)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.parts.losses.base import Loss
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class Log(Loss):
    """-log2 of the predicted probability of the true class."""

    name: ClassVar[str] = "log"

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The class probabilities."""
        return class_probabilities(stats)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """The cross entropy; infinite if a class that occurs has probability 0."""
        p, q = class_probabilities(stats), np.broadcast_to(np.asarray(answer, dtype=np.float64), stats.shape)
        with np.errstate(divide="ignore"):
            bits = -np.log2(q)
        return np.asarray((p * np.where(p > 0, bits, 0.0)).sum(axis=-1), dtype=np.float64)
