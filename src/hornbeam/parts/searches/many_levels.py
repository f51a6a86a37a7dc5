"""Which set of levels is best, when there are very many and most are rare (definition 3.3)?

    pool      levels lighter than `min_level_weight` at the node are one level together
    shrink    levels are ordered by (W_vk + a p_k) / (W_v + a), a = `shrinkage`: the share of a class, drawn towards
              the node's own the fewer rows a level has; numbers by (sum + a mean) / (W_v + a)
    try       the prefixes of that order; with three or more classes those of the order of every class
    toll      log2(sets tried) / W(t) is taken off the score, so that a column does not win by its many levels alone;
              times the impurity of the node where the target is a number, whose scores have its unit squared

A column of at most `many` levels at the node, of at least `few` weight each on average, is searched by `best_subset`,
without a toll. A column of levels that are all rare (a name, a number of a file) is asked nothing.
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
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.best_subset import BestSubset
from hornbeam.parts.searches.level_vs_rest import canonical_sets, set_candidates
from hornbeam.parts.searches.machinery.candidates import best_of
from hornbeam.parts.searches.ordered_categories import prefixes
from hornbeam.table.column import Kind


@dataclass(frozen=True)
class ManyLevels(Search):
    """Sets of levels by shrunken shares, rare levels pooled, at a toll for having tried many."""

    name: ClassVar[str] = "many_levels"
    must_gain: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    rank: ClassVar[int] = 1
    many: int = option(50, "up to how many levels a column is searched by best_subset", at_least=1)
    few: float = option(10.0, "the mean weight of a level below which a column counts as having many", at_least=0.0)
    min_level_weight: float = option(5.0, "the weight below which levels are pooled", at_least=0.0)
    shrinkage: float = option(10.0, "the weight of the node's own share in that of a level", at_least=0.0)
    penalize_sets: bool = option(True, "whether the score pays for the number of sets tried")

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best prefix of the shrunken orders."""
        groups = node.groups(column)
        m = len(groups)
        if m < 2:
            return None
        if m <= self.many and float(groups.weight.sum()) >= self.few * m:
            return BestSubset().best(node, column, criterion, limits)
        place = pooled_levels(groups.weight, self.min_level_weight)
        count = int(place.max()) + 1
        if count < 2:
            return None
        stats = np.stack([sum_by_group(place, each, count) for each in groups.stats.T], axis=1)
        keys = shrink_levels(stats, node, self.shrinkage)
        sets = np.concatenate([prefixes(np.argsort(key, kind="stable")) for key in keys])
        members = canonical_sets(np.unique(canonical_sets(sets[:, place]), axis=0))
        n_levels = len(node.sample.columns[column].levels)
        lefts = set_candidates(groups, members, column, n_levels)
        found = best_of(node, column, groups, lefts, criterion, limits)
        if found is None or not self.penalize_sets:
            return found
        return dataclasses.replace(found, score=found.score - set_penalty(len(sets), node, criterion))


def pooled_levels(weight: Floats, least: float) -> Integers:
    """The place of every level once light ones share the place of the first of them."""
    light = weight < least
    place = np.cumsum(~light | (np.cumsum(light) == 1)) - 1
    if light.any():
        place[light] = place[int(light.argmax())]
    return place


def shrink_levels(stats: Floats, node: NodeView, a: float) -> list[Floats]:
    """What levels are ordered by: the shrunken share of the last of two classes, of every class, or the mean."""
    if node.sample.n_classes:
        weight, probabilities = stats.sum(axis=1), stats.sum(axis=0) / stats.sum()
        classes = range(stats.shape[1]) if stats.shape[1] > 2 else (stats.shape[1] - 1,)
        return [(stats[:, k] + a * probabilities[k]) / (weight + a) for k in classes]
    weight, sums = (stats.sum(axis=1), stats @ node.targets) if node.targets is not None else (stats[:, 0], stats[:, 1])
    return [(sums + a * (sums.sum() / weight.sum())) / (weight + a)]


def set_penalty(n_sets: int, node: NodeView, criterion: Criterion) -> float:
    """What is taken off the score for having tried so many sets."""
    unit = 1.0 if node.sample.n_classes else float(criterion.impurity(node.stats, node.targets))
    return unit * math.log2(n_sets) / node.weight
