"""Joins many classes into two groups, if evaluating all groupings would take too long.

    Each class starts as a group. The two groups with the nearest means are joined until two are left.
    Distance^2 = (m - m')^T S^+ (m - m'), where S is the covariance of the rows around the means of their classes.

Ties go to the groups with the lowest classes. Numeric and ordinal values are used as they are, nominal levels as one
indicator column each; a missing value is replaced by the mean of its column.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from hornbeam.ensembles.reductions.problem import Floats, Problem
from hornbeam.table.column import Column, Kind

_SLACK = 1e-10
Group = tuple[tuple[int, ...], float, Floats]


def joined_groups(problem: Problem, classes: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The last two groups, that with the lowest class first."""
    rows = problem.rows_of(classes)
    codes, weights = problem.codes[rows], problem.row_weights[rows]
    points = np.column_stack([_numbers(column.take(rows), weights) for column in problem.table.columns])
    totals = {code: float(weights[codes == code].sum()) for code in classes}
    means = {code: weights[codes == code] @ points[codes == code] / totals[code] for code in classes}
    centered = points - np.array([means[code] for code in codes.tolist()])
    metric = np.linalg.pinv((centered * weights[:, None]).T @ centered / weights.sum(), hermitian=True)
    groups: list[Group] = [((code,), totals[code], means[code]) for code in sorted(classes)]
    while len(groups) > 2:
        first, second = _nearest(groups, metric)
        joined = tuple(sorted(groups[first][0] + groups[second][0]))
        weight = groups[first][1] + groups[second][1]
        mean = (groups[first][1] * groups[first][2] + groups[second][1] * groups[second][2]) / weight
        groups = [group for index, group in enumerate(groups) if index not in (first, second)]
        groups = sorted([*groups, (joined, weight, mean)], key=lambda group: group[0])
    return groups[0][0], groups[1][0]


def _nearest(groups: list[Group], metric: Floats) -> tuple[int, int]:
    means = np.array([mean for _, _, mean in groups])
    differences = means[:, None, :] - means[None, :, :]
    distance = np.einsum("ijk,kl,ijl->ij", differences, metric, differences)
    slack = _SLACK * max(float(np.abs(distance).max()), 1e-300)
    pairs = itertools.combinations(range(len(groups)), 2)
    best, found = np.inf, (0, 1)
    for first, second in pairs:
        if distance[first, second] < best - slack:
            best, found = float(distance[first, second]), (first, second)
    return found


def _numbers(column: Column, weights: Floats) -> Floats:
    """A column as centered numbers, (rows, 1), or one column per level."""
    missing = column.is_missing
    if column.kind is Kind.NOMINAL:
        columns = (np.asarray(column.values)[:, None] == np.arange(len(column.levels))).astype(np.float64)
    else:
        columns = np.where(missing, 0.0, column.values).astype(np.float64)[:, None]
    known = float(weights[~missing].sum())
    mean = weights[~missing] @ columns[~missing] / known if known > 0 else 0.0
    return np.where(missing[:, None], 0.0, columns - mean)
