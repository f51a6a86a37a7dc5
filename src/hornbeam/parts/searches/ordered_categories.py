"""Sets of levels that are prefixes of an order: by the probability of the second class, or by the mean of a number.

Only the m - 1 prefixes need trying: exact for every concave impurity (Breiman et al., theorem 4.5). Equal keys keep the
order of codes. The smaller side is the named set, and sets are visited by size, then by their levels (definition 0.3):
of two sets of one size the one with the lower code comes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.errors import OptionError, Set
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Groups, Integers, Limits, NodeView, Sample
from hornbeam.parts.ranking import sorted_positions
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.level_vs_rest import Members, canonical_sets, set_candidates
from hornbeam.parts.searches.machinery.candidates import best_of
from hornbeam.table.column import Kind


@dataclass(frozen=True)
class OrderedCategories(Search):
    """Sets of levels that are prefixes of the order by probability or mean; two classes or a number."""

    name: ClassVar[str] = "ordered_categories"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 1

    def check(self, sample: Sample) -> None:
        """Raise an error for three or more classes, which give no order of levels."""
        if sample.n_classes > 2 and any(column.kind in self.kinds for column in sample.columns):
            raise OptionError(
                f"'ordered_categories' requires two classes or a numeric target, got {sample.n_classes} classes.",
                fix=(Set("searches", "best_subset"), Set("searches", "chou")),
            )

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best prefix."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        members = canonical_sets(prefixes(order_of(groups, node)))
        n_levels = len(node.sample.columns[column].levels)
        return best_of(node, column, groups, set_candidates(groups, members, column, n_levels), criterion, limits)


def order_of(groups: Groups, node: NodeView) -> Integers:
    """The groups ordered by the probability of the second class, or by the mean; equal ones by code."""
    key: Floats
    if node.sample.n_classes:
        key = groups.stats[:, -1] / groups.stats.sum(axis=1)
        return sorted_positions(key, float(key.max()))
    if node.targets is not None:
        key = groups.stats @ (node.targets - node.mean) / groups.stats.sum(axis=1)
    else:
        key = groups.stats[:, 1] / groups.stats[:, 0]
    return sorted_positions(key, node.deviation)


def prefixes(order: Integers) -> Members:
    """The table candidates x groups of the prefixes of an order."""
    m = len(order)
    index = np.empty(m, dtype=np.int64)
    index[order] = np.arange(m)
    return np.asarray(index[None, :] < np.arange(1, m)[:, None], dtype=bool)
