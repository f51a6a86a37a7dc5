"""NodeSums: what held-out rows add up to at the nodes of a tree where they end, instead of the rows.

    classes   the weight of each class
    numbers   the weighted sums of the powers 0 to 4 of the difference to the root's prediction

All losses of a tree and of its prunings are functions of these sums, so rows of any number are read in parts, and the
sums of parts are merged. They are exact: neither the parts nor their order change a loss.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.grouped_sums import GroupedSums
from hornbeam.parts.prunings.base import Numbers
from hornbeam.parts.prunings.machinery.routed_rows import row_endpoints, target_codes, target_numbers
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

_POWERS = 5


@dataclasses.dataclass
class NodeSums:
    """The sums of the rows that ended at each node of one tree."""

    n_nodes: int
    n_classes: int
    center: float
    n_rows: int
    sums: GroupedSums

    @classmethod
    def of(cls, tree: Tree) -> NodeSums:
        """The sums of no rows."""
        n_classes = len(tree.schema.classes) if tree.is_class else 0
        center = 0.0 if tree.is_class else float(tree.nodes.answer[0])
        return cls(len(tree), n_classes, center, 0, GroupedSums(len(tree) * (n_classes or _POWERS)))

    def __len__(self) -> int:
        return self.n_rows

    def add(self, tree: Tree, table: Table) -> None:
        """Route rows through the tree and add them."""
        ended = row_endpoints(tree, table)
        self.n_rows += len(table)
        if self.n_classes:
            self.sums.add(ended.node * self.n_classes + target_codes(tree, table)[ended.row], ended.weight)
            return
        difference = target_numbers(table)[ended.row] - self.center
        term = ended.weight
        for power in range(_POWERS):
            self.sums.add(ended.node * _POWERS + power, term)
            term = term * difference

    def merge(self, other: NodeSums) -> None:
        """Add other rows."""
        self.n_rows += other.n_rows
        self.sums.merge(other.sums)

    def table(self, tree: Tree) -> Numbers:
        """The sums, one row per node; an error if they are those of another tree."""
        if len(tree) != self.n_nodes:
            raise InputError(f"The sums are those of a tree of {self.n_nodes} nodes, and the tree has {len(tree)}.")
        found: Numbers = self.sums.values().reshape(self.n_nodes, -1)
        return found


def squared_errors(powers: Numbers, difference: Numbers) -> tuple[Numbers, Numbers]:
    """The sums of w e and of w e^2, e the squared error of a prediction that differs from the center by `difference`.

    `powers` has a row of sums of powers per prediction.
    """
    weight, first, second, third, fourth = powers.T
    d = difference
    squares = second - 2 * d * first + d**2 * weight
    fourths = fourth - 4 * d * third + 6 * d**2 * second - 4 * d**3 * first + d**4 * weight
    return np.maximum(squares, 0.0), np.maximum(fourths, 0.0)


def class_entries(counts: Numbers) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Numbers]:
    """Node, class and weight of every entry of a table of counts that is not 0."""
    node, truth = counts.nonzero()
    return node, truth, counts[node, truth]
