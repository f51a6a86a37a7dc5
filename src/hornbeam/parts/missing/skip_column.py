"""What if a row's value is missing?

The column is judged without it; then it follows the majority or stays at the node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.missing.base import Missing, majority_branch
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.tree.nodes import STAY


@dataclass(frozen=True)
class SkipColumn(Missing):
    """Judge each column on its known rows; send the others with the majority, or let them stay."""

    name: ClassVar[str] = "skip_column"
    route: str = option("majority", "where a row of unknown answer goes", choices=("majority", "stay"))

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The heaviest branch, or STAY."""
        return majority_branch(chosen.weight) if self.route == "majority" else STAY
