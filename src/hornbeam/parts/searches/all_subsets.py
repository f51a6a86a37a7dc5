"""Every set of levels: by size, then by levels; of sets of half the levels, those with the first level.

These are 2^(m-1) - 1 sets for m levels present (the sum in lecture note 3 counts the middle size twice); `size_limit`
is l in the lecture notes.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.errors import InputError, Set, short_repr
from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView, Sample
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.level_vs_rest import Members, set_candidates
from hornbeam.parts.searches.machinery.candidates import best_of
from hornbeam.table.column import Kind

_MAX_SETS = 1 << 20
# Sets up to this size are listed one by one; larger ones as integers of at most this many bits.
_SMALL_SET, _MAX_BITS = 2, 20
# Up to this number of levels the number of sets is written in full.
_WRITTEN_OUT = 64


@dataclass(frozen=True)
class AllSubsets(Search):
    """Every set of levels, up to a size."""

    name: ClassVar[str] = "all_subsets"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 1
    is_exact: ClassVar[bool] = True
    size_limit: int | None = option(None, "maximum size of a set of levels; if None, half of the levels", at_least=1)

    def check(self, sample: Sample) -> None:
        """Raise an error before growth if there are too many sets."""
        for index, data in enumerate(sample.columns):
            if data.kind not in self.kinds:
                continue
            m = len(sample.distinct(index))
            if self._are_too_many(m):
                raise InputError(
                    f"Column {short_repr(data.name)} has {m} levels with {self._count_text(m)} sets, but the maximum is"
                    f" {_MAX_SETS:,}.",
                    fix=(Set("searches", "best_subset"), Set("all_subsets.size_limit")),
                    column=data.name,
                )

    def _are_too_many(self, m: int) -> bool:
        """Whether m levels have too many sets; the sum stops as soon as this is known."""
        count = 0
        for size in range(1, self._largest(m) + 1):
            count += math.comb(m, size) // (2 if 2 * size == m else 1)
            if count > _MAX_SETS:
                return True
        return False

    def _count_text(self, m: int) -> str:
        """The number of sets of m levels as text; for very many levels as a power."""
        if self._largest(m) < m // 2:
            return f"more than {_MAX_SETS:,}"
        return f"{2 ** (m - 1) - 1:,}" if m <= _WRITTEN_OUT else f"2^{m - 1} - 1"

    def _largest(self, m: int) -> int:
        """The largest set of m levels that is tried."""
        return min(m // 2, self.size_limit or m)

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best set."""
        groups = node.groups(column)
        m = len(groups)
        if m < 2:
            return None
        members = all_sets(m, self._largest(m))
        n_levels = len(node.sample.columns[column].levels)
        return best_of(node, column, groups, set_candidates(groups, members, column, n_levels), criterion, limits)


def all_sets(m: int, largest: int) -> Members:
    """All sets of 1..largest of m groups in canonical order; halves only with group 0."""
    if largest <= _SMALL_SET or m > _MAX_BITS:
        chosen = [
            inside
            for size in range(1, largest + 1)
            for inside in itertools.combinations(range(m), size)
            if 2 * size != m or inside[0] == 0
        ]
        members = np.zeros((len(chosen), m), dtype=bool)
        for index, inside in enumerate(chosen):
            members[index, list(inside)] = True
        return members
    # Sets as integers, group 0 the highest bit: among sets of one size the larger integer comes first.
    sets = np.arange(1, 1 << m, dtype=np.int64)
    bits = (sets[:, None] >> np.arange(m - 1, -1, -1)) & 1 == 1
    size = bits.sum(axis=1)
    kept = (size <= largest) & ((2 * size != m) | bits[:, 0])
    order = np.lexsort((-sets[kept], size[kept]))
    found: Members = bits[kept][order]
    return found
