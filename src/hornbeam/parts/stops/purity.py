"""Stop by purity, the fraction of the largest class: purity >= pi stops (lecture note 3).

Fractions that differ from pi by rounding (1e-12) have reached it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class Purity(Stop):
    """A node whose largest class has at least the fraction pi of the weight is a leaf."""

    name: ClassVar[str] = "purity"
    reasons: ClassVar[tuple[str, ...]] = ("purity",)
    supports: ClassVar[tuple[str, ...]] = ("class",)
    rank: ClassVar[int] = 3
    pi: float = option(0.95, "fraction of the largest class at which a node is not split", above=0, at_most=1)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if float(node.stats.max()) >= (self.pi - 1e-12) * float(node.stats.sum()) else None
