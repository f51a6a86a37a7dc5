"""Minimum size of a node that is split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop
from hornbeam.parts.weight_limits import reaches


@dataclass(frozen=True)
class MinSplit(Stop):
    """A node with fewer rows, or less weight, is a leaf."""

    name: ClassVar[str] = "min_split"
    reasons: ClassVar[tuple[str, ...]] = ("below min_split",)
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 4
    rows: int = option(2, "minimum number of rows of a node that is split", at_least=1)
    weight: float = option(0.0, "minimum weight of a node that is split", at_least=0)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if node.n_rows < self.rows or not reaches(node.weight, self.weight) else None
