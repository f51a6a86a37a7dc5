"""A node whose rows all have the same target is a leaf. Rows are compared, never differences of weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class Pure(Stop):
    """A node whose rows all have the same class or number is a leaf."""

    name: ClassVar[str] = "pure"
    reasons: ClassVar[tuple[str, ...]] = ("pure",)
    rank: ClassVar[int] = 0

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if node.is_pure else None
