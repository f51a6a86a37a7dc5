"""What do two questions hold together, and what does the second one gain?  The tables behind looking two levels deep.

Every row carries channels that add up: the statistics of the target, 1, and its weight. Two groupings of the rows give
a joint table groups x groups x channels in one pass; a grouping into two is one column of 0 and 1, and the joint
tables of all pairs of such columns are one matrix product a channel:

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
    """The table groups x groups x channels of the rows that know both groupings (a group below 0 is not known)."""
    both = (first >= 0) & (second >= 0)
    place = first[both] * n_second + second[both]
    sums = [sum_by_group(place, channels[both, c], n_first * n_second) for c in range(channels.shape[1])]
    return np.stack(sums, axis=1).reshape(n_first, n_second, -1)


def all_pairs(inside: npt.NDArray[np.bool_], channels: Floats) -> Floats:
    """What every pair of two-valued columns holds together: (columns, columns, channels)."""
    rows = inside.astype(np.float64)
    return np.stack([rows.T @ (rows * channels[:, c, None]) for c in range(channels.shape[1])], axis=2)


def best_decrease(left: Floats, known: Floats, criterion: Criterion, targets: Floats | None, limits: Limits) -> Floats:
    """How far the best of many questions lowers weight times impurity: (..., questions, C), (..., C) -> (...).

    0 where no question is allowed or gains anything.
    """
    right = rest_of(known[..., None, :], left)
    allowed = limits.allows(left[..., -2], left[..., -1]) & limits.allows(right[..., -2], right[..., -1])
    fall = weighed_impurity(known, criterion, targets)[..., None]
    fall = fall - weighed_impurity(left, criterion, targets) - weighed_impurity(right, criterion, targets)
    found: Floats = np.where(allowed, fall, 0.0).max(axis=-1, initial=0.0)
    return found


def weighed_impurity(cells: Floats, criterion: Criterion, targets: Floats | None) -> Floats:
    """Weight times impurity of cells with channels."""
    stats = cells[..., :-2]
    return np.asarray(criterion.mass(stats) * criterion.impurity(stats, targets), dtype=np.float64)
