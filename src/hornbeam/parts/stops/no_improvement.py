"""A node becomes a leaf if no admissible question was found. Every method has this stop, listed or not.

A question of gain 0 is admissible only in a method with `allow_zero_gain`, as in scikit-learn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop


@dataclass(frozen=True)
class NoImprovement(Stop):
    """A node without an admissible question is a leaf."""

    name: ClassVar[str] = "no_improvement"
    reasons: ClassVar[tuple[str, ...]] = ("no improvement",)
    needs_target: ClassVar[bool] = False
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 7

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if candidate is None else None
