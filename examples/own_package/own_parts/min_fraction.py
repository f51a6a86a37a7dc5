"""Stop by size: a node with less than a fraction of the weight of all training rows is a leaf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops import Stop


@dataclass(frozen=True)
class MinFraction(Stop):
    """A node with less than this fraction of the weight is a leaf."""

    name: ClassVar[str] = "min_fraction"
    reasons: ClassVar[tuple[str, ...]] = ("below min_fraction",)
    fraction: float = option(0.1, "minimum fraction of the weight of a node that is split", at_least=0, at_most=1)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if node.fraction < self.fraction else None
