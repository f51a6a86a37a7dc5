"""A node becomes a leaf where no admissible question was found. Every method has this stop, listed or not.

A question of gain 0 helps only in a method with `allow_zero_gain`, which scikit-learn's trees correspond to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop


@dataclass(frozen=True)
class NoImprovement(Stop):
    """No admissible question was found."""

    name: ClassVar[str] = "no_improvement"
    needs_target: ClassVar[bool] = False
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 7

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'no improvement'."""
        return "no improvement" if candidate is None else None
