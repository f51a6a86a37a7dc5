"""Minimum size of a leaf: questions that would make a smaller branch are not allowed (definition 3.0).

Both branches of a binary question, and at least two of a multiway one, must have this size, counted on the rows whose
branch is known. A node that no question can split is a leaf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, Limits, NodeView
from hornbeam.parts.stops.base import Stop
from hornbeam.parts.weight_limits import reaches


@dataclass(frozen=True)
class MinLeaf(Stop):
    """No question may make a branch with fewer rows, or less weight."""

    name: ClassVar[str] = "min_leaf"
    reasons: ClassVar[tuple[str, ...]] = ("below min_leaf",)
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 6
    rows: int = option(1, "minimum number of rows of a leaf", at_least=1)
    weight: float = option(0.0, "minimum weight of a leaf", at_least=0)

    @property
    def limits(self) -> Limits:
        """The minimum size of a branch, for searches."""
        return Limits(self.rows, self.weight)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if no question could make branches that are large enough."""
        is_small = node.n_rows < 2 * self.rows or not reaches(node.weight, 2 * self.weight)
        return self.reasons[0] if is_small else None
