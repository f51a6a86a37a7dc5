"""Minimum gain of a question: gain <= beta stops (lecture note 1: equality stops too)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop


@dataclass(frozen=True)
class MinGain(Stop):
    """A node whose best gain is at most beta is a leaf."""

    name: ClassVar[str] = "min_gain"
    reasons: ClassVar[tuple[str, ...]] = ("min gain",)
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 8
    beta: float = option(0.0, "maximum gain at which a node is not split", at_least=0)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if candidate is not None and candidate.gain <= self.beta * (1 + 1e-12) else None
