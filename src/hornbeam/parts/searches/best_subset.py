"""The best set of levels, by the fastest method that is exact or nearly so.

    two classes, or a number    ordered_categories (exact, m - 1 sets)
    up to 12 levels present     all_subsets (exact)
    more                        chou

The order is exact only if every set is allowed: where leaves have a minimum size, `every_set` tries all sets for two
classes and numbers too, up to `try_all` levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView
from hornbeam.parts.searches.all_subsets import AllSubsets
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.chou import Chou
from hornbeam.parts.searches.ordered_categories import OrderedCategories
from hornbeam.table.column import Kind


@dataclass(frozen=True)
class BestSubset(Search):
    """The best set of levels: by an order, by trying all sets, or by descent, depending on the target."""

    name: ClassVar[str] = "best_subset"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 1
    is_exact: ClassVar[bool] = True
    try_all: int = option(
        12, "maximum number of levels for which all sets are tried, with three or more classes", at_least=2, at_most=20
    )

    every_set: bool = option(False, "whether all sets are tried for two classes and numbers too, up to try_all levels")

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best set by the method for this target."""
        ordered = node.sample.n_classes <= 2
        few = len(node.groups(column)) <= self.try_all
        search: Search = AllSubsets() if few and (self.every_set or not ordered) else Chou()
        if ordered and isinstance(search, Chou):
            search = OrderedCategories()
        return search.best(node, column, criterion, limits)
