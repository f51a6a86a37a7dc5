"""The stop by the decrease of the whole tree's impurity: P(t) gain < least stops; equality up to 1e-12 splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop


@dataclass(frozen=True)
class MinDecrease(Stop):
    """A node whose share of rows times gain is below this is a leaf."""

    name: ClassVar[str] = "min_decrease"
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 9
    decrease: float = option(0.0, "the least decrease of the whole tree's impurity", at_least=0)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'min decrease'."""
        small = candidate is not None and node.fraction * candidate.gain < self.decrease * (1 - 1e-12)
        return "min decrease" if small else None
