"""How likely are two rows drawn from a node to differ in class?  I = 1 - sum p_k^2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.criteria.base import NodeImpurity, class_shares, or_empty
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Gini(NodeImpurity):
    """Gini's impurity: 1 - sum of squared class shares."""

    name: ClassVar[str] = "gini"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """1 - sum p^2."""
        p = class_shares(stats)
        return or_empty(1.0 - (p * p).sum(axis=-1), stats)
