"""A branch of their own for missing values: every question gets an additional branch.

    psa <= 10   |   psa > 10   |   psa is missing              and "is psa missing?" competes alone

All rows count in the score. If the rows with missing values are fewer than the minimum size of a branch, they follow
the majority branch, and the column is scored on its known rows as with skip_column. The strategy cannot be combined
with a criterion of two branches.
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
    """Give missing values a branch of their own."""

    name: ClassVar[str] = "own_branch"
    uses_sums: ClassVar[bool] = True
    mode: ClassVar[str] = "branch"

    def check(self, criterion: Criterion | None, searches: Sequence[Search]) -> None:
        """Raise an error for a criterion of two branches."""
        if criterion is not None and criterion.two_branches:
            raise OptionError(
                f"Missing-value strategy 'own_branch' adds a branch, but {criterion.name!r} requires two branches.",
                fix=(Set("missing", "learned"), Set("missing", "surrogates"), Set("criterion", "gini")),
                option="missing",
                got=self.name,
            )

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """Their own branch, or the majority branch if they have none."""
        return majority_branch(chosen.weight) if chosen.missing_branch is None else chosen.missing_branch
