"""How differently do the classes fall on the branches, whatever their sizes?

sqrt(sum_b (sqrt P(b|k) - sqrt P(b|rest))^2).

Class sizes do not enter, which helps when one class is rare. Two classes: the distance between them; more: the
largest over each class against the rest. Between 0 and sqrt 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import SplitScore, known_share
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Hellinger(SplitScore):
    """The Hellinger distance between the classes' shares of the branches."""

    name: ClassVar[str] = "hellinger"

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The largest distance of a class from the rest; 0 where only one class is present."""
        total = parent.sum()
        best = np.zeros(branches.shape[:-2])
        for k in np.flatnonzero((parent > 0) & (parent < total)).tolist():
            own = np.maximum(branches[..., k], 0.0) / parent[k]
            rest = np.maximum(branches.sum(axis=-1) - branches[..., k], 0.0) / (total - parent[k])
            apart = np.sqrt(own) - np.sqrt(rest)
            best = np.maximum(best, np.sqrt((apart * apart).sum(axis=-1)))
        return np.asarray(best * known_share(parent, unknown), dtype=np.float64)
