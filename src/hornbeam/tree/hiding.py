"""Counts below a minimum are hidden: a small count can identify a person.

Every count becomes a multiple of the minimum, and a count below it becomes 0 (texts show `<5`). Rounding all counts
matters: otherwise a hidden count would be the count of its parent minus that of its neighbor.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OptionError, short_repr
from hornbeam.number_text import count_text
from hornbeam.tree.nodes import Tree

Numbers = npt.NDArray[Any]

_LARGEST = 1_000
# Values from which exact counts follow.
_EXACT = ("impurity", "gain", "score", "competitor_gain", "competitor_score")


def check_min_count(min_count: Any) -> None:
    """Raise if a minimum count is not an integer from 0 to 1,000."""
    if isinstance(min_count, bool) or not isinstance(min_count, int) or not 0 <= min_count <= _LARGEST:
        raise OptionError(
            f"The minimum of shown counts must be an integer from 0 to {_LARGEST:,}, got {short_repr(min_count)}.",
            option="min_count",
        )


def hidden_counts(counts: Numbers, min_count: int) -> Numbers:
    """The counts as multiples of `min_count`, 0 below it; unchanged if `min_count` is 0."""
    if not min_count:
        return counts
    return np.where(counts < min_count, 0, np.round(counts / min_count) * min_count)


def hidden_count(count: float, min_count: int) -> float:
    """One count as a multiple of `min_count`, 0 below it."""
    return float(hidden_counts(np.array([count]), min_count)[0])


def hide_counts(tree: Tree, min_count: int) -> Tree:
    """The tree with hidden counts of rows and classes, and without the impurities that depend on them."""
    check_min_count(min_count)
    if not min_count:
        return tree
    nodes = tree.nodes
    rows = hidden_counts(nodes.rows, min_count).astype(nodes.rows.dtype)
    stats = np.array(nodes.stats, dtype=np.float64)
    if tree.is_class:
        stats = hidden_counts(stats, min_count)
    elif stats.shape[1] > 2:  # weight, mean, sum of squares: the standard deviation stays, where it is shown
        weight = hidden_counts(stats[:, 0], min_count)
        scale = np.divide(weight, stats[:, 0], out=np.zeros(len(weight)), where=stats[:, 0] > 0)
        stats = np.column_stack([weight, stats[:, 1], stats[:, 2] * scale])
    weight = hidden_counts(nodes.weight, min_count)
    none = {name: np.zeros_like(getattr(nodes, name)) for name in _EXACT}
    return dataclasses.replace(tree, nodes=nodes.in_full().replace(rows=rows, weight=weight, stats=stats, **none))


def count_or_less(count: float, min_count: int) -> str:
    """A count as text, `<5` if it is hidden."""
    if min_count and 0 < count < min_count:
        return f"<{min_count}"
    return count_text(hidden_count(count, min_count))
