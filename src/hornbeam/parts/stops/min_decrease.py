"""Minimum decrease of the impurity of the whole tree: P(t) gain < decrease stops; equality up to 1e-12 splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop


@dataclass(frozen=True)
class MinDecrease(Stop):
    """A node is a leaf if its fraction of the rows times its gain is below the minimum."""

    name: ClassVar[str] = "min_decrease"
    reasons: ClassVar[tuple[str, ...]] = ("min decrease",)
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 9
    decrease: float = option(0.0, "minimum decrease of the impurity of the whole tree", at_least=0)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        is_small = candidate is not None and node.fraction * candidate.gain < self.decrease * (1 - 1e-12)
        return self.reasons[0] if is_small else None
