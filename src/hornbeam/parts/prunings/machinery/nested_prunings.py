"""The losses of all members of a nested family of prunings on held-out rows, and the choice of one member.

A family gives every inner node a level, never above that of its parent; member beta cuts the nodes with level <= beta.
So a node predicts the rows that reach it exactly for level(node) <= beta < level(parent), and one pass over the paths
of the rows gives the loss of every member at once:

    total(beta) = sum w e        squares(beta) = sum w e^2        e = cost, Brier score, or squared error
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from hornbeam.parts.prunings.base import Marks, Numbers
from hornbeam.parts.prunings.machinery.pruning_data import (
    class_factors,
    cost_matrix,
    row_endpoints,
    target_codes,
    target_numbers,
)
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
    table: Table,
    costs: Numbers | None = None,
    factors: Numbers | None = None,
    by: str = "cost",
) -> Losses:
    """The losses of a table's rows for every member beta (in any order) of a nested family.

    `factors` are the factors of the classes under the priors of the whole tree; None uses those of this tree. `by` is
    the loss of a class: "cost" of the predicted class, or "brier" score of the probabilities.
    """
    order = np.argsort(betas, kind="stable")
    ascending = np.asarray(betas, dtype=np.float64)[order]
    cut_from = np.where(tree.nodes.is_leaf, -np.inf, level)
    first = np.searchsorted(ascending, cut_from, side="left")
    ended = row_endpoints(tree, table)
    sums = np.zeros((2, len(ascending) + 1))
    node, row, weight = ended.node, ended.row, ended.weight
    truth = target_codes(tree, table) if tree.is_class else target_numbers(table)
    loss_of = _loss_function(tree, costs, class_factors(tree) if factors is None else factors, by)
    # The node where a row ends, a leaf or a node where it stays, predicts it from the first member on.
    start = np.zeros(len(node), dtype=np.int64)
    while len(node):
        above = tree.nodes.parent[node].astype(np.int64)
        stop = np.where(above < 0, len(ascending), first[above])
        loss = loss_of(truth[row], node)
        for index, amount in ((0, weight * loss), (1, weight * loss * loss)):
            np.add.at(sums[index], start, amount)
            np.subtract.at(sums[index], stop, amount)
        going = above >= 0
        node, row, weight, start = above[going], row[going], weight[going], stop[going]
    running = np.cumsum(sums[:, :-1], axis=1)
    back = np.empty_like(running)
    back[:, order] = running
    return Losses(back[0], back[1], float(ended.weight.sum()))


def _loss_function(
    tree: Tree, costs: Numbers | None, factors: Numbers, by: str
) -> Callable[[npt.NDArray[np.generic], npt.NDArray[np.int64]], Numbers]:
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
