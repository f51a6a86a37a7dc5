"""How many bits of surprise?

Centroid: the class shares p; risk: entropy; divergence: KL(p, q), infinite if q_k = 0 < p_k.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.parts.losses.base import Loss, probabilities
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Log(Loss):
    """-log2 of the share given to the true class."""

    name: ClassVar[str] = "log"

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The class shares."""
        return probabilities(stats)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """Cross entropy of the shares given."""
        p, q = probabilities(stats), np.broadcast_to(np.asarray(answer, dtype=np.float64), stats.shape)
        with np.errstate(divide="ignore"):
            bits = -np.log2(q)
        return np.asarray((p * np.where(p > 0, bits, 0.0)).sum(axis=-1), dtype=np.float64)
