"""Random pairs of a column and a cut (lecture note 5): R pairs sampled without replacement from all pairs of the node.

All allowed cuts are numbered by column, then ascending; `pairs` of them are sampled (purpose 3, keyed by the node).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Integers, Limits, NodeView
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.machinery.candidates import best_admitted
from hornbeam.parts.searches.sorted_cuts import admitted_cuts, cuts
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.column import Kind


@dataclass(frozen=True)
class RandomPairs(Search):
    """The best of some random pairs of a column and a cut."""

    name: ClassVar[str] = "random_pairs"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL)
    rank: ClassVar[int] = 0
    pairs: int = option(100, "number of pairs of column and cut that are sampled at a node", at_least=1)

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best of the cuts sampled for this column."""
        indices = self._sampled(node, limits).get(column)
        if indices is None or len(indices) == 0:
            return None
        groups = node.groups(column)
        candidates = cuts(node.sample, groups, column)
        return best_admitted(node, column, groups, candidates, criterion, indices)

    def _sampled(self, node: NodeView, limits: Limits) -> dict[int, Integers]:
        """The cuts sampled at a node, by column."""
        return node.sample.cache.get(("pairs", node.id), lambda: self._sample(node, limits))

    def _sample(self, node: NodeView, limits: Limits) -> dict[int, Integers]:
        allowed: dict[int, Integers] = {}
        for column, data in enumerate(node.sample.columns):
            groups = node.groups(column) if data.kind in self.kinds else None
            if groups is not None and len(groups) > 1:
                candidates = cuts(node.sample, groups, column)
                allowed[column] = admitted_cuts(groups, candidates, limits, "min_leaf", node.sample.n_classes)
        total = sum(map(len, allowed.values()))
        stream = Stream.of(node.sample.seed, Purpose.THRESHOLDS, node.sample.tree, node.id)
        sampled = np.array(stream.choose(total, min(self.pairs, total)), dtype=np.int64)
        start, out = 0, {}
        for column, indices in allowed.items():
            own = sampled[(sampled >= start) & (sampled < start + len(indices))] - start
            out[column] = indices[own]
            start += len(indices)
        return out
