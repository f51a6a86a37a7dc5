"""The errors added to those seen at a leaf: the upper confidence limit of its error rate, by three formulas.

    N rows of which e are wrong; at confidence CF the limit U solves P(at most e errors | U) = CF; added = N U - e

    exact   N BetaInv(1 - CF; e + 1, N - e) - e                              (Clopper and Pearson)
    c45     e = 0: N (1 - CF^(1/N));  0 < e < 1: between e = 0 and e = 1;  e + 1/2 >= N: 0.67 (N - e);
            else the normal approximation with z interpolated in a short table
    j48     as c45 with the exact normal quantile, and N - e instead of 0.67 (N - e)

The c45 table gives z = 0.6925 at CF 25 %, the exact quantile is 0.67449. Without rows nothing is added.
"""

from __future__ import annotations

import functools
import math
from statistics import NormalDist

BOUNDS = ("c45", "exact", "j48")

_CONFIDENCE = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
_DEVIATE = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)
_TINY = 1e-6
_NEARLY_ONE = 0.9999


def added_errors(rows: float, errors: float, confidence: float, bounds: str = "c45") -> float:
    """The errors to add to `errors` errors among `rows` rows."""
    if rows <= 0:
        return 0.0
    if bounds == "exact":
        return _exact(rows, errors, confidence)
    without_errors = rows * (1 - math.exp(math.log(confidence) / rows))
    if errors < _TINY:
        return without_errors
    if errors < _NEARLY_ONE:
        return without_errors + errors * (_approximate(rows, 1.0, confidence, bounds) - without_errors)
    return _approximate(rows, errors, confidence, bounds)


def _approximate(rows: float, errors: float, confidence: float, bounds: str) -> float:
    """One error or more: a part of the rest if nearly all rows are wrong, else the normal approximation."""
    if errors + 0.5 >= rows:
        return max((0.67 if bounds == "c45" else 1.0) * (rows - errors), 0.0)
    square = deviate(confidence, bounds) ** 2
    seen = errors + 0.5
    limit = seen + square / 2 + math.sqrt(square * (seen * (1 - seen / rows) + square / 4))
    return rows * limit / (rows + square) - errors


@functools.cache
def deviate(confidence: float, bounds: str) -> float:
    """The normal deviate at a confidence: exact, or interpolated in C4.5's table."""
    if bounds == "j48":
        return NormalDist().inv_cdf(1 - confidence)
    index = 1
    while confidence > _CONFIDENCE[index]:
        index += 1
    low, high = _CONFIDENCE[index - 1], _CONFIDENCE[index]
    return _DEVIATE[index - 1] + (_DEVIATE[index] - _DEVIATE[index - 1]) * (confidence - low) / (high - low)


def _exact(rows: float, errors: float, confidence: float) -> float:
    if errors >= rows:
        return 0.0
    from scipy.special import betaincinv

    return rows * float(betaincinv(errors + 1, rows - errors, 1 - confidence)) - errors
