"""Surrogates by conditional inference, as in partykit: the column most associated with the branches comes first.

    column   the smallest p of the permutation test of its values against the branch of the first question; p's below
             the precision of doubles tie, and the larger statistic comes first
    split    the cut, or set of levels, of the largest two-sample statistic against the branch; one row on each side is
             enough, and a cut is a value that occurs (a row without an answer to the first question may lie above it)
    sides    rows at or below a cut, or with the levels of the set that holds the first one, go where most of them went

partykit also takes cuts beyond the largest value at the node, which place no row, and orders three or more columns that
tie by the places of their statistics, not by their ranks. That is not copied.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbeam.parts.criteria.machinery.column_tests import association
from hornbeam.parts.node import TOLERANCE, Floats, Integers, first_best, sorted_positions, sum_by_group
from hornbeam.table.column import Column, Kind
from hornbeam.tree.questions import Subset, Threshold

_LEAST_LOG_P = math.log(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class InferredSurrogate:
    """A surrogate, the weight it sends the same way, and what it is ranked by (smallest first)."""

    question: Threshold | Subset
    is_flipped: bool
    agreed: float
    rank: tuple[float, float]


def infer_surrogate(
    position: int, column: Column, branch: npt.NDArray[np.int32], weights: Floats, teststat: str
) -> InferredSurrogate | None:
    """The best split of a column against the branches of the rows (below 0: unknown); None if nothing can be tested."""
    both = ~column.is_missing & (branch >= 0)
    values, side, weight = column.values[both], branch[both].astype(np.int64), weights[both]
    if len(values) == 0 or side.min() == side.max():
        return None
    test = association(column.kind, values, side, True, weight, teststat)
    if test.degrees == 0:
        return None
    distinct, group = np.unique(values, return_inverse=True)
    held = np.stack([sum_by_group(group[side == b], weight[side == b], len(distinct)) for b in (0, 1)])
    by_share = column.kind is Kind.NOMINAL
    order = sorted_positions(held[1] / held.sum(axis=0)) if by_share else np.arange(len(distinct))
    place = _best_cut(held[:, order])
    below: Integers = order[: place + 1] if 0 in order[: place + 1] else order[place + 1 :]
    inside = held[:, below].sum(axis=1)
    is_flipped = bool(inside[0] < inside[1])
    rest = held.sum(axis=1) - inside
    agreed = float(inside[1] + rest[0] if is_flipped else inside[0] + rest[1])
    rank = (max(test.log_p, _LEAST_LOG_P), -test.statistic)
    if not by_share:
        return InferredSurrogate(Threshold(position, float(distinct[place])), is_flipped, agreed, rank)
    others = np.setdiff1d(np.arange(len(distinct)), below)
    sets = sorted(distinct[below].tolist()), distinct[others].tolist()
    first, second = reversed(sets) if is_flipped else sets
    return InferredSurrogate(Subset(position, tuple(first), tuple(second), len(column.levels)), False, agreed, rank)


def _best_cut(held: Floats) -> int:
    """The place of the last group below the cut of the largest two-sample statistic."""
    total = held.sum()
    below = held.cumsum(axis=1)[:, :-1]
    inside = below.sum(axis=0)
    variance = inside * (total - inside) * (held[0].sum() * held[1].sum())
    scores = (below[0] * total - inside * held[0].sum()) ** 2 / variance
    return first_best(scores, TOLERANCE * float(scores.max()))
