"""What share would the most frequent class get wrong?  I = 1 - max p. Legal, but flat: many splits tie at gain 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.criteria.base import NodeImpurity, class_shares, or_empty
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Misclassification(NodeImpurity):
    """1 - the largest class share."""

    name: ClassVar[str] = "misclassification"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """1 - max p."""
        return or_empty(1.0 - class_shares(stats).max(axis=-1), stats)
