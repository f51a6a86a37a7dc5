"""Surrogates by conditional inference, as in partykit: the column most associated with the branches comes first.

    column   the smallest p of the permutation test of its values against the branch of the first question; p's below
             the precision of doubles tie, and the larger statistic comes first
    split    the cut, or set of levels, of the largest two-sample statistic against the branch; one row on each side is
             enough, and a cut is a value that occurs (a row of unknown branch may be above it)
    sides    rows at or below a cut, or with the levels of the set that holds the first one, go where most of them went

partykit also uses cuts beyond the largest value at the node, which route no row, and orders three or more columns that
tie by the positions of their statistics, not by their ranks. This is not copied.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbeam.parts.criteria.machinery.column_tests import association
from hornbeam.parts.node import TOLERANCE, Floats, Integers, first_best, sum_by_group
from hornbeam.parts.ranking import sorted_positions
from hornbeam.table.column import Column, Kind
from hornbeam.tree.questions import Subset, Threshold

_MIN_LOG_P = math.log(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class InferredSurrogate:
    """A surrogate, the weight that agrees, and its rank (smallest first)."""

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
    weights_by_branch = np.stack([sum_by_group(group[side == b], weight[side == b], len(distinct)) for b in (0, 1)])
    is_nominal = column.kind is Kind.NOMINAL
    share = weights_by_branch[1] / weights_by_branch.sum(axis=0)
    order = sorted_positions(share, float(share.max())) if is_nominal else np.arange(len(distinct))
    last = _best_cut(weights_by_branch[:, order])
    below: Integers = order[: last + 1] if 0 in order[: last + 1] else order[last + 1 :]
    inside = weights_by_branch[:, below].sum(axis=1)
    is_flipped = bool(inside[0] < inside[1])
    rest = weights_by_branch.sum(axis=1) - inside
    agreed = float(inside[1] + rest[0] if is_flipped else inside[0] + rest[1])
    rank = (max(test.log_p, _MIN_LOG_P), -test.statistic)
    if not is_nominal:
        return InferredSurrogate(Threshold(position, float(distinct[last])), is_flipped, agreed, rank)
    others = np.setdiff1d(np.arange(len(distinct)), below)
    sets = sorted(distinct[below].tolist()), distinct[others].tolist()
    first, second = reversed(sets) if is_flipped else sets
    return InferredSurrogate(Subset(position, tuple(first), tuple(second), len(column.levels)), False, agreed, rank)


def _best_cut(weights_by_branch: Floats) -> int:
    """The index of the last group below the cut of the largest two-sample statistic."""
    total = weights_by_branch.sum()
    below = weights_by_branch.cumsum(axis=1)[:, :-1]
    inside = below.sum(axis=0)
    variance = inside * (total - inside) * (weights_by_branch[0].sum() * weights_by_branch[1].sum())
    scores = (below[0] * total - inside * weights_by_branch[0].sum()) ** 2 / variance
    return first_best(scores, TOLERANCE * float(scores.max()))
