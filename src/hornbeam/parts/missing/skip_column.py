"""Scores on known rows: rows with a missing value do not count for a column.

They follow the majority branch, or stay at the node.
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
    """Score each column on its known rows; the others follow the majority branch, or stay at the node."""

    name: ClassVar[str] = "skip_column"
    uses_sums: ClassVar[bool] = True
    route: str = option(
        "majority",
        "where a row with a missing value goes: to the majority branch, or it stays at the node",
        choices=("majority", "stay"),
    )

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The majority branch, or STAY."""
        return majority_branch(chosen.weight) if self.route == "majority" else STAY
