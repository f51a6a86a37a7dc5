"""How much does a coin with these two shares vary?  I = p_1 p_2, which is Gini / 2: same splits (lecture note 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.criteria.base import NodeImpurity, class_shares
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class TwoClassVariance(NodeImpurity):
    """The product of the shares of two classes."""

    name: ClassVar[str] = "two_class_variance"
    only_classes: ClassVar[int | None] = 2

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The product p1 p2."""
        p = class_shares(stats)
        found: Floats = p[..., 0] * p[..., 1]
        return found
