"""Do all rows of a node agree?  By rows, never by differences of weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class Pure(Stop):
    """All rows have the same class or number."""

    name: ClassVar[str] = "pure"
    rank: ClassVar[int] = 0

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'pure'."""
        return "pure" if node.is_pure else None
