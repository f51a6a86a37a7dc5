"""The "CART measure" of the lecture notes: 2 f_0 f_1 sum_k |p_k(0) - p_k(1)|, between 0 and 1.

It equals sum_b sum_k |P(k, b) - P(k) P(b)|, the form used here, which also applies to more than two branches. It is
neither an impurity decrease nor CART's own criterion (definition 2.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import SplitScore, branch_fractions, known_fraction
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class CartMeasure(SplitScore):
    """The lecture notes' measure of how far the class probabilities of the branches differ."""

    name: ClassVar[str] = "cart_measure"

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The distance of the joint probabilities from independence."""
        joint = branches / parent.sum()
        independent = class_probabilities(parent) * branch_fractions(branches)[..., None]
        return np.asarray(
            np.abs(joint - independent).sum(axis=(-2, -1)) * known_fraction(parent, unknown), dtype=np.float64
        )
