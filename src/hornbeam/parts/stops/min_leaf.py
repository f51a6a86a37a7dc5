"""How many rows must a leaf have?  It bars questions (definition 3.0), and nodes too small to be split by any question.

Both branches of a binary question, and at least two of a multiway one, must hold this much, counted on known answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, Limits, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class MinLeaf(Stop):
    """No question may make a branch with fewer rows, or less weight."""

    name: ClassVar[str] = "min_leaf"
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 6
    rows: int = option(1, "the fewest rows of a leaf", at_least=1)
    weight: float = option(0.0, "the least weight of a leaf", at_least=0)

    @property
    def limits(self) -> Limits:
        """What searches must respect."""
        return Limits(self.rows, self.weight)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'below min_leaf' when no question at all could satisfy it."""
        small = node.n_rows < 2 * self.rows or node.weight < 2 * self.weight * (1 - 1e-10)
        return "below min_leaf" if small else None
