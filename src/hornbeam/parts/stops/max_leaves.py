"""How many leaves may a tree have?  Asked when a node's turn comes, so the order of growth matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop


@dataclass(frozen=True)
class MaxLeaves(Stop):
    """No question that would make more leaves than this."""

    name: ClassVar[str] = "max_leaves"
    needs_target: ClassVar[bool] = False
    stage: ClassVar[Stage] = Stage.SIZE
    rank: ClassVar[int] = 10
    leaves: int = option(31, "the most leaves of the tree", at_least=1)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'leaves'."""
        assert candidate is not None
        too_many = node.leaves - 1 + candidate.n_branches > self.leaves
        return "leaves" if too_many else None
