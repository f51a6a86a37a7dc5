"""Code length of rules and of the rows that they misclassify: the criterion of C4.5rules.

    BB(a)      entropy of a's levels over all rows, or 1 + log(distinct values) / 2; 0 for a constant column
    TB         entropy of BB / sum of BB: the bits that identify a column
    condition  TB / redundancy + BB, and one bit per level for a set of levels
    rule       sum over its L conditions + log L - log L!                     (order does not matter)
    rules      1/2 (sum of their bits - log S!) + log n + exceptions

    exceptions  F covered, FP of them wrong, FN of the class uncovered; b(N, E, x) = -E log(x/N) - (N-E) log(1 - x/N)
                F > n/2: b(F, FP, (FP+FN)/2) + b(n-F, FN, FN), else b(F, FP, FP) + b(n-F, FN, (FP+FN)/2)

Logarithms are to base 2. If x is 0 or N, b is 0 if the code is possible and a million bits otherwise.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import numpy.typing as npt

from hornbeam.rules.conditions import Condition, OneOf
from hornbeam.rules.training import Floats, TrainingRows
from hornbeam.table.column import Column

_IMPOSSIBLE = 1e6


def column_bits(data: TrainingRows) -> Floats:
    """BB of every column."""
    total = float(data.weights.sum())
    return np.array([_bits_of(column, data.weights, total) for column in data.columns])


def _bits_of(column: Column, weights: Floats, total: float) -> float:
    if column.levels:
        known = column.values >= 0
        probabilities = np.bincount(column.values[known], weights[known]) / total
        probabilities = probabilities[probabilities > 0]
        return float(-(probabilities * np.log2(probabilities)).sum())
    distinct = len(np.unique(column.values))  # missing values count as one more, as in release 8
    return 1.0 + math.log2(distinct) / 2 if distinct > 1 else 0.0


def naming_bits(per_column: Floats) -> float:
    """TB: the bits that identify a column."""
    total = float(per_column.sum())
    if not total > 0:
        return 0.0
    probabilities = per_column[per_column > 0] / total
    return float(-(probabilities * np.log2(probabilities)).sum())


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


@functools.lru_cache(maxsize=64)
def _log_factorials(bits: int) -> Floats:
    """log2 of 0!, 1!, ... for all integers of a number of bits."""
    return np.array([log_factorial(count) for count in range(1 << bits)])


def biased(rows: Floats, errors: Floats, expected: Floats) -> Floats:
    """b(N, E, x): the bits that identify the E exceptions among N rows if x are expected; vectorized."""
    with np.errstate(divide="ignore", invalid="ignore"):
        fraction = expected / rows
        bits = -errors * np.log2(fraction) - (rows - errors) * np.log2(1 - fraction)
    bits = np.where(fraction >= 1 - 1e-9, np.where(errors > rows - 1e-6, 0.0, _IMPOSSIBLE), bits)
    bits = np.where(expected <= 1e-6, np.where(errors < 1e-6, 0.0, _IMPOSSIBLE), bits)
    return np.where(rows <= 1e-9, 0.0, bits)


def exception_bits(n: float, covered: Floats, false_positives: Floats, missed: Floats) -> Floats:
    """The bits of the rows that sets of rules misclassify."""
    half = (false_positives + missed) / 2
    is_most = covered > n / 2
    inside = biased(covered, false_positives, np.where(is_most, half, false_positives))
    outside = biased(n - covered, missed, np.where(is_most, missed, half))
    return inside + outside


def set_bits(
    bits_of_rules: Floats, n_rules: npt.NDArray[np.int64], n: float, right: Floats, wrong: Floats, of_class: float
) -> Floats:
    """The bits of sets of rules for one class, and of their exceptions.

    For each set the bits and the number of its rules, and the weight it covers of the class and of others; `of_class`
    is the weight of the class among all n.
    """
    theory = 0.5 * (bits_of_rules - _log_factorials(int(n_rules.max(initial=0)).bit_length())[n_rules])
    missed = np.maximum(of_class - right, 0.0)
    total: Floats = theory + math.log2(n) + exception_bits(n, right + wrong, wrong, missed)
    return total
