"""How far apart are the branches' classes?

The notes' "CART measure": 2 f_0 f_1 sum_k |p_k(0) - p_k(1)|, between 0 and 1.

It equals sum_b sum_k |P(k, b) - P(k) P(b)|, which is the form used here: it also serves more than two branches.
Neither an impurity decrease nor CART's own criterion (definition 2.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import SplitScore, branch_shares, class_shares, known_share
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class CartMeasure(SplitScore):
    """The notes' measure of how far the branches' class shares differ."""

    name: ClassVar[str] = "cart_measure"

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """Distance of the joint shares from independence."""
        joint = branches / parent.sum()
        alone = class_shares(parent) * branch_shares(branches)[..., None]
        return np.asarray(np.abs(joint - alone).sum(axis=(-2, -1)) * known_share(parent, unknown), dtype=np.float64)
