"""Do the branches of a question differ by more than chance?  The tests of a table branches x classes.

    chi-square   X2 = sum (O - E)^2 / E,  (B - 1)(K - 1) degrees of freedom; what has no weight is left out
    Yates        for 2 x 2: |O - E| is made smaller by min(1/2, |O - E|)
    Fisher       for 2 x 2 with an E below 5: the exact two-sided p, the sum of all tables no likelier than this one

The question was chosen because it looked best, so its p is too small: with m columns to choose from

    bonferroni   min(1, m p)          sidak   1 - (1 - p)^m

mend the choice of the column. For the choice of the cut inside a column only `permutation_test` is honest.
"""

from __future__ import annotations

import math

import numpy as np

from hornbeam.parts.node import Candidate, Floats, NodeView
from hornbeam.table.column import Kind

ADJUSTMENTS = ("none", "bonferroni", "sidak")
# Below this expected count the chi-square distribution is a poor guide, and Fisher's test takes over where it can.
FEW = 5.0
# Tables whose chances differ by less than this are equally likely, as in R's fisher.test.
_SAME = 1 + 1e-7


def independence(table: Floats, yates: bool = True, fisher: bool = True) -> float:
    """The p of a table branches x classes: 1 when there is nothing to compare. Fisher's test is for counts alone."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return 1.0
    whole = np.round(table)
    if bool((np.abs(table - whole) <= 1e-9 * np.maximum(1.0, whole)).all()):
        table = whole
        if fisher and table.shape == (2, 2) and bool((expected_table(table) < FEW).any()):
            return fisher_p(table)
    return chi_square(table, yates)[1]


def expected_table(table: Floats) -> Floats:
    """What a table would hold if branches and classes had nothing to do with each other."""
    found: Floats = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return found


def chi_square(table: Floats, yates: bool = True) -> tuple[float, float]:
    """The statistic and its p; the correction is for 2 x 2 tables alone."""
    from scipy.special import chdtrc

    fair = expected_table(table)
    apart = np.abs(table - fair)
    if yates and table.shape == (2, 2):
        apart -= np.minimum(0.5, apart)
    statistic = float((apart * apart / fair).sum())
    return statistic, float(chdtrc((table.shape[0] - 1) * (table.shape[1] - 1), statistic))


def fisher_p(table: Floats) -> float:
    """Fisher's exact two-sided p of a 2 x 2 table of counts."""
    from scipy.special import gammaln

    first, column, total = table[0].sum(), table[:, 0].sum(), table.sum()
    cells = np.arange(max(0.0, first + column - total), min(first, column) + 1)
    logs = -sum(gammaln(each + 1) for each in (cells, first - cells, column - cells, total - first - column + cells))
    chances = np.exp(logs - logs.max())
    seen = chances[int(table[0, 0] - cells[0])]
    return float(min(1.0, chances[chances <= seen * _SAME].sum() / chances.sum()))


def adjust_p(p: float, m: int, way: str) -> float:
    """A p that allows for the best of m having been taken."""
    if way == "bonferroni":
        return min(1.0, m * p)
    if way == "sidak" and p < 1:
        return -math.expm1(m * math.log1p(-p))
    return p


def columns_that_vary(node: NodeView) -> int:
    """How many columns take more than one known value at a node: those that could have been chosen."""
    found = 0
    for column in node.sample.columns:
        values = column.values[node.rows]
        known = values[~np.isnan(values)] if column.kind is Kind.NUMERIC else values[values >= 0]
        found += len(known) > 0 and bool((known != known[0]).any())
    return found


def branch_class_weights(node: NodeView, candidate: Candidate) -> Floats:
    """The weight of every class in every branch, without the factors of priors and costs."""
    factors = node.sample.factors
    return np.divide(candidate.branches, factors, out=np.zeros_like(candidate.branches), where=factors > 0)
