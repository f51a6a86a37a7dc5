"""Maximum number of leaves. It applies when a node is taken from the queue, so the order of growth matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop


@dataclass(frozen=True)
class MaxLeaves(Stop):
    """A question that would make more leaves than the maximum is not used."""

    name: ClassVar[str] = "max_leaves"
    reasons: ClassVar[tuple[str, ...]] = ("leaves",)
    needs_target: ClassVar[bool] = False
    stage: ClassVar[Stage] = Stage.SIZE
    rank: ClassVar[int] = 10
    leaves: int = option(31, "maximum number of leaves of the tree", at_least=1)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        assert candidate is not None
        too_many = node.leaves - 1 + candidate.n_branches > self.leaves
        return self.reasons[0] if too_many else None
