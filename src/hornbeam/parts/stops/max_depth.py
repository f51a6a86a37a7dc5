"""Maximum depth of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class MaxDepth(Stop):
    """A node at the maximum depth is a leaf."""

    name: ClassVar[str] = "max_depth"
    reasons: ClassVar[tuple[str, ...]] = ("depth",)
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 5
    depth: int = option(30, "maximum depth; the root has depth 0", at_least=0, at_most=1_000_000)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if node.depth >= self.depth else None
