"""Reduced error pruning: a leaf replaces a subtree if it is no worse on rows that did not grow the tree.

    bottom_up              compares a node with its already pruned subtree, children first, cuts on ties:
                           the smallest among the most accurate prunings on the pruning set, in one pass
    most_improving_first   cuts the node that helps most, repeatedly (ties: shallowest, then lowest number), until each
                           cut would hurt: never less accurate than the full tree, but not always the best

Branches that no pruning row reaches tie at 0 and are cut, unless `keep_unseen`. The loss is the misclassified weight,
the cost if the pruning data has costs, the squared error for numbers.
"""

from __future__ import annotations

import dataclasses
import heapq
from typing import ClassVar

import numpy as np

from hornbeam.number_text import number_text
from hornbeam.options import option
from hornbeam.parts.prunings.base import (
    Edits,
    Marks,
    Numbers,
    Pruning,
    cheapest_pruning,
    inner_nodes,
    topmost,
)
from hornbeam.parts.prunings.machinery.pruning_data import PruningData, node_losses
from hornbeam.tree.nodes import Nodes, Tree


@dataclasses.dataclass(frozen=True)
class ReducedError(Pruning):
    """Cut a node if a leaf is no worse on a pruning set."""

    name: ClassVar[str] = "reduced_error"
    supports_numbers: ClassVar[bool] = True

    order: str = option("bottom_up", "order in which nodes are tried", choices=("bottom_up", "most_improving_first"))
    keep_unseen: bool = option(False, "whether branches that no pruning row reaches are kept")

    @property
    def needs(self) -> tuple[str, ...]:
        """Rows that did not grow the tree."""
        return ("pruning_set",)

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Compare losses on the pruning set."""
        table = data.needed("pruning_set", self.name)
        loss = node_losses(tree, table, data.costs)
        slack = 1e-12 * max(float(loss.as_leaf.max()), 1e-300)
        barred = (loss.weight == 0) if self.keep_unseen else np.zeros(len(tree), dtype=bool)
        test = np.where(tree.nodes.is_leaf, 0.0, loss.as_end)
        if self.order == "bottom_up":
            outcome = cheapest_pruning(tree.nodes, loss.as_leaf, test, slack, barred)
            subtree, cut = outcome.as_subtree, outcome.cut
        else:
            subtree, cut = _greedy(tree.nodes, loss.as_leaf, test, slack, barred)
        verdicts = {
            node: _verdict(loss.as_leaf[node], subtree[node], cut[node], barred[node])
            for node in inner_nodes(tree.nodes)
        }
        return Edits(topmost(tree.nodes, cut), verdicts=verdicts, metadata={"pruning_rows": len(table)})


def _verdict(leaf: float, subtree: float, is_cut: bool, is_barred: bool) -> str:
    if is_barred:
        return "kept: no pruning row reaches it"
    return f"{'cut' if is_cut else 'kept'}: {number_text(leaf)} errors as a leaf, {number_text(subtree)} as a subtree"


def _greedy(nodes: Nodes, as_leaf: Numbers, as_test: Numbers, slack: float, barred: Marks) -> tuple[Numbers, Marks]:
    """Cut the node that lowers the loss most first.

    A cut that lowers the loss by h lowers the subtree loss of every ancestor by h, so a gain in the queue can only be
    too large: it is corrected when it reaches the top.
    """
    full = cheapest_pruning(nodes, as_leaf, as_test, barred=np.ones(len(nodes), dtype=bool)).as_subtree.tolist()
    leaf, depth, parent = as_leaf.tolist(), nodes.depth.tolist(), nodes.parent.tolist()
    cut = np.zeros(len(nodes), dtype=bool)
    queue = [(leaf[t] - full[t], depth[t], t) for t in inner_nodes(nodes) if not barred[t]]
    heapq.heapify(queue)
    removed = [False] * len(nodes)
    while queue and queue[0][0] <= slack:
        loss, node_depth, node = heapq.heappop(queue)
        if removed[node]:
            continue
        if leaf[node] - full[node] > loss + slack:
            heapq.heappush(queue, (leaf[node] - full[node], node_depth, node))
            continue
        cut[node] = True
        _mark_removed(nodes, node, removed)
        change = full[node] - leaf[node]
        above = parent[node]
        while above >= 0 and change != 0:
            full[above] -= change
            above = parent[above]
    return np.array(full), cut


def _mark_removed(nodes: Nodes, node: int, removed: list[bool]) -> None:
    """Mark all nodes of a subtree; each is marked once, for any number of cuts."""
    stack = [node]
    while stack:
        here = stack.pop()
        if not removed[here]:
            removed[here] = True
            stack.extend(nodes.children(here))
