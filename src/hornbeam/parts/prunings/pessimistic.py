"""Pessimistic error pruning (Quinlan 1987): corrected errors within one standard error of the subtree's make a leaf.

    e'(t) = errors as a leaf + 1/2        e'(T) = errors of the subtree's leaves + 1/2 per leaf
    SE = sqrt(e'(T) (n - e'(T)) / n)      cut t if e'(t) <= e'(T) + SE

Nodes are examined from the top down: nodes below a cut node are not. Training statistics only. If e'(T) exceeds n, the
standard error is 0. Counts are weights. `standard_error = false` compares the corrected errors alone, which keeps more
of the tree.
"""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from hornbeam.number_text import number_text
from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Pruning, inner_nodes, sums_below, topmost
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True)
class Pessimistic(Pruning):
    """Cut a node if its corrected errors are at most those of its subtree plus one standard error."""

    name: ClassVar[str] = "pessimistic"
    standard_error: bool = option(True, "whether one standard error is added to the errors of the subtree")

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Compare corrected errors from the top down."""
        self.check_target(tree)
        nodes, errors = tree.nodes, tree.errors()
        below = sums_below(nodes, np.where(nodes.is_leaf, errors + 0.5, 0.0)).tolist()
        above, leaf, weight = nodes.parent.tolist(), errors.tolist(), nodes.weight.tolist()
        cut = np.zeros(len(tree), dtype=bool)
        top: dict[int, int] = {}
        verdicts = {}
        for node in inner_nodes(nodes):
            if above[node] in top:
                top[node] = top[above[node]]
                verdicts[node] = f"gone: inside node {top[node]}, which was cut"
                continue
            margin = standard_error(below[node], weight[node]) if self.standard_error else 0.0
            cut[node] = leaf[node] + 0.5 <= below[node] + margin
            if cut[node]:
                top[node] = node
            more = f" + {number_text(margin)}" if self.standard_error else ""
            verdicts[node] = (
                f"{'cut' if cut[node] else 'kept'}: {number_text(leaf[node] + 0.5)} corrected errors as a leaf, "
                f"{number_text(below[node])}{more} as a subtree"
            )
        return Edits(topmost(nodes, cut), verdicts=verdicts)


def standard_error(corrected: float, weight: float) -> float:
    """The standard error of a subtree's corrected errors; 0 if they exceed the number of rows."""
    if weight <= 0 or corrected > weight:
        return 0.0
    return math.sqrt(corrected * (weight - corrected) / weight)
