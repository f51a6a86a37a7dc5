"""How far are the class shares given from the truth, squared?

Centroid: p; risk: Gini 1 - sum p^2; divergence: sum (p - q)^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.parts.losses.base import Loss, probabilities
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Brier(Loss):
    """Squared distance of class shares from the true class as a one-hot vector."""

    name: ClassVar[str] = "brier"

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The class shares."""
        return probabilities(stats)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """1 - 2 p q + q q."""
        p, q = probabilities(stats), np.asarray(answer, dtype=np.float64)
        return np.asarray(1.0 + ((q - 2 * p) * q).sum(axis=-1), dtype=np.float64)
