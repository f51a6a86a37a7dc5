"""Joint tables of two questions, and the gain of the second one: the basis of looking two questions ahead.

Every row carries channels that are summed: the statistics of the target, 1, and its weight. Two groupings of the rows
give a joint table groups x groups x channels in one pass; a grouping into two is one column of 0 and 1, and the joint
tables of all pairs of such columns are one matrix product per channel:

    both[a, b, c] = sum over rows  inside_a  inside_b  channel_c
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Floats, Integers, Limits, NodeView, sum_by_group
from hornbeam.parts.searches.machinery.candidates import rest_of


def channels_of(node: NodeView) -> Floats:
    """The channels of a node's rows: statistics, then rows, then weight as given."""
    each = np.arange(node.n_rows)
    if node.sample.n_classes or node.targets is not None:
        known = node.target if node.sample.n_classes else np.searchsorted(node.targets, node.target)  # type: ignore[arg-type]
        width = node.sample.n_classes or len(node.targets)  # type: ignore[arg-type]
        stats = np.zeros((node.n_rows, width))
        stats[each, known] = node.criterion_weights
    else:
        stats = node.table(each, node.n_rows)
    return np.column_stack([stats, np.ones(node.n_rows), node.weights])


def joint_table(first: Integers, n_first: int, second: Integers, n_second: int, channels: Floats) -> Floats:
    """The table groups x groups x channels of the rows whose groups are both known (0 or more)."""
    both = (first >= 0) & (second >= 0)
    index = first[both] * n_second + second[both]
    sums = [sum_by_group(index, channels[both, c], n_first * n_second) for c in range(channels.shape[1])]
    return np.stack(sums, axis=1).reshape(n_first, n_second, -1)


def all_pairs(inside: npt.NDArray[np.bool_], channels: Floats) -> Floats:
    """The joint sums of every pair of two-valued columns: (columns, columns, channels)."""
    rows = inside.astype(np.float64)
    return np.stack([rows.T @ (rows * channels[:, c, None]) for c in range(channels.shape[1])], axis=2)


def best_decrease(left: Floats, known: Floats, criterion: Criterion, targets: Floats | None, limits: Limits) -> Floats:
    """The largest decrease of weight times impurity by a question: (..., questions, C), (..., C) -> (...).

    0 where no question is allowed or has a gain.
    """
    right = rest_of(known[..., None, :], left)
    allowed = limits.allows(left[..., -2], left[..., -1]) & limits.allows(right[..., -2], right[..., -1])
    decrease = weighted_impurity(known, criterion, targets)[..., None]
    decrease = decrease - weighted_impurity(left, criterion, targets) - weighted_impurity(right, criterion, targets)
    found: Floats = np.where(allowed, decrease, 0.0).max(axis=-1, initial=0.0)
    return found


def weighted_impurity(cells: Floats, criterion: Criterion, targets: Floats | None) -> Floats:
    """Weight times impurity of cells with channels."""
    stats = cells[..., :-2]
    return np.asarray(criterion.mass(stats) * criterion.impurity(stats, targets), dtype=np.float64)
