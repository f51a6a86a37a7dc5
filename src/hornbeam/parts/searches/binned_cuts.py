"""Cuts between bins: at most `bins` bins of about equal weight; exact if there are no more distinct values.

a column with no more distinct values than bins     one bin per value: the same as sorted_cuts
else    bin of a value = floor(bins C / W), C the training weight strictly below it, W the total; empty bins vanish
tau     midpoint between the largest training value of a bin and the smallest of the next bin present at the node
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Groups, Integers, Limits, NodeView, Sample, sum_by_group
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.machinery.candidates import best_admitted, binary_candidates
from hornbeam.parts.searches.sorted_cuts import admitted_cuts, midpoint
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Threshold


@dataclasses.dataclass(frozen=True)
class BinnedCuts(Search):
    """Cuts between bins of about equal weight."""

    name: ClassVar[str] = "binned_cuts"
    ranks_values: ClassVar[bool] = False
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL)
    numbers_by: ClassVar[str] = "bin"
    rank: ClassVar[int] = 0
    bins: int = option(255, "maximum number of bins of a column", at_least=2, at_most=65_535)

    def varies(self, node: NodeView, column: int) -> bool:
        """Whether the rows are in more than one bin; missing values count as for other searches."""
        groups = node.groups(column)
        if groups.missing is not None:
            return node.varies(column)
        return len(np.unique(self._bins_of(node, column, groups))) > 1

    def _bins_of(self, node: NodeView, column: int, groups: Groups) -> Integers:
        """The bin of every group."""
        distinct, bin_of = bin_column(node.sample, column, self.bins)
        return bin_of[np.minimum(np.searchsorted(distinct, groups.values), len(distinct) - 1)]

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best cut between bins."""
        distinct, bin_of = bin_column(node.sample, column, self.bins)
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        present, merged = _merged(groups, self._bins_of(node, column, groups))
        if len(present) < 2:
            return None

        def question(index: int) -> Threshold:
            low = float(distinct[np.flatnonzero(bin_of == present[index])[-1]])
            high = float(distinct[np.flatnonzero(bin_of == present[index + 1])[0]])
            return Threshold(column, midpoint(low, high))

        candidates = binary_candidates(
            merged,
            stats=np.cumsum(merged.stats, axis=0)[:-1],
            rows=np.cumsum(merged.rows)[:-1],
            weight=np.cumsum(merged.weight)[:-1],
            question=question,
            is_cut=True,
        )
        indices = admitted_cuts(merged, candidates, limits, "min_leaf", node.sample.n_classes)
        return best_admitted(node, column, merged, candidates, criterion, indices)


def bin_column(sample: Sample, column: int, bins: int) -> tuple[Floats, Integers]:
    """The distinct training values of a column and the bin of each."""
    return sample.cache.get(("bins", column, bins), lambda: _computed_bins(sample, column, bins))


def _computed_bins(sample: Sample, column: int, bins: int) -> tuple[Floats, Integers]:
    distinct = sample.distinct(column)
    data = sample.columns[column]
    known = ~data.is_missing
    return distinct, bins_of_values(distinct, data.values[known], sample.weights[known], bins)


def bins_of_values(distinct: Floats, values: Floats, weights: Floats, bins: int) -> Integers:
    """The bin of each distinct value; `values` are those of all rows, with their weights."""
    if len(distinct) <= bins:
        return np.arange(len(distinct))
    return bins_of_weights(sum_by_group(np.searchsorted(distinct, values), weights, len(distinct)), bins)


def bins_of_weights(weight: Floats, bins: int) -> Integers:
    """The bin of each distinct value, from the weights of their rows."""
    if len(weight) <= bins:
        return np.arange(len(weight))
    below = np.cumsum(weight) - weight
    raw = np.minimum(np.floor(below * bins / weight.sum()), bins - 1)
    return np.cumsum(np.diff(raw, prepend=raw[0]) != 0)


def _merged(groups: Groups, bin_of: Integers) -> tuple[Integers, Groups]:
    """The bins present at a node, and the groups merged by bin."""
    present, start = np.unique(bin_of, return_index=True)
    merged = dataclasses.replace(
        groups,
        values=present.astype(np.float64),
        stats=np.add.reduceat(groups.stats, start, axis=0),
        rows=np.add.reduceat(groups.rows, start),
        weight=np.add.reduceat(groups.weight, start),
    )
    return present, merged
