"""Misclassification rate of the most frequent class: I = 1 - max p. Many splits tie at gain 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.criteria.base import NodeImpurity, or_empty
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class Misclassification(NodeImpurity):
    """The decrease of the error rate, 1 - the largest class probability."""

    name: ClassVar[str] = "misclassification"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """1 - max p."""
        return or_empty(1.0 - class_probabilities(stats).max(axis=-1), stats)
