"""Minimum error pruning: the expected error of a leaf by the m-estimate of its class probabilities.

    p_k(t) = (W_k + m prior_k) / (W + m)        static(t) = 1 - largest p_k        dynamic(t) = sum W(c)/W(t) best(c)
    cut t if static(t) <= dynamic(t)            (children first; best = the smaller)

A leaf predicts the class of largest p_k, which for a large m may not be its majority. Priors are the class
probabilities of the root, or equal: m = number of classes with equal priors is the original rule of Niblett and Bratko.
A larger m usually prunes more, but the trees need not be nested. If m is None, the one of least loss over the folds is
used, the smallest tree on ties.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from hornbeam.number_text import number_text
from hornbeam.options import option
from hornbeam.ordered_sum import ordered_sum
from hornbeam.parts.prunings.base import (
    CheapestPruning,
    Edits,
    Numbers,
    Pruning,
    cheapest_pruning,
    inner_nodes,
    remaining_nodes,
    stayed_stats,
    topmost,
)
from hornbeam.parts.prunings.machinery.node_sums import NodeSums
from hornbeam.parts.prunings.machinery.pruning_data import PruningData, node_losses
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

GRID = (0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 12.0, 16.0, 32.0, 64.0, 128.0, 999.0)
SLACK = 1e-12


@dataclasses.dataclass(frozen=True)
class MinimumError(Pruning):
    """Cut a node if its expected error by the m-estimate is at most that of its subtree."""

    name: ClassVar[str] = "minimum_error"

    m: float | None = option(
        2.0, "weight of the priors relative to the rows; if None, chosen by cross-validation", at_least=0
    )
    priors: str = option("root", "prior class probabilities", choices=("root", "uniform"))

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Compare expected errors bottom-up."""
        self.check_target(tree)
        m = self.m if self.m is not None else self._best_m(tree, data)
        static, answer, outcome = self._expected(tree, m)
        weight = np.where(tree.nodes.weight > 0, tree.nodes.weight, 1.0)
        verdicts = {}
        for node in inner_nodes(tree.nodes):
            dynamic = outcome.as_subtree[node] / weight[node]
            verdict = "cut" if outcome.cut[node] else "kept"
            verdicts[node] = (
                f"{verdict}: expected error {number_text(static[node])} as a leaf, {number_text(dynamic)} as a subtree"
            )
        tops = topmost(tree.nodes, outcome.cut)
        return Edits(tops, verdicts=verdicts, answers=_changed(tree, answer), metadata={"m": m})

    def _expected(self, tree: Tree, m: float) -> tuple[Numbers, Numbers, CheapestPruning]:
        """The static errors, the classes they assume, and the comparison in units of weight."""
        nodes = tree.nodes
        n_classes = nodes.stats.shape[1]
        root = nodes.stats[0]
        prior = root / root.sum() if self.priors == "root" and root.sum() > 0 else np.full(n_classes, 1.0 / n_classes)
        total = nodes.weight + m
        mixed = nodes.stats + m * prior
        # A node without rows and m = 0 keeps its prediction and has no weight.
        static = np.where(total > 0, 1 - mixed.max(axis=1) / np.where(total > 0, total, 1.0), 0.0)
        best = np.argmax(mixed, axis=1)
        own = nodes.answer.astype(np.int64)
        rows = np.arange(len(nodes))
        answer = np.where(mixed[rows, own] >= mixed[rows, best], own, best).astype(np.float64)
        as_test = stayed_stats(nodes).sum(axis=1) * static
        outcome = cheapest_pruning(nodes, static * nodes.weight, as_test, SLACK * float(nodes.weight[0]))
        return static, answer, outcome

    def _best_m(self, tree: Tree, data: PruningData) -> float:
        """The m of least loss on held-out rows, summed over the folds; on ties that of the smallest tree."""
        folds = data.needed("folds", self.name)
        errors = [ordered_sum(self._held_out_loss(grown, rows, m, data) for grown, rows in folds.trees) for m in GRID]
        smallest = min(errors)
        sizes = [int(remaining_nodes(tree.nodes, self._expected(tree, m)[2].cut)[0].sum()) for m in GRID]
        ties = [i for i in range(len(GRID)) if errors[i] <= smallest + 1e-9 * max(1.0, smallest)]
        return GRID[min(ties, key=lambda i: (sizes[i], i))]

    def _held_out_loss(self, grown: Tree, rows: Table | NodeSums, m: float, data: PruningData) -> float:
        """The loss of a fold tree pruned with m on the held-out rows."""
        _, answer, outcome = self._expected(grown, m)
        relabeled = dataclasses.replace(grown, nodes=grown.nodes.replace(answer=answer))
        loss = node_losses(relabeled, rows, data.costs)
        leaves, inner = remaining_nodes(grown.nodes, outcome.cut)
        return float(loss.as_leaf[leaves].sum() + loss.as_end[inner].sum())


def _changed(tree: Tree, answer: Numbers) -> dict[int, float]:
    """The nodes whose prediction changes."""
    return {node: float(answer[node]) for node in np.flatnonzero(answer != tree.nodes.answer).tolist()}
