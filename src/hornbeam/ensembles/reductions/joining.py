"""Into which two groups do many classes fall when looking at all groupings would take too long?

    Every class is a group at first. The two groups whose means are nearest are joined, again and again, until two are
    left. Distance^2 = (m - m')^T S^+ (m - m'), S the covariance of the rows around the means of their own classes.

Ties go to the groups that hold the lowest classes. Numbers and ordered levels enter as they are, nominal levels as one
column each; a missing value is the mean of its column.
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
    """The last two groups, the one with the lowest class first."""
    rows = problem.rows_of(classes)
    codes, weights = problem.codes[rows], problem.row_weights[rows]
    points = np.column_stack([_numbers(column.take(rows), weights) for column in problem.table.columns])
    heavy = {code: float(weights[codes == code].sum()) for code in classes}
    means = {code: weights[codes == code] @ points[codes == code] / heavy[code] for code in classes}
    around = points - np.array([means[code] for code in codes.tolist()])
    metric = np.linalg.pinv((around * weights[:, None]).T @ around / weights.sum(), hermitian=True)
    groups: list[Group] = [((code,), heavy[code], means[code]) for code in sorted(classes)]
    while len(groups) > 2:
        first, second = _nearest(groups, metric)
        names = tuple(sorted(groups[first][0] + groups[second][0]))
        weight = groups[first][1] + groups[second][1]
        mean = (groups[first][1] * groups[first][2] + groups[second][1] * groups[second][2]) / weight
        groups = [group for place, group in enumerate(groups) if place not in (first, second)]
        groups = sorted([*groups, (names, weight, mean)], key=lambda group: group[0])
    return groups[0][0], groups[1][0]


def _nearest(groups: list[Group], metric: Floats) -> tuple[int, int]:
    means = np.array([mean for _, _, mean in groups])
    apart = means[:, None, :] - means[None, :, :]
    distance = np.einsum("ijk,kl,ijl->ij", apart, metric, apart)
    slack = _SLACK * max(float(np.abs(distance).max()), 1e-300)
    pairs = itertools.combinations(range(len(groups)), 2)
    best, found = np.inf, (0, 1)
    for first, second in pairs:
        if distance[first, second] < best - slack:
            best, found = float(distance[first, second]), (first, second)
    return found


def _numbers(column: Column, weights: Floats) -> Floats:
    """A column as numbers around its mean, (rows, 1) or one column a level."""
    missing = column.is_missing
    if column.kind is Kind.NOMINAL:
        columns = (np.asarray(column.values)[:, None] == np.arange(len(column.levels))).astype(np.float64)
    else:
        columns = np.where(missing, 0.0, column.values).astype(np.float64)[:, None]
    known = float(weights[~missing].sum())
    mean = weights[~missing] @ columns[~missing] / known if known > 0 else 0.0
    return np.where(missing[:, None], 0.0, columns - mean)
