"""Reference implementation of growing one tree on gradients, as native/boosting does.

    S(G, H) = soft(G, l1)^2 / (H + l2)      gain = (S(left) + S(right) - S(node)) / 2 - gamma
    value   = -soft(G, l1) / (H + l2)       soft(G, l1) = sign(G) max(|G| - l1, 0)

Each cut between bins is tried with the rows of missing values in the left and in the right branch, and missing values
are tried against all others; levels are sorted by G / H. Of all splits within 1e-10 of the best the first wins.
Monotone columns bound the values below a split by the mean of its two values (definition 12.6). Columns that do not
share an interaction group are not used on one path.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbeam.ensembles.boosting.gradient_nodes import CUT, IS_MISSING, LEVELS, EncodedColumn, GradientSplit, Node, Sums
from hornbeam.ensembles.boosting.gradients import Units, Whole
from hornbeam.ensembles.boosting.split_test import SplitTest
from hornbeam.ordered_sum import ordered_sum
from hornbeam.seeds import Purpose, Stream, child_id
from hornbeam.table.column import Kind

NEAR = 1e-10
# A column of at most this many levels is regularized like a numeric column.
FEW_LEVELS = 4
FREE = (-math.inf, math.inf)  # the bounds of a value without monotone columns


class GradientTree:
    """A tree grown on the gradient pairs of some rows; `rules` is the plan of the core."""

    def __init__(
        self,
        columns: list[EncodedColumn],
        pairs: Whole,
        units: Units,
        rows: Whole,
        rules: Mapping[str, Any],
        number: int,
    ) -> None:
        self.columns, self.pairs, self.units, self.rules, self.number = columns, pairs, units, rules, number
        self.mask = (1 << units.count_bits) - 1
        self.in_tree = self._sample(list(range(len(columns))), rules["columns_per_tree"], 0)
        self.nodes: list[Node] = []
        self._open(Node(rows, self._sum(rows), groups=tuple(range(len(rules["together"])))))
        self._grow()

    def _grow(self) -> None:
        depth, leaves = self.rules["max_depth"], self.rules["max_leaves"]
        is_limited = leaves >= 0 and (depth < 0 or depth > 40 or 2**depth > leaves)
        waiting = [0] if self.nodes[0].gain > 0 else []
        n_leaves = 1
        while waiting and not (is_limited and n_leaves >= leaves):
            if is_limited and self.rules["best_first"]:
                top = max(self.nodes[node].gain for node in waiting)
                at = min(node for node in waiting if self.nodes[node].gain >= top - NEAR * top)
            else:
                at = min(waiting)
            waiting.remove(at)
            n_leaves += 1
            self._divide(at, not is_limited or n_leaves < leaves)
            first = self.nodes[at].first_child
            waiting += [child for child in (first, first + 1) if self.nodes[child].gain > 0]
        self.nodes = SplitTest(self.rules).prune(self.nodes, self.columns, self.pairs)
        # A tree without a split changes nothing: a step of -G / H would have no bound.
        if len(self.nodes) == 1:
            self.nodes[0].value = 0.0

    def refit(self, pairs: Whole, units: Units) -> None:
        """Sets the sums, values and gains of the nodes to those of other gradients of the same rows."""
        self.pairs, self.units = pairs, units
        for node in self.nodes:
            node.sums = self._sum(node.rows)
        self.nodes[0].value = self.value(self.nodes[0].sums, FREE, self.rules["l2"]) if len(self.nodes) > 1 else 0.0
        for node in self.nodes:
            if node.first_child < 0 or node.split is None:
                continue
            l2 = self.l2_below(node.split.kind, node.split.column)
            children = self.nodes[node.first_child : node.first_child + 2]
            below = ordered_sum(self.score(child.sums, FREE, l2) for child in children)
            node.gain = max((below - self.score(node.sums, FREE, self.rules["l2"])) / 2, 0.0)
            for child in children:
                child.value = self.value(child.sums, FREE, l2)

    def _open(self, node: Node, is_searched: bool = True) -> None:
        node.value = self.value(node.sums, node.bound, self.rules["l2"])
        self.nodes.append(node)
        rules = self.rules
        node.may_split = (
            (rules["max_depth"] < 0 or node.depth < rules["max_depth"])
            and len(node.rows) >= 2 * max(rules["min_rows"], rules["min_weighted_rows"])
            and self.h(node.sums) >= 2 * rules["min_hessian"]
        )
        node.is_searched = node.may_split and is_searched
        if node.is_searched:
            self._search(node)

    def _search(self, node: Node) -> None:
        found = [self._best(node, column) for column in self._columns_of(node)]
        splits = [split for split in found if split is not None]
        if not splits:
            return
        top = max(split.score for split in splits)
        split = next(split for split in splits if split.score >= top - NEAR * abs(top))
        own = self.score(node.sums, node.bound, self.rules["l2"])
        gain = (split.score - own) / 2 - self.rules["gamma"]
        node.split, node.gain = split, gain if gain > NEAR * abs(split.score) / 2 else 0.0

    # ---- one column ----------------------------------------------------------------------------------------------

    def _best(self, node: Node, column: int) -> GradientSplit | None:
        data = self.columns[column]
        cells = self._cells(node.rows, data)
        missing = cells[data.n_bins]
        order = list(range(data.n_bins))
        if data.kind is Kind.NOMINAL:
            order = self._ordered(cells[: data.n_bins])
        known = node.sums - missing
        splits: list[GradientSplit] = []
        left = Sums()
        for position, code in enumerate(order[:-1]):
            left = left + cells[code]
            length = position + 1 if data.kind is Kind.NOMINAL else code
            kind = LEVELS if data.kind is Kind.NOMINAL else CUT
            is_left_larger = self.h(left) >= self.h(known - left)
            if not missing.hc:
                sides = [self.rows(left) >= self.rows(known - left)]
            else:
                sides = [True, False] if is_left_larger else [False, True]
            for missing_left in sides:
                both = left + missing if missing_left else left
                score = self._split_score(node, both, column, kind)
                if score is not None:
                    splits.append(GradientSplit(kind, column, score, both, missing_left, length, order))
        if missing.hc and self.admits(missing, node.sums) and self.admits(known, node.sums):
            l2 = self.rules["l2"]
            alone = self.score(missing, node.bound, l2) + self.score(known, node.bound, l2)
            splits.append(GradientSplit(IS_MISSING, column, alone, missing, True))
        if not splits:
            return None
        top = max(split.score for split in splits)
        return next(split for split in splits if split.score >= top - NEAR * abs(top))

    def _ordered(self, cells: list[Sums]) -> list[int]:
        """The codes of the levels present, sorted by G / H."""

        def ratio(code: int) -> float:
            below = self.h(cells[code]) + self.rules["categorical_smoothing"]
            return self.g(cells[code]) / below if below > 0 else 0.0

        return sorted((code for code, sums in enumerate(cells) if sums.hc), key=ratio)

    def _split_score(self, node: Node, left: Sums, column: int, kind: str) -> float | None:
        right, bound, l2 = node.sums - left, node.bound, self.l2_below(kind, column)
        if not (self.admits(left, node.sums) and self.admits(right, node.sums)):
            return None
        rises = self._rises(column)
        if rises and rises * (self.value(right, bound, l2) - self.value(left, bound, l2)) < 0:
            return None
        return self.score(left, bound, l2) + self.score(right, bound, l2)

    def l2_below(self, kind: str, column: int) -> float:
        """The l2 of both children of a split."""
        is_many = kind == LEVELS and self.columns[column].n_bins > FEW_LEVELS
        return float(self.rules["l2"] + (self.rules["categorical_l2"] if is_many else 0.0))

    def _rises(self, column: int) -> int:
        monotone = self.rules["monotone"]
        return int(monotone[column]) if monotone and self.columns[column].kind is not Kind.NOMINAL else 0

    # ---- splitting -----------------------------------------------------------------------------------------------

    def _divide(self, at: int, search_children: bool) -> None:
        node = self.nodes[at]
        split = node.split
        assert split is not None
        self._set_branches(node, split)
        branch = np.array(split.branch_of)[self.columns[split.column].codes[node.rows]]
        sums = (split.left, node.sums - split.left)
        l2 = self.l2_below(split.kind, split.column)
        bounds = [node.bound, node.bound]
        rises = self._rises(split.column) if split.kind != IS_MISSING else 0
        if rises:
            middle = ordered_sum(self.value(each, node.bound, l2) for each in sums) / 2
            low, high = node.bound
            bounds = [(low, middle), (middle, high)] if rises > 0 else [(middle, high), (low, middle)]
        groups = tuple(group for group in node.groups if split.column in self.rules["together"][group])
        node.first_child = len(self.nodes)
        for side in (0, 1):
            child = Node(node.rows[branch == side], sums[side], at, node.depth + 1, child_id(node.id, side))
            child.bound, child.groups = bounds[side], groups
            self._open(child, search_children)
            child.value = self.value(child.sums, node.bound, l2)

    def _set_branches(self, node: Node, split: GradientSplit) -> None:
        n_bins = self.columns[split.column].n_bins
        if split.kind == IS_MISSING:
            split.branch_of = [1] * n_bins + [0]
            return
        if split.kind == CUT:
            side = [int(code > split.length) for code in range(n_bins)]
        else:
            side = [-1] * n_bins
            for position, code in enumerate(split.order):
                side[code] = int(position >= split.length)
            right = len(split.order) - split.length
            if split.length > right or (split.length == right and side[min(split.order)] == 1):
                side = [1 - each if each >= 0 else each for each in side]
                split.left = node.sums - split.left
                split.missing_left = not split.missing_left
            split.order = side
        missing = 0 if split.missing_left else 1
        split.branch_of = [missing if each < 0 else each for each in side] + [missing]

    def leaf(self, codes: list[Whole], rows: Whole) -> Whole:
        """The leaf of some rows, by their codes."""
        at = np.zeros(len(rows), dtype=np.int64)
        for number, node in enumerate(self.nodes):
            if node.first_child >= 0 and node.split is not None:
                here = at == number
                branch = np.array(node.split.branch_of)[codes[node.split.column][rows[here]]]
                at[here] = node.first_child + branch
        return at

    # ---- sums ----------------------------------------------------------------------------------------------------

    def _sum(self, rows: Whole) -> Sums:
        g, hc = self.pairs[rows].sum(axis=0).tolist()
        return Sums(g, hc)

    def _cells(self, rows: Whole, data: EncodedColumn) -> list[Sums]:
        cells = np.zeros((data.n_bins + 1, 2), dtype=np.int64)
        np.add.at(cells, data.codes[rows], self.pairs[rows])
        return [Sums(g, hc) for g, hc in cells.tolist()]

    def g(self, sums: Sums) -> float:
        """The gradient."""
        return sums.g * self.units.g

    def h(self, sums: Sums) -> float:
        """The hessian."""
        return (sums.hc >> self.units.count_bits) * self.units.h

    def rows(self, sums: Sums) -> int:
        """The number of rows."""
        return sums.hc & self.mask

    def admits(self, sums: Sums, node: Sums) -> bool:
        """Whether a child is large enough."""
        rules, bits = self.rules, self.units.count_bits
        is_enough = self.rows(sums) >= rules["min_rows"] and self.h(sums) >= rules["min_hessian"]
        # Up to a relative error of 2^-30: second derivatives are rounded, and weights can make both sides equal.
        minimum = -((1 - 2 * rules["min_weighted_rows"]) * (node.hc >> bits) // (2 * self.rows(node)))
        has_fraction = (sums.hc >> bits) >= minimum - (minimum >> 30)
        return bool(is_enough and has_fraction and self.h(sums) + rules["l2"] > 0)

    def value(self, sums: Sums, bound: tuple[float, float], l2: float) -> float:
        """The prediction of a node, within its bounds."""
        shrunk = max(abs(self.g(sums)) - self.rules["l1"], 0.0)
        below = self.h(sums) + l2
        value = math.copysign(shrunk, -self.g(sums)) / below if below > 0 and shrunk > 0 else 0.0
        return min(max(value, bound[0]), bound[1])

    def score(self, sums: Sums, bound: tuple[float, float], l2: float) -> float:
        """S(G, H); smaller if the bounds limit the value."""
        v, g, h = self.value(sums, bound, l2), self.g(sums), self.h(sums)
        return float(-2 * g * v - (h + l2) * v * v - 2 * self.rules["l1"] * abs(v))

    # ---- sampled columns -----------------------------------------------------------------------------------------

    def _columns_of(self, node: Node) -> list[int]:
        columns = self.in_tree
        if self.rules["together"]:
            allowed = {column for group in node.groups for column in self.rules["together"][group]}
            columns = [column for column in columns if column in allowed]
        return self._sample(columns, self.rules["columns_per_node"], node.id, self.rules["min_columns_per_node"])

    def _sample(self, pool: list[int], fraction: float, node: int, least: int = 1) -> list[int]:
        count = max(least, int(fraction * len(pool)))
        if count >= len(pool):
            return pool
        stream = Stream.of(self.rules["seed"], Purpose.FEATURES, self.number, node)
        return [pool[index] for index in stream.choose(len(pool), count)]
