"""How long may a path be?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class MaxDepth(Stop):
    """No path is longer than this."""

    name: ClassVar[str] = "max_depth"
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 5
    depth: int = option(30, "the longest path from the root", at_least=0, at_most=1_000_000)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'depth'."""
        return "depth" if node.depth >= self.depth else None
