"""All cuts between neighboring distinct values of a column, ascending.

    tau = a + (b - a) / 2 between neighbors a < b;  tau = a if that is not finite or not below b, where the lowest
    finite number replaces minus infinity

`cut = "data"` moves the chosen cut to the largest training value at or below the midpoint (C4.5), after the choice.
`min_size = "c45"` requires of both sides the weight clamp(0.1 W / K, m, 25), and neighbors more than 1e-5 apart.
Ordinal columns are cut on their codes.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Groups, Integers, Limits, NodeView, Sample
from hornbeam.parts.searches.base import Search
from hornbeam.parts.searches.machinery.candidates import BinaryCandidates, best_admitted, binary_candidates
from hornbeam.parts.weight_limits import reaches
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Threshold

_MIN_GAP = 1e-5


@dataclass(frozen=True)
class SortedCuts(Search):
    """Every cut between neighboring values of a numeric or ordinal column."""

    name: ClassVar[str] = "sorted_cuts"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL)
    numbers_by: ClassVar[str] = "value"
    rank: ClassVar[int] = 0
    is_exact: ClassVar[bool] = True
    cut: str = option(
        "midpoint", "position of the chosen cut: between two values, or at a value", choices=("midpoint", "data")
    )
    min_size: str = option(
        "min_leaf",
        "minimum size of both branches: that of the stop min_leaf, or C4.5's rule, clamp(0.1 W / K, m, 25)",
        choices=("min_leaf", "c45"),
    )

    @property
    def compares_neighbors(self) -> bool:
        """C4.5's rule compares them."""
        return self.min_size == "c45"

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best cut of a column."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        candidates = cuts(node.sample, groups, column, self.cut)
        indices = admitted_cuts(groups, candidates, limits, self.min_size, node.sample.n_classes)
        return best_admitted(node, column, groups, candidates, criterion, indices)


def midpoint(a: float, b: float) -> float:
    """The middle between a < b, or a where the middle is not finite or not below b."""
    middle = a + (b - a) / 2
    return middle if math.isfinite(middle) and middle < b else finite_low(a, b)


def finite_low(a: float, b: float) -> float:
    """The lower of two values as a threshold; the lowest finite number replaces minus infinity."""
    return -sys.float_info.max if math.isinf(a) and -sys.float_info.max < b else a


def cuts(sample: Sample, groups: Groups, column: int, cut: str = "midpoint") -> BinaryCandidates:
    """All cuts between groups, by the groups at or below them."""
    values = groups.values.astype(np.float64)

    def question(index: int) -> Threshold:
        tau = midpoint(float(values[index]), float(values[index + 1]))
        below = at_or_below(sample.distinct(column), tau) if cut == "data" else tau
        return Threshold(column, below if math.isfinite(below) else tau)

    return binary_candidates(
        groups,
        stats=np.cumsum(groups.stats, axis=0)[:-1],
        rows=np.cumsum(groups.rows)[:-1],
        weight=np.cumsum(groups.weight)[:-1],
        question=question,
        is_cut=True,
    )


def at_or_below(distinct: Floats, tau: float) -> float:
    """The largest training value at or below a cut."""
    return float(distinct[np.searchsorted(distinct, tau, side="right") - 1])


def admitted_cuts(
    groups: Groups, candidates: BinaryCandidates, limits: Limits, min_size: str, n_classes: int
) -> Integers:
    """The indices of the cuts whose sides are both large enough."""
    _, rows, weight = groups.inside
    fits = limits.allows(candidates.rows, candidates.weight) & limits.allows(
        rows - candidates.rows, weight - candidates.weight
    )
    if min_size == "c45":
        min_weight = max(limits.weight, min(0.1 * weight / max(1, n_classes), 25.0))
        values = groups.values.astype(np.float64)
        gap = np.repeat(values[:-1] + _MIN_GAP < values[1:], groups.n_directions)
        fits &= (
            reaches(candidates.weight, min_weight)
            & reaches(weight - candidates.weight, min_weight)
            & gap
            & reaches(weight, 2 * limits.weight)
        )
    return np.flatnonzero(fits)
