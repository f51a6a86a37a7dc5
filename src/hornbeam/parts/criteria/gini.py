"""Gini impurity: the probability that two rows drawn from a node differ in class, I = 1 - sum p_k^2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.criteria.base import NodeImpurity, or_empty
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class Gini(NodeImpurity):
    """The decrease of Gini's impurity, 1 - sum of squared class probabilities."""

    name: ClassVar[str] = "gini"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """1 - sum p^2."""
        p = class_probabilities(stats)
        return or_empty(1.0 - (p * p).sum(axis=-1), stats)
