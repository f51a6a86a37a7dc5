"""Hellinger distance between the distributions of the classes over the branches.

    sqrt(sum_b (sqrt P(b|k) - sqrt P(b|rest))^2), between 0 and sqrt 2

Class sizes do not enter, which helps if one class is rare. With two classes it is the distance between them; with more,
the largest over each class against the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import SplitScore, known_fraction
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Hellinger(SplitScore):
    """The Hellinger distance between the classes' distributions over the branches."""

    name: ClassVar[str] = "hellinger"

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The largest distance of a class from the rest; 0 if only one class is present."""
        total = parent.sum()
        best = np.zeros(branches.shape[:-2])
        for k in np.flatnonzero((parent > 0) & (parent < total)).tolist():
            own = np.maximum(branches[..., k], 0.0) / parent[k]
            rest = np.maximum(branches.sum(axis=-1) - branches[..., k], 0.0) / (total - parent[k])
            apart = np.sqrt(own) - np.sqrt(rest)
            best = np.maximum(best, np.sqrt((apart * apart).sum(axis=-1)))
        return np.asarray(best * known_fraction(parent, unknown), dtype=np.float64)
