"""What if a row of unknown answer goes down every branch, in part (C4.5)?

Its weight is shared as the known weight was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.missing.base import Missing
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.tree.nodes import ALL_BRANCHES


@dataclass(frozen=True)
class Fractional(Missing):
    """Send a row down all branches, with the share of known weight that each took."""

    name: ClassVar[str] = "fractional"

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """ALL_BRANCHES."""
        return ALL_BRANCHES
