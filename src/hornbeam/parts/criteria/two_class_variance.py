"""Variance of two classes: I = p_1 p_2, which is Gini / 2 and gives the same splits (lecture note 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class TwoClassVariance(NodeImpurity):
    """The decrease of the product of the probabilities of two classes."""

    name: ClassVar[str] = "two_class_variance"
    only_classes: ClassVar[int | None] = 2

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The product p1 p2."""
        p = class_probabilities(stats)
        found: Floats = p[..., 0] * p[..., 1]
        return found
