"""F test of the splits of a tree on gradients: the reference implementation of native/boosting/split_test.cpp.

    between = (GL nr - GR nl)^2 / (nl nr n)      within = sum g^2 - GL^2 / nl - GR^2 / nr      n = nl + nr
    F       = between / (within / (n - 2))       the split is removed if F < the minimum or n <= 2
    minimum = min_f + f_slope ln m               m: the cuts that were tried, at most as many as the node has rows

The best of many cuts has a larger F by chance alone, hence m. The test runs from the bottom up: a node whose split is
removed is a leaf in the test of its parent. Rows are counted by weight, in units of the mean weight; an F within 1e-10
of the minimum counts as equal. Definition 10.5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbeam.ensembles.boosting.gradients import Whole

if TYPE_CHECKING:
    from hornbeam.ensembles.boosting.gradient_nodes import EncodedColumn, Node

_WEIGHT_UNITS = 2.0**20  # of the mean weight
_MAX_INVERSE = 1e300
_NEAR = 1e-10


class SplitTest:
    """The test for the rows of a plan."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self.min_f, self.f_slope = float(plan["min_f"]), float(plan["f_slope"])
        weights = plan["rows"].get("weights")
        self.unit = 1.0 if weights is None else 1.0 / _WEIGHT_UNITS
        self.counts: Whole | None = None
        if weights is not None:
            self.counts = np.rint(weights / plan["mean_weight"] * _WEIGHT_UNITS).astype(np.int64)
            self.inverse = np.minimum(plan["mean_weight"] / weights, _MAX_INVERSE)
            self.max_square = 2.0 ** (126 - len(weights).bit_length())

    def prune(self, nodes: list[Node], columns: Sequence[EncodedColumn], pairs: Whole) -> list[Node]:
        """The nodes that remain, in their order; a node whose split is removed becomes a leaf."""
        if self.min_f <= 0:
            return nodes
        for node in reversed(nodes):
            if node.first_child < 0:
                continue
            left, right = nodes[node.first_child : node.first_child + 2]
            if left.first_child < 0 and right.first_child < 0:
                assert node.split is not None
                tried = min(max(columns[node.split.column].n_bins - 1, 1), len(node.rows))
                if self._is_weak(left, right, pairs, self.min_f + self.f_slope * math.log(tried)):
                    node.first_child, node.is_weak = -1, True
        return _compacted(nodes)

    def _is_weak(self, left: Node, right: Node, pairs: Whole, minimum: float) -> bool:
        squares = self._squares(left.rows, pairs) + self._squares(right.rows, pairs)
        counts = self._count(left.rows), self._count(right.rows)
        nl, nr = counts[0] * self.unit, counts[1] * self.unit
        gl, gr, n = float(left.sums.g), float(right.sums.g), nl + nr
        if nl <= 0 or nr <= 0 or n <= 2:
            return True
        difference = float(left.sums.g * counts[1] - right.sums.g * counts[0]) * self.unit
        between = difference / nl * (difference / nr) / n
        within = float(squares) - (gl * gl / nl + gr * gr / nr)
        return between * (n - 2) < minimum * (1 - _NEAR) * max(within, 0.0)

    def _count(self, rows: Whole) -> int:
        return len(rows) if self.counts is None else int(self.counts[rows].sum())

    def _squares(self, rows: Whole, pairs: Whole) -> int:
        """The sum of g^2 / weight in units, exactly: a sum of Python integers."""
        if self.counts is None:
            return sum(g * g for g in pairs[rows, 0].tolist())
        g = pairs[rows, 0].astype(np.float64)
        with np.errstate(over="ignore"):
            return sum(map(int, np.rint(np.minimum(g * g * self.inverse[rows], self.max_square)).tolist()))


def _compacted(nodes: list[Node]) -> list[Node]:
    index: dict[int, int] = {}
    kept: list[Node] = []
    for at, node in enumerate(nodes):
        if node.parent >= 0 and (node.parent not in index or nodes[node.parent].first_child < 0):
            continue
        index[at] = len(kept)
        kept.append(node)
    for node in kept:
        node.parent = index.get(node.parent, -1)
        node.first_child = index.get(node.first_child, -1)
    return kept
