"""How many nodes may a tree have?  Asked when a node's turn comes, so the order of growth matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop


@dataclass(frozen=True)
class MaxNodes(Stop):
    """No question that would make more nodes than this."""

    name: ClassVar[str] = "max_nodes"
    needs_target: ClassVar[bool] = False
    stage: ClassVar[Stage] = Stage.SIZE
    rank: ClassVar[int] = 11
    nodes: int = option(61, "the most nodes of the tree", at_least=1)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'nodes'."""
        assert candidate is not None
        return "nodes" if node.nodes + candidate.n_branches > self.nodes else None
