"""Maximum number of nodes. It applies when a node is taken from the queue, so the order of growth matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop


@dataclass(frozen=True)
class MaxNodes(Stop):
    """A question that would make more nodes than the maximum is not used."""

    name: ClassVar[str] = "max_nodes"
    reasons: ClassVar[tuple[str, ...]] = ("nodes",)
    needs_target: ClassVar[bool] = False
    stage: ClassVar[Stage] = Stage.SIZE
    rank: ClassVar[int] = 11
    nodes: int = option(61, "maximum number of nodes of the tree", at_least=1)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        assert candidate is not None
        return self.reasons[0] if node.nodes + candidate.n_branches > self.nodes else None
