"""How many bits do rules take, and the rows they get wrong?  The measure by which C4.5rules chooses among rules.

    BB(a)      entropy of a's levels over all rows, or 1 + log(distinct values) / 2; 0 for a constant column
    TB         entropy of BB / sum of BB: what it takes to name the column
    condition  TB / redundancy + BB, and one bit a level where levels are grouped
    rule       sum over its L conditions + log L - log L!                     (order does not matter)
    rules      1/2 (sum of their bits - log S!) + log n + exceptions

    exceptions  F covered, FP of them wrong, FN of the class uncovered; b(N, E, x) = -E log(x/N) - (N-E) log(1 - x/N)
                F > n/2: b(F, FP, (FP+FN)/2) + b(n-F, FN, FN), else b(F, FP, FP) + b(n-F, FN, (FP+FN)/2)

Logarithms are to base 2. Where x is 0 or N, b is 0 if the code fits and a million bits if it does not.
"""

from __future__ import annotations

import math

import numpy as np

from hornbeam.rules.conditions import Condition, OneOf
from hornbeam.rules.training import Floats, Learning
from hornbeam.table.column import Column

_IMPOSSIBLE = 1e6


def column_bits(data: Learning) -> Floats:
    """BB of every column."""
    total = float(data.weights.sum())
    return np.array([_bits_of(column, data.weights, total) for column in data.columns])


def _bits_of(column: Column, weights: Floats, total: float) -> float:
    if column.levels:
        known = column.values >= 0
        shares = np.bincount(column.values[known], weights[known]) / total
        shares = shares[shares > 0]
        return float(-(shares * np.log2(shares)).sum())
    distinct = len(np.unique(column.values))  # missing values count as one more, as in release 8
    return 1.0 + math.log2(distinct) / 2 if distinct > 1 else 0.0


def naming_bits(per_column: Floats) -> float:
    """TB: the bits that name a column."""
    total = float(per_column.sum())
    if not total > 0:
        return 0.0
    shares = per_column[per_column > 0] / total
    return float(-(shares * np.log2(shares)).sum())


def rule_bits(conditions: tuple[Condition, ...], per_column: Floats, naming: float, redundancy: float) -> float:
    """The bits of one rule."""
    total = 0.0
    for condition in conditions:
        total += naming / redundancy + float(sum(per_column[column] for column in condition.columns))
        if isinstance(condition, OneOf) and len(condition.codes) > 1:
            total += condition.n_levels
    n = len(conditions)
    return total + math.log2(n) - log_factorial(n)


def log_factorial(n: int) -> float:
    """log2 n!"""
    return math.lgamma(n + 1) / math.log(2)


def biased(rows: float, errors: float, expected: float) -> float:
    """b(N, E, x): the bits that say which of N rows are the E exceptions, when x are expected."""
    if rows <= 0:
        return 0.0
    if expected <= 1e-6:
        return 0.0 if errors < 1e-6 else _IMPOSSIBLE
    share = expected / rows
    if share >= 1 - 1e-9:
        return 0.0 if errors > rows - 1e-6 else _IMPOSSIBLE
    return -errors * math.log2(share) - (rows - errors) * math.log2(1 - share)


def exception_bits(n: float, covered: float, false_alarms: float, missed: float) -> float:
    """The bits of what a set of rules gets wrong."""
    half = (false_alarms + missed) / 2
    if covered > n / 2:
        return biased(covered, false_alarms, half) + biased(n - covered, missed, missed)
    return biased(covered, false_alarms, false_alarms) + biased(n - covered, missed, half)


def set_bits(bits_of_rules: float, n_rules: int, n: float, covered: float, false_alarms: float, missed: float) -> float:
    """The bits of a set of rules for one class, and of its exceptions."""
    theory = 0.5 * (bits_of_rules - log_factorial(n_rules))
    return theory + math.log2(n) + exception_bits(n, covered, false_alarms, missed)
