"""Zero-one loss. Centroid: the most probable class, the lowest index on ties; risk: 1 - max p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.parts.losses.base import Loss, first_largest
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class ZeroOne(Loss):
    """A cost of 1 for a wrong class and 0 for the right one."""

    name: ClassVar[str] = "zero_one"

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The most frequent class."""
        return first_largest(stats)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """1 - the probability of the predicted class."""
        index = np.broadcast_to(np.asarray(answer, dtype=np.int64), stats.shape[:-1])
        correct: Floats = np.take_along_axis(class_probabilities(stats), index[..., None], axis=-1)[..., 0]
        return 1.0 - correct
