"""The interface of a search: it returns the best question about one column at a node, or None."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import Part
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView, Sample
from hornbeam.table.column import Kind


@dataclass(frozen=True)
class Search(Part, abc.ABC):
    """A search of questions.

    `kinds` are the kinds of columns it supports, `rank` is the position of its kind of question in definition 1.4.
    `uses_many_columns`: it searches many columns at once (`machinery/many_column_search.py`). `uses_values`: its
    questions test values, not whether they are missing. `must_gain`: a method with this search uses no question of
    gain 0, even with `allow_zero_gain`. `needs_target`: the target decides which question it finds. `is_exact`: it
    finds the best of its questions without random numbers, from the rows of the node alone. `numbers_by`: what it needs
    of a numeric column: the value of every "row", or sums over the rows of every "value" or of every "bin".

    For the compiled core: `ranks_values`: it needs the order of the values only, not a contiguous array of them.
    `uses_order`: it needs that order at all.
    """

    part_type: ClassVar[str] = "search"
    kinds: ClassVar[tuple[Kind, ...]] = ()
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    rank: ClassVar[int] = 0
    is_multiway: ClassVar[bool] = False
    uses_many_columns: ClassVar[bool] = False
    uses_values: ClassVar[bool] = True
    must_gain: ClassVar[bool] = False
    needs_target: ClassVar[bool] = True
    is_exact: ClassVar[bool] = False
    numbers_by: ClassVar[str] = "row"
    ranks_values: ClassVar[bool] = True
    uses_order: ClassVar[bool] = True

    @property
    def compares_neighbors(self) -> bool:
        """Whether a cut between two values depends on their distance."""
        return False

    @property
    def is_last_resort(self) -> bool:
        """Whether it runs only where the other searches find no admissible question."""
        return False

    def can_use(self, node: NodeView, column: int) -> bool:
        """Whether it may still use a column at a node."""
        return True

    def varies(self, node: NodeView, column: int) -> bool:
        """Whether the rows of a node differ in a column, for this search."""
        return node.varies(column)

    def check(self, sample: Sample) -> None:
        """Raise an error if the search does not support a sample; called once, before growth."""
        return None

    @abc.abstractmethod
    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best question about a column, or None."""
