"""The tests of LightGBM's nodes as questions.

A row enters LightGBM with every value within 1e-35 of zero replaced by 0. By the missing type of a node

    none   a missing value is 0
    zero   missing values and 0 take the default branch, other values are compared
    NaN    missing values take the default branch; the cut may be infinite
"""

from __future__ import annotations

import numpy as np

from hornbeam.tree.questions import Question
from hornbeam.tree.questions.combined import Combined, Literal
from hornbeam.tree.questions.threshold import Threshold

ZERO = float(np.float32(1e-35))  # values of at most this size are 0
BELOW_ZERO = float(np.nextafter(-ZERO, -np.inf))
LARGEST = float(np.finfo(np.float64).max)
NONE, AS_ZERO, AS_NAN = 0, 1, 2  # missing types


def effective_cut(cut: float) -> float:
    """The cut for values that are not rounded to 0: those within 1e-35 of zero are on one side."""
    if 0.0 <= cut < ZERO:
        return ZERO
    return BELOW_ZERO if -ZERO <= cut < 0.0 else cut


def numeric_test(column: int, cut: float, missing_type: int, default: int) -> tuple[Question | None, float, int]:
    """The question unless it is x <= cut, the cut, and the branch of missing values."""
    cut = effective_cut(cut)
    if missing_type == AS_NAN:
        return None, cut, default
    cut = min(cut, LARGEST)
    if missing_type == NONE:
        return None, cut, 0 if cut >= 0 else 1
    zero_is_left = cut >= ZERO
    if zero_is_left == (default == 0):
        return None, cut, default
    if default == 1 and cut == ZERO:
        return None, BELOW_ZERO, default
    below, up_to = Threshold(column, BELOW_ZERO), Threshold(column, ZERO)
    compared = Literal(Threshold(column, cut))
    if default == 0:  # x <= cut, or x is zero
        is_zero = Combined((Literal(up_to), Literal(below, negated=True)))
        return Combined((compared, Literal(is_zero)), is_any=True), cut, default
    # x <= cut, and x is not zero
    is_not_zero = Combined((Literal(below), Literal(up_to, negated=True)), is_any=True)
    return Combined((compared, Literal(is_not_zero))), cut, default
