"""Is a node pure enough?  purity = largest class share; stop when purity >= pi (lecture note 3).

Shares that differ from pi by rounding alone (1e-12) have reached it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class Purity(Stop):
    """A node whose largest class share reaches pi is a leaf."""

    name: ClassVar[str] = "purity"
    supports: ClassVar[tuple[str, ...]] = ("class",)
    rank: ClassVar[int] = 3
    pi: float = option(0.95, "the share of the largest class that is enough", above=0, at_most=1)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'purity'."""
        return "purity" if float(node.stats.max()) >= (self.pi - 1e-12) * float(node.stats.sum()) else None
