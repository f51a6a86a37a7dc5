"""The interface of a strategy for missing values: the table to grow on, how such rows count, and where they go.

prepare(table)            the table to grow on: rows excluded, or an error
ready(sample)             the sample with `missing_mode` set (and columns imputed)
direction(node, chosen)   a branch, STAY (the row ends at the node) or ALL_BRANCHES (fractions of it go to all branches)
surrogates(node, chosen)  other questions that decide first

mode     the score of a column
apart    is computed on its known rows, times their fraction of the weight (definition 7.2)
impute   is computed on all rows, with imputed values (7.1)
either   is computed on all rows, those with missing values in the branch of best score (7.6)
branch   is computed on all rows, those with missing values being a branch of their own (7.6)
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from hornbeam.errors import OptionError, Set
from hornbeam.options import Part
from hornbeam.parts.node import Candidate, Floats, NodeView, Sample
from hornbeam.table.table import Table
from hornbeam.tree.questions import Question

if TYPE_CHECKING:
    from hornbeam.parts.criteria import Criterion
    from hornbeam.parts.searches import Search


@dataclasses.dataclass(frozen=True, eq=False)
class Surrogate:
    """A question that decides where the value of the first one is missing; a flipped one swaps its branches."""

    question: Question
    is_flipped: bool
    agree: float
    adjusted: float


@dataclasses.dataclass(frozen=True)
class Missing(Part, abc.ABC):
    """A strategy for missing values.

    `mode` decides how they count in scores, `needs_target` whether the target decides their branch. `uses_sums`: sums
    over groups of rows are enough to count and send them. `divides_rows`: it sends a row to several branches.
    """

    part_type: ClassVar[str] = "missing"
    mode: ClassVar[str] = "apart"
    needs_target: ClassVar[bool] = False
    uses_sums: ClassVar[bool] = False
    divides_rows: ClassVar[bool] = False

    def check(self, criterion: Criterion | None, searches: Sequence[Search]) -> None:
        """Raise an error if the strategy cannot be combined with the criterion or a search."""
        return None

    def prepare(self, table: Table) -> Table:
        """The table to grow on."""
        return table

    def ready(self, sample: Sample) -> Sample:
        """The sample with the mode of this strategy."""
        return sample if self.mode == sample.missing_mode else dataclasses.replace(sample, missing_mode=self.mode)

    @abc.abstractmethod
    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The branch of rows whose value is missing, STAY or SHARE."""

    def surrogates(self, node: NodeView, chosen: Candidate) -> list[Surrogate]:
        """The questions that decide where the value of the chosen one is missing, best first."""
        return []


def majority_branch(known: Floats) -> int:
    """The branch of largest known weight, the first on ties."""
    return int(known.argmax())


def require_two_branches(name: str, searches: Sequence[Search]) -> None:
    """Raise an error if a search makes more than two branches."""
    for search in searches:
        if search.is_multiway:
            raise OptionError(
                f"Missing-value strategy {name!r} requires searches of two branches, but {search.name!r} makes more.",
                fix=[Set("missing", name) for name in ("fractional", "skip_column", "own_branch")],
                hint="or use searches with two branches.",
                option="missing",
                got=name,
            )
