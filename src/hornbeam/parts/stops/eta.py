"""Is a node too small to go on?  n <= eta (lecture note 3; the limit itself stops)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stop


@dataclass(frozen=True)
class Eta(Stop):
    """A node of at most this many rows is a leaf."""

    name: ClassVar[str] = "eta"
    needs_target: ClassVar[bool] = False
    rank: ClassVar[int] = 2
    rows: int = option(5, "the largest number of rows that is not split, the notes' eta", at_least=0)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'at most eta rows'."""
        return "at most eta rows" if node.n_rows <= self.rows else None
