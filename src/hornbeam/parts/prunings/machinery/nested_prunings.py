"""The losses of all members of a nested family of prunings on held-out rows, and the choice of one member.

A family gives every inner node a level, never above that of its parent; member beta cuts the nodes with level <= beta.
So a node predicts the rows that reach it exactly for level(node) <= beta < level(parent), and one pass over the paths
of the rows gives the loss of every member at once:

    total(beta) = sum w e        squares(beta) = sum w e^2        e = cost, Brier score, or squared error
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.parts.prunings.base import Marks, Numbers
from hornbeam.parts.prunings.machinery.node_sums import NodeSums, class_entries, squared_errors
from hornbeam.parts.prunings.machinery.pruning_data import class_factors, cost_matrix
from hornbeam.parts.prunings.machinery.routed_rows import row_endpoints, target_codes, target_numbers
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.probabilities.frequencies import Frequencies


@dataclasses.dataclass(frozen=True, eq=False)
class Losses:
    """Loss of each member: sums of w e and w e^2, and the weight they are sums over."""

    total: Numbers
    squares: Numbers
    weight: float

    def __add__(self, other: Losses) -> Losses:
        return Losses(self.total + other.total, self.squares + other.squares, self.weight + other.weight)

    @property
    def spread(self) -> Numbers:
        """The standard deviation of each total, like xstd of rpart before its division."""
        if self.weight <= 0:
            return np.full(len(self.total), np.nan)
        return np.sqrt(np.maximum(self.squares - self.total**2 / self.weight, 0.0))


def losses_along(
    tree: Tree,
    level: Numbers,
    betas: Numbers,
    rows: Table | NodeSums,
    costs: Numbers | None = None,
    factors: Numbers | None = None,
    by: str = "cost",
) -> Losses:
    """The losses of rows for every member beta (in any order) of a nested family.

    `factors` are the factors of the classes under the priors of the whole tree; None uses those of this tree. `by` is
    the loss of a class: "cost" of the predicted class, or "brier" score of the probabilities.
    """
    order = np.argsort(betas, kind="stable")
    ascending = np.asarray(betas, dtype=np.float64)[order]
    cut_from = np.where(tree.nodes.is_leaf, -np.inf, level)
    first = np.searchsorted(ascending, cut_from, side="left")
    sums = np.zeros((2, len(ascending) + 1))
    loss_of = _loss_function(tree, costs, class_factors(tree) if factors is None else factors, by)
    entries = _sums_by_node(tree, rows) if isinstance(rows, NodeSums) and not tree.is_class else None
    entries = _entries(tree, rows, loss_of) if entries is None else entries
    # The node where a row ends, a leaf or a node where it stays, predicts it from the first member on.
    node = entries.node
    entry, start = np.arange(len(node)), np.zeros(len(node), dtype=np.int64)
    while len(node):
        above = tree.nodes.parent[node].astype(np.int64)
        stop = np.where(above < 0, len(ascending), first[above])
        for index, amount in enumerate(entries.losses(entry, node)):
            np.add.at(sums[index], start, amount)
            np.subtract.at(sums[index], stop, amount)
        going = above >= 0
        node, entry, start = above[going], entry[going], stop[going]
    running = np.cumsum(sums[:, :-1], axis=1)
    back = np.empty_like(running)
    back[:, order] = running
    return Losses(back[0], back[1], entries.weight)


LossFunction = Callable[[npt.NDArray[np.generic], npt.NDArray[np.int64]], Numbers]


@dataclasses.dataclass(frozen=True, eq=False)
class _Entries:
    """Rows, or groups of rows, that end at a node; `losses` are the sums of w e and w e^2 of some at other nodes."""

    node: npt.NDArray[np.int64]
    weight: float
    losses: Callable[[npt.NDArray[np.int64], npt.NDArray[np.int64]], tuple[Numbers, Numbers]]


def _entries(tree: Tree, rows: Table | NodeSums, loss_of: LossFunction) -> _Entries:
    """One entry per row, or per node and class."""
    truth: npt.NDArray[Any]
    if isinstance(rows, NodeSums):
        node, truth, weight = class_entries(rows.table(tree))
    else:
        ended = row_endpoints(tree, rows)
        target: npt.NDArray[Any] = target_codes(tree, rows) if tree.is_class else target_numbers(rows)
        node, truth, weight = ended.node, target[ended.row], ended.weight

    def losses(entry: npt.NDArray[np.int64], at: npt.NDArray[np.int64]) -> tuple[Numbers, Numbers]:
        loss = loss_of(truth[entry], at)
        return weight[entry] * loss, weight[entry] * loss * loss

    return _Entries(node, float(weight.sum()), losses)


def _sums_by_node(tree: Tree, rows: NodeSums) -> _Entries:
    """One entry per node, of the numbers of all rows that end there."""
    powers = rows.table(tree)
    node = powers[:, 0].nonzero()[0]
    powers, answer = powers[node], tree.nodes.answer - rows.center

    def losses(entry: npt.NDArray[np.int64], at: npt.NDArray[np.int64]) -> tuple[Numbers, Numbers]:
        return squared_errors(powers[entry], answer[at])

    return _Entries(node, float(powers[:, 0].sum()), losses)


def _loss_function(tree: Tree, costs: Numbers | None, factors: Numbers, by: str) -> LossFunction:
    """The function that returns the losses of rows from their targets and the nodes that predict them."""
    answer = tree.nodes.answer
    if not tree.is_class:
        return lambda truth, node: (truth.astype(np.float64) - answer[node]) ** 2
    if by == "brier":
        p = Frequencies().of_nodes(tree.nodes)
        squares = (p * p).sum(axis=1) + 1.0
        return lambda truth, node: (squares[node] - 2.0 * p[node, truth]) * factors[truth]
    class_costs = cost_matrix(tree, costs) * factors[:, None]
    return lambda truth, node: class_costs[truth, answer[node].astype(np.int64)]


def members(nodes: Nodes, level: Numbers, beta: float) -> Marks:
    """The inner nodes that member beta cuts."""
    return ~nodes.is_leaf & (level <= beta)


def choose_member(loss: Numbers, spread: Numbers, rule: str) -> int:
    """The index of the chosen member; members are ordered from the smallest tree to the largest.

    minimum: the first of least loss; one_se: the first within one standard deviation of the least.
    """
    smallest = float(loss.min())
    slack = 1e-12 * max(abs(smallest), float(np.abs(loss).max()))
    at = int(np.flatnonzero(loss <= smallest + slack)[0])
    if rule == "one_se":
        at = int(np.flatnonzero(loss <= loss[at] + spread[at] + slack)[0])
    return at
