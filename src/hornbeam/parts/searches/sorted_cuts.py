"""Where is a number best cut in two?  All places between neighbouring distinct values are tried, ascending.

    tau = a + (b - a) / 2 between neighbours a < b;  tau = a when that is not finite or not below b, where the lowest
    finite number takes the place of minus infinity

`cut = "data"` puts the chosen cut on the largest training value at or below the midpoint (C4.5), after the choice.
`min_size = "c45"` asks more of both sides: clamp(0.1 W / K, m, 25) weight, and neighbours more than 1e-5 apart.
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
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Threshold

_LEAST_GAP = 1e-5


@dataclass(frozen=True)
class SortedCuts(Search):
    """Every cut between neighbouring values of a numeric or ordinal column."""

    name: ClassVar[str] = "sorted_cuts"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL)
    rank: ClassVar[int] = 0
    cut: str = option("midpoint", "where the chosen cut is put", choices=("midpoint", "data"))
    min_size: str = option(
        "min_leaf",
        "minimum size of both branches: that of the stop min_leaf, or C4.5's rule, clamp(0.1 W / K, m, 25)",
        choices=("min_leaf", "c45"),
    )

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        """The best cut of a column."""
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        lefts = cuts(node.sample, groups, column, self.cut)
        places = admitted_cuts(groups, lefts, limits, self.min_size, node.sample.n_classes)
        return best_admitted(node, column, groups, lefts, criterion, places)


def midpoint(a: float, b: float) -> float:
    """The middle between a < b, or a where the middle is not finite or not below b."""
    middle = a + (b - a) / 2
    return middle if math.isfinite(middle) and middle < b else finite_low(a, b)


def finite_low(a: float, b: float) -> float:
    """The lower of two values as a threshold; the lowest finite number takes the place of minus infinity."""
    return -sys.float_info.max if math.isinf(a) and -sys.float_info.max < b else a


def cuts(sample: Sample, groups: Groups, column: int, cut: str = "midpoint") -> BinaryCandidates:
    """All cuts between groups, by what lies at or below them."""
    values = groups.values.astype(np.float64)

    def question(place: int) -> Threshold:
        tau = midpoint(float(values[place]), float(values[place + 1]))
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


def admitted_cuts(groups: Groups, lefts: BinaryCandidates, limits: Limits, min_size: str, n_classes: int) -> Integers:
    """The places of the cuts that leave enough on both sides."""
    _, rows, weight = groups.inside
    fits = limits.allows(lefts.rows, lefts.weight) & limits.allows(rows - lefts.rows, weight - lefts.weight)
    if min_size == "c45":
        enough = max(limits.weight, min(0.1 * weight / max(1, n_classes), 25.0)) * (1 - 1e-10)
        values = groups.values.astype(np.float64)
        gap = np.repeat(values[:-1] + _LEAST_GAP < values[1:], groups.n_directions)
        fits &= (
            (lefts.weight >= enough)
            & (weight - lefts.weight >= enough)
            & gap
            & (weight >= 2 * limits.weight * (1 - 1e-10))
        )
    return np.flatnonzero(fits)
