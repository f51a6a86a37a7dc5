"""Learned direction: every cut is tried with missing values in either branch (definition 7.6).

    x <= cut, missing left    |    x <= cut, missing right    |    x is missing, against the rest

All rows count. On a tie missing values go to the branch of larger known weight, then to the first. At a node without
missing values they follow the branch of larger weight. With many branches each is tried. Missingness becomes a signal,
so it must have the same meaning when the tree is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.missing.base import Missing, majority_branch
from hornbeam.parts.node import Candidate, NodeView


@dataclass(frozen=True)
class Learned(Missing):
    """Send missing values to the branch that makes the split best, or separate them from all others."""

    name: ClassVar[str] = "learned"
    uses_sums: ClassVar[bool] = True
    mode: ClassVar[str] = "either"
    needs_target: ClassVar[bool] = True

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The branch that the search selected, or the majority branch if nothing was missing."""
        return majority_branch(chosen.weight) if chosen.missing_branch is None else chosen.missing_branch
