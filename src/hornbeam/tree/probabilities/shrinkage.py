"""Hierarchical shrinkage: a step from a node to a child changes the probabilities by less, the fewer rows there are.

    p(root) = f(root) = (W_k + 1) / (W + K)                    Laplace's correction: no class has probability 0
    p(child) = p(parent) + (f(child) - f(parent)) W(parent) / (W(parent) + r)

f are the fractions of the classes among the training rows. Since W decreases along a path, p is a weighted mean of the
f on the path, and all probabilities are positive. A child without weight has the probabilities of its parent. If a
class other than that of largest weight would be the most probable one, p is mixed with Laplace's correction of the
node. (Agarwal et al., 2022)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.tree.node_arrays import class_weights
from hornbeam.tree.probabilities.base import Floats, Probabilities, with_most_frequent_first

if TYPE_CHECKING:
    from hornbeam.tree.nodes import Nodes


@dataclass(frozen=True)
class Shrinkage(Probabilities):
    """Shrink the fractions of the classes at a node towards those of the nodes above it."""

    name: ClassVar[str] = "shrinkage"
    rows: float = option(10.0, "rows at which a step is halved", above=0.0)

    def of_nodes(self, nodes: Nodes) -> Floats:
        """The probabilities, level by level from the root."""
        stats, total = nodes.stored("stats").astype(np.float64), class_weights(nodes)[:, None]
        fractions = np.divide(stats, total, out=np.zeros_like(stats), where=total > 0)
        fractions[0] = (stats[0] + 1.0) / (total[0] + stats.shape[1])
        parent, has_weight = nodes.parent, total > 0
        step = (fractions - fractions[parent]) * (total[parent] / (total[parent] + self.rows)) * has_weight
        found = fractions.copy()
        order = np.argsort(nodes.depth, kind="stable")
        for level in np.split(order, np.cumsum(np.bincount(nodes.depth)))[1:-1]:
            found[level] = found[parent[level]] + step[level]
        return with_most_frequent_first(found, nodes)
