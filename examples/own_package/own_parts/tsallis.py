"""Tsallis entropy of the class probabilities: I = (1 - sum p^q) / (q - 1). q = 2 is Gini."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.criteria.base import NodeImpurity, or_empty
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class Tsallis(NodeImpurity):
    """The decrease of the Tsallis entropy of the classes."""

    name: ClassVar[str] = "tsallis"
    q: float = option(1.5, "exponent of the class probabilities", above=1, at_most=10)

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """(1 - sum p^q) / (q - 1)."""
        powers = (class_probabilities(stats) ** self.q).sum(axis=-1)
        return or_empty((1.0 - powers) / (self.q - 1.0), stats)
