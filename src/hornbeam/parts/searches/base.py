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
    """Finds questions; `kinds` says about which columns, `rank` where its kind of question stands in definition 1.4.

    `is_many`: it looks at many columns at once (`many_columns.py`). `uses_values`: its questions are about values, not
    about their being missing. `must_gain`: beside it no question of gain 0 is asked, even in a method with
    `allow_zero_gain`. `needs_target`: the target decides which question it finds.
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

    @property
    def is_last_resort(self) -> bool:
        """Whether it is asked only where the other searches find no question that may be asked."""
        return False

    def can_use(self, node: NodeView, column: int) -> bool:
        """Whether it may still ask about a column at a node."""
        return True

    def varies(self, node: NodeView, column: int) -> bool:
        """Whether the rows of a node differ in a column, as this search sees it."""
        return node.varies(column)

    def check(self, sample: Sample) -> None:
        """Raise if the search cannot serve a sample; called once, before growth."""
        return None

    @abc.abstractmethod
    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best question about a column, or None."""
