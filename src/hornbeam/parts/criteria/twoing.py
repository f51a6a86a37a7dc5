"""Twoing rule of Breiman et al.: (f_0 f_1 / 4) (sum_k |p_k(0) - p_k(1)|)^2.

It is the largest two-class decrease of p (1 - p) over all groupings of the classes into two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import SplitScore, branch_fractions, known_fraction
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class Twoing(SplitScore):
    """Breiman's twoing rule, for two branches."""

    name: ClassVar[str] = "twoing"
    two_branches: ClassVar[bool] = True

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """(f0 f1 / 4) times the squared distance of the class probabilities."""
        f, p = branch_fractions(branches), class_probabilities(branches)
        apart = np.abs(p[..., 0, :] - p[..., 1, :]).sum(axis=-1)
        value = f[..., 0] * f[..., 1] / 4 * apart * apart * known_fraction(parent, unknown)
        return np.asarray(value, dtype=np.float64)
