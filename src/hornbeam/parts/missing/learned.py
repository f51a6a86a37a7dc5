"""What if missing values go where they fit best?  Every cut is tried with them left and right (definition 7.6).

    x <= cut, missing left    |    x <= cut, missing right    |    x is missing, against the rest

All rows count. On a tie they go with the branch of larger known weight, then to the first. At a node where nothing is
missing they will follow the branch of larger weight. With many branches they are tried in each. That values are
missing thus becomes a signal: it must mean the same when the tree is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.missing.base import Missing, majority_branch
from hornbeam.parts.node import Candidate, NodeView


@dataclass(frozen=True)
class Learned(Missing):
    """Send missing values to the branch where they make the split best; or set them apart from all others."""

    name: ClassVar[str] = "learned"
    mode: ClassVar[str] = "either"
    needs_target: ClassVar[bool] = True

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The branch that the search found best, or the heaviest one where nothing was missing."""
        return majority_branch(chosen.weight) if chosen.missing_branch is None else chosen.missing_branch
