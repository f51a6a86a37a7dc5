"""Tests of a table of branches and classes for independence.

    chi-square   X2 = sum (O - E)^2 / E,  (B - 1)(K - 1) degrees of freedom; rows and columns without weight are dropped
    Yates        for 2 x 2: |O - E| is reduced by min(1/2, |O - E|)
    Fisher       for 2 x 2 with an E below 5: the exact two-sided p, summed over all tables no more likely than this

The question was chosen because it is the best, so its p is too small. With m columns to choose from

    bonferroni   min(1, m p)          sidak   1 - (1 - p)^m

correct for the choice of the column. Only `permutation_test` corrects for the choice of the cut inside a column.
"""

from __future__ import annotations

import math

import numpy as np

from hornbeam.parts.node import Candidate, Floats, NodeView
from hornbeam.table.column import Kind

ADJUSTMENTS = ("none", "bonferroni", "sidak")
# Below this expected count the chi-square approximation is poor, and Fisher's test replaces it for 2 x 2 tables.
SMALL_COUNT = 5.0
# Tables whose probabilities differ by less than this factor are equally likely, as in R's fisher.test.
_EQUAL = 1 + 1e-7


def independence(table: Floats, yates: bool = True, fisher: bool = True) -> float:
    """The p of a table (branches, classes); 1 if there is nothing to compare. Fisher's test requires integer counts."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return 1.0
    counts = np.round(table)
    if bool((np.abs(table - counts) <= 1e-9 * np.maximum(1.0, counts)).all()):
        table = counts
        if fisher and table.shape == (2, 2) and bool((expected_table(table) < SMALL_COUNT).any()):
            return fisher_p(table)
    return chi_square(table, yates)[1]


def expected_table(table: Floats) -> Floats:
    """The expected table if branches and classes are independent."""
    found: Floats = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return found


def chi_square(table: Floats, yates: bool = True) -> tuple[float, float]:
    """The statistic and its p; the correction applies to 2 x 2 tables only."""
    from scipy.special import chdtrc

    expected = expected_table(table)
    apart = np.abs(table - expected)
    if yates and table.shape == (2, 2):
        apart -= np.minimum(0.5, apart)
    statistic = float((apart * apart / expected).sum())
    return statistic, float(chdtrc((table.shape[0] - 1) * (table.shape[1] - 1), statistic))


def fisher_p(table: Floats) -> float:
    """Fisher's exact two-sided p of a 2 x 2 table of counts."""
    from scipy.special import gammaln

    first, column, total = table[0].sum(), table[:, 0].sum(), table.sum()
    cells = np.arange(max(0.0, first + column - total), min(first, column) + 1)
    logs = -sum(gammaln(each + 1) for each in (cells, first - cells, column - cells, total - first - column + cells))
    likelihood = np.exp(logs - logs.max())
    observed = likelihood[int(table[0, 0] - cells[0])]
    return float(min(1.0, likelihood[likelihood <= observed * _EQUAL].sum() / likelihood.sum()))


def adjust_p(p: float, m: int, adjustment: str) -> float:
    """A p corrected for the choice of the best of m columns."""
    if adjustment == "bonferroni":
        return min(1.0, m * p)
    if adjustment == "sidak" and p < 1:
        return -math.expm1(m * math.log1p(-p))
    return p


def columns_that_vary(node: NodeView) -> int:
    """The number of columns with more than one known value at a node: those that could have been chosen."""
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
