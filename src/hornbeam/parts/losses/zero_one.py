"""Is the answer right or wrong?  Centroid: the class of largest share, the lowest index on ties; risk 1 - max p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.parts.losses.base import Loss, first_largest, probabilities
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class ZeroOne(Loss):
    """1 for a wrong class, 0 for the right one."""

    name: ClassVar[str] = "zero_one"

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The most frequent class."""
        return first_largest(stats)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """1 - p of the answer."""
        index = np.broadcast_to(np.asarray(answer, dtype=np.int64), stats.shape[:-1])
        right: Floats = np.take_along_axis(probabilities(stats), index[..., None], axis=-1)[..., 0]
        return 1.0 - right
