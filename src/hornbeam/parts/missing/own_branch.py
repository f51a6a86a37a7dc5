"""What if "unknown" is an answer of its own?  Every question gets one branch more, for rows whose value is missing.

    psa <= 10   |   psa > 10   |   psa is missing              and "is psa missing?" competes alone

All rows count in the score. Where rows of missing values are fewer than a branch must hold, they follow the heaviest
branch, and the column is judged on its known rows as by skip_column. A branch more makes no sense to a criterion that
compares two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hornbeam.errors import OptionError, Set
from hornbeam.parts.missing.base import Missing, majority_branch
from hornbeam.parts.node import Candidate, NodeView

if TYPE_CHECKING:
    from hornbeam.parts.criteria import Criterion
    from hornbeam.parts.searches import Search


@dataclass(frozen=True)
class OwnBranch(Missing):
    """Missing values are an answer: they get a branch of their own."""

    name: ClassVar[str] = "own_branch"
    holes: ClassVar[str] = "branch"

    def check(self, criterion: Criterion | None, searches: Sequence[Search]) -> None:
        """Raise for a criterion of two branches."""
        if criterion is not None and criterion.two_branches:
            raise OptionError(
                f"own_branch gives missing values a branch more, and {criterion.name} compares two branches.",
                fix=(Set("missing", "learned"), Set("missing", "surrogates"), Set("criterion", "gini")),
                option="missing",
                got=self.name,
            )

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """Their own branch, or the heaviest one where they have none."""
        return majority_branch(chosen.weight) if chosen.missing_branch is None else chosen.missing_branch
