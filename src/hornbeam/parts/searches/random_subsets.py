"""Random sets of levels: every level is inside with probability 1/2.

For columns of hundreds of levels, and for trees that should differ (definition 3.2). The random numbers of a column at
a node depend on the seed, the tree, the node and the column only: 64 levels use one random number, one bit each. Sets
are replaced by their smaller side, and duplicates are tried once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.level_vs_rest import Members, canonical_sets, set_candidates
from hornbeam.parts.searches.machinery.candidates import best_of
from hornbeam.seeds import Purpose, Stream, child_id
from hornbeam.table.column import Kind

_BITS = 64


@dataclass(frozen=True)
class RandomSubsets(Search):
    """The best of some random sets of levels."""

    name: ClassVar[str] = "random_subsets"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 1
    n_sets: int = option(100, "number of random sets at a node", at_least=1, at_most=1_000_000)

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best of the random sets."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        sample = node.sample
        stream = Stream.of(sample.seed, Purpose.OTHER, sample.tree, child_id(node.id, column))
        members = random_sets(stream, len(groups), self.n_sets)
        if len(members) == 0:
            return None
        n_levels = len(sample.columns[column].levels)
        return best_of(node, column, groups, set_candidates(groups, members, column, n_levels), criterion, limits)


def random_sets(stream: Stream, m: int, n_sets: int) -> Members:
    """Different sets of m levels, both sides not empty, in canonical form and order."""
    words = -(-m // _BITS)
    numbers = np.array([[stream.next() for _ in range(words)] for _ in range(n_sets)], dtype="<u8")
    members = np.unpackbits(numbers.view(np.uint8), axis=1, bitorder="little")[:, :m].astype(bool)
    inside = members.sum(axis=1)
    members = members[(inside > 0) & (inside < m)]
    return canonical_sets(np.unique(canonical_sets(members), axis=0)) if len(members) else members
