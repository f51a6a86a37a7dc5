"""Maximum number of rows of a leaf that is not split further: n <= eta stops (lecture note 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class Eta(Stop):
    """A node of at most `rows` rows is a leaf."""

    name: ClassVar[str] = "eta"
    reasons: ClassVar[tuple[str, ...]] = ("at most eta rows",)
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 2
    rows: int = option(5, "maximum number of rows of a node that is not split (eta in the lecture notes)", at_least=0)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if node.n_rows <= self.rows else None
