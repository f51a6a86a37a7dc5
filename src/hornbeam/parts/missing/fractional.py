"""Fractional rows, as in C4.5: a row with a missing value goes down all branches, by their parts of known weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.missing.base import Missing
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.tree.nodes import ALL_BRANCHES


@dataclass(frozen=True)
class Fractional(Missing):
    """Send a row down all branches, with the fraction of the known weight of each."""

    name: ClassVar[str] = "fractional"
    divides_rows: ClassVar[bool] = True

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """Return ALL_BRANCHES: fractions of the row go to all branches."""
        return ALL_BRANCHES
