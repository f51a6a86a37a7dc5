"""Sets of levels that separate two superclasses of the classes (lecture note 2).

For every grouping of the classes present into two, the levels are ordered by the probability of one superclass, and the
prefix of that order with the largest decrease of p (1 - p) is selected: exact, as for two classes (definition 3.2). The
largest decrease of all is the largest twoing of all sets of levels.

    K classes    groupings
    up to 10     all 2^(K-1) - 1
    more         each class against the rest

`method = "twoing"` uses the set of the largest decrease; with "criterion" the tree's criterion selects among the best
sets of all groupings.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.criteria.two_class_variance import TwoClassVariance
from hornbeam.parts.node import TOLERANCE, Candidate, Floats, Groups, Limits, NodeView, first_best
from hornbeam.parts.ranking import sorted_positions
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.level_vs_rest import Members, canonical_sets, set_candidates
from hornbeam.parts.searches.machinery.candidates import best_of, two_branches
from hornbeam.parts.searches.ordered_categories import prefixes
from hornbeam.table.column import Kind

ALL_GROUPINGS = 10
_VARIANCE = TwoClassVariance()


@dataclass(frozen=True)
class Superclasses(Search):
    """Sets of levels that separate two superclasses best; three or more classes."""

    name: ClassVar[str] = "superclasses"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NOMINAL,)
    supports: ClassVar[tuple[str, ...]] = ("class",)
    rank: ClassVar[int] = 1
    method: str = option(
        "twoing",
        "selection among the best sets of all groupings: by twoing, or by the criterion",
        choices=("twoing", "criterion"),
    )

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best set of the best grouping."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        found = [best_partition(groups, inside, limits) for inside in groupings(groups.whole)]
        kept = [each for each in found if each is not None]
        if not kept:
            return None
        members = np.array([each[0] for each in kept])
        if self.method == "twoing":
            order = canonical_order(members)
            decrease = np.array([each[1] for each in kept])[order]
            members = members[order][[first_best(decrease, TOLERANCE)]]
        members = canonical_sets(np.unique(members, axis=0))
        n_levels = len(node.sample.columns[column].levels)
        return best_of(node, column, groups, set_candidates(groups, members, column, n_levels), criterion, limits)


def groupings(counts: Floats) -> Iterator[npt.NDArray[np.bool_]]:
    """The superclasses that are tried against the rest, as marks of the classes, by the bits of a counter.

    The first class present is always in the rest, so that no grouping comes twice.
    """
    present = np.flatnonzero(counts > 0)
    width = len(counts)
    if len(present) > ALL_GROUPINGS:
        for each in present:
            yield np.arange(width) == each
        return
    for mask in range(1, 1 << max(0, len(present) - 1)):
        marks = np.zeros(width, dtype=bool)
        marks[[each for index, each in enumerate(present[1:].tolist()) if mask >> index & 1]] = True
        yield marks


def best_partition(
    groups: Groups, inside: npt.NDArray[np.bool_], limits: Limits
) -> tuple[npt.NDArray[np.bool_], float] | None:
    """The set of levels that separates a superclass best from the rest, in canonical form, and its decrease."""
    two = _of_two(groups, inside)
    probability = two.stats[:, 1] / two.stats.sum(axis=1)
    members = canonical_sets(prefixes(sorted_positions(probability, float(probability.max()))))
    candidates = set_candidates(two, members, 0, 0)
    _, rows, weight = two.inside
    fits = np.flatnonzero(
        limits.allows(candidates.rows, candidates.weight)
        & limits.allows(rows - candidates.rows, weight - candidates.weight)
    )
    if len(fits) == 0:
        return None
    own = None if two.missing is None or two.missing.either else two.missing.stats
    branches = two_branches(two.inside[0], candidates.stats[fits])
    if own is not None:
        branches = np.concatenate([branches, np.broadcast_to(own, (len(branches), 1, 2))], axis=1)
    scores = _VARIANCE.score(two.whole, branches, two.unknown)
    best = first_best(scores, _VARIANCE.tolerance(two.whole))
    return members[int(fits[best]) // two.n_directions], float(scores[best])


def _of_two(groups: Groups, inside: npt.NDArray[np.bool_]) -> Groups:
    """The groups with the statistics of two superclasses: the rest, then the classes inside."""
    sums = np.stack([~inside, inside]).astype(np.float64)
    missing = groups.missing
    if missing is not None:
        missing = dataclasses.replace(missing, stats=sums @ missing.stats)
    return Groups(groups.values, groups.stats @ sums.T, groups.rows, groups.weight, groups.unknown, missing)


def canonical_order(members: Members) -> list[int]:
    """The indices of sets by size, then by their levels."""
    levels = [tuple(np.flatnonzero(inside).tolist()) for inside in members]
    return sorted(range(len(members)), key=lambda index: (len(levels[index]), levels[index]))
