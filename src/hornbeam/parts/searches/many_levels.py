"""Sets of levels of columns with very many levels, most of them rare (definition 3.3).

    pool      levels lighter than `min_level_weight` at the node are merged into one level
    shrink    levels are ordered by (W_vk + a p_k) / (W_v + a), a = `shrinkage`: the probability of a class, shrunk
              toward that of the node, more for levels with fewer rows; numbers by (sum + a mean) / (W_v + a)
    try       the prefixes of that order; with three or more classes those of the order of every class
    penalty   log2(sets tried) / W(t) is subtracted from the score, so that a column does not win by its many levels
              alone; for a numeric target it is multiplied by the impurity of the node

A column of at most `many` levels at the node, with at least the weight `few` each on average, is searched by
`best_subset` without a penalty. A column whose levels are all rare (such as a name or an id) has no question.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Integers, Limits, NodeView, sum_by_group
from hornbeam.parts.ranking import sorted_positions
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.best_subset import BestSubset
from hornbeam.parts.searches.level_vs_rest import canonical_sets, set_candidates
from hornbeam.parts.searches.machinery.candidates import best_of
from hornbeam.parts.searches.ordered_categories import prefixes
from hornbeam.parts.weight_limits import reaches
from hornbeam.table.column import Kind


@dataclass(frozen=True)
class ManyLevels(Search):
    """Sets of levels by shrunken probabilities; rare levels are pooled, and the number of sets is penalized."""

    name: ClassVar[str] = "many_levels"
    must_gain: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 1
    many: int = option(50, "maximum number of levels of a column that is searched by best_subset", at_least=1)
    few: float = option(
        10.0, "mean weight of a level below which a column is not searched by best_subset", at_least=0.0
    )
    min_level_weight: float = option(5.0, "weight below which levels are pooled", at_least=0.0)
    shrinkage: float = option(10.0, "weight of the node's own probability in that of a level", at_least=0.0)
    penalize_sets: bool = option(True, "whether the score is reduced by a penalty on the number of sets tried")

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best prefix of the shrunken orders."""
        groups = node.groups(column)
        m = len(groups)
        if m < 2:
            return None
        if m <= self.many and reaches(float(groups.weight.sum()), self.few * m):
            return BestSubset().best(node, column, criterion, limits)
        index = pooled_levels(groups.weight, self.min_level_weight)
        count = int(index.max()) + 1
        if count < 2:
            return None
        stats = np.stack([sum_by_group(index, each, count) for each in groups.stats.T], axis=1)
        keys = shrink_levels(stats, node, self.shrinkage)
        scales = [float(key.max()) if node.sample.n_classes else node.deviation for key in keys]
        orders = [sorted_positions(key, scale) for key, scale in zip(keys, scales, strict=True)]
        sets = np.concatenate([prefixes(order) for order in orders])
        members = canonical_sets(np.unique(canonical_sets(sets[:, index]), axis=0))
        n_levels = len(node.sample.columns[column].levels)
        candidates = set_candidates(groups, members, column, n_levels)
        found = best_of(node, column, groups, candidates, criterion, limits)
        if found is None or not self.penalize_sets:
            return found
        return dataclasses.replace(found, score=found.score - set_penalty(len(sets), node, criterion))


def pooled_levels(weight: Floats, min_weight: float) -> Integers:
    """The index of every level after the light levels are merged into the first of them."""
    light = ~reaches(weight, min_weight)
    index = np.cumsum(~light | (np.cumsum(light) == 1)) - 1
    if light.any():
        index[light] = index[int(light.argmax())]
    return index


def shrink_levels(stats: Floats, node: NodeView, a: float) -> list[Floats]:
    """The keys of the order: the shrunken probability of the last of two classes, or of every class, or the mean."""
    if node.sample.n_classes:
        weight, probabilities = stats.sum(axis=1), stats.sum(axis=0) / stats.sum()
        classes = range(stats.shape[1]) if stats.shape[1] > 2 else (stats.shape[1] - 1,)
        return [(stats[:, k] + a * probabilities[k]) / (weight + a) for k in classes]
    weight, sums = _sums(stats, node)
    return [(sums + a * (sums.sum() / weight.sum())) / (weight + a)]


def _sums(stats: Floats, node: NodeView) -> tuple[Floats, Floats]:
    """The weight of every level, and its sum of the target minus the mean of the node."""
    if node.targets is None:
        return stats[:, 0], stats[:, 1]
    return stats.sum(axis=1), stats @ (node.targets - node.mean)


def set_penalty(n_sets: int, node: NodeView, criterion: Criterion) -> float:
    """The penalty on the score for the number of sets tried."""
    unit = 1.0 if node.sample.n_classes else float(criterion.impurity(node.stats, node.targets))
    return unit * math.log2(n_sets) / node.weight
