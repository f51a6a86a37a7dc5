"""What is a way with missing values?  What it does to the table first, how rows of missing values count in a column's
score, and where they go.

    prepare(table)            the table to grow on: rows left out, or an error
    ready(sample)             the sample with `holes` set (and columns filled): how rows of missing values count
    direction(node, chosen)   a branch, STAY (the row ends at the node) or ALL_BRANCHES (it goes down every branch in part)
    surrogates(node, chosen)  other questions to ask first

    holes    a column's score
    apart    is taken on its known rows, times their share of the weight (definition 7.2)
    fill     is taken on all rows, a value standing in for the missing ones (7.1)
    either   is taken on all rows, the missing ones with the branch that suits best (7.6)
    branch   is taken on all rows, the missing ones being a branch of their own (7.6)
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from hornbeam.errors import OptionError
from hornbeam.options import Part
from hornbeam.parts.node import Candidate, Floats, NodeView, Sample
from hornbeam.table.table import Table
from hornbeam.tree.questions import Question

if TYPE_CHECKING:
    from hornbeam.parts.criteria import Criterion
    from hornbeam.parts.searches import Search


@dataclasses.dataclass(frozen=True, eq=False)
class Surrogate:
    """A question that stands in where the first cannot be answered; a flipped one swaps its branches."""

    question: Question
    is_flipped: bool
    agree: float
    adjusted: float


@dataclasses.dataclass(frozen=True)
class Missing(Part, abc.ABC):
    """What to do with missing values; `needs_target`: the target decides where they go."""

    part_type: ClassVar[str] = "missing"
    holes: ClassVar[str] = "apart"
    needs_target: ClassVar[bool] = False

    def check(self, criterion: Criterion | None, searches: Sequence[Search]) -> None:
        """Raise, in words, if it does not suit the criterion or a search."""
        return None

    def prepare(self, table: Table) -> Table:
        """The table to grow on."""
        return table

    def ready(self, sample: Sample) -> Sample:
        """The sample that knows how rows of missing values count."""
        return sample if self.holes == sample.holes else dataclasses.replace(sample, holes=self.holes)

    @abc.abstractmethod
    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """Where rows of unknown answer go."""

    def surrogates(self, node: NodeView, chosen: Candidate) -> list[Surrogate]:
        """The questions to ask where the chosen one cannot be answered, best first."""
        return []


def majority_branch(known: Floats) -> int:
    """The branch of largest known weight, the first on ties."""
    return int(known.argmax())


def refuse_many_branches(name: str, why: str, searches: Sequence[Search]) -> None:
    """Raise if a search makes more than two branches."""
    for search in searches:
        if search.is_multiway:
            raise OptionError(
                f"{name} {why}, and {search.name} makes as many branches as there are answers.",
                hint="Choose fractional, skip_column or own_branch, or a search of two branches.",
                option="missing",
                got=name,
            )
