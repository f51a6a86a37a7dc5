"""Pearson's chi-square statistic of the table of branches and classes, divided by the weight.

sum (O - E)^2 / E / W,   E = W_b W_k / W;  empty rows and columns add nothing
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import SplitScore, branch_fractions, known_fraction
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class ChiSquare(SplitScore):
    """Pearson's chi-square statistic of branches and classes, per unit of weight."""

    name: ClassVar[str] = "chi_square"

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The squared distance from independence, relative to the expected values."""
        joint = branches / parent.sum()
        independent = class_probabilities(parent) * branch_fractions(branches)[..., None]
        cells = np.divide((joint - independent) ** 2, independent, out=np.zeros(joint.shape), where=independent > 0)
        return np.asarray(cells.sum(axis=(-2, -1)) * known_fraction(parent, unknown), dtype=np.float64)
