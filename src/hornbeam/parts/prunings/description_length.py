"""Minimum description length: the tree that is coded in the fewest bits, including its exceptions.

    bits(leaf) = 1 + log K + exceptions           bits(test) = 1 + log d + bits of the question (`question_bits`)
    quinlan_rivest   exceptions = log(b + 1) + log C(n, e), b = floor((n + 1) / 2); two classes
    mehta            exceptions = sum n_k log(n / n_k) + (K - 1)/2 log(n / 2) + log(pi^(K/2) / Gamma(K/2)); any number
    notes            alpha per node + sum over leaves of weight x impurity (sum of squares for numbers)

A node is cut if it costs no more as a leaf than its pruned subtree: the exact minimum over all prunings, the smallest
on ties. Logarithms are base 2; counts are weights; a leaf without rows has no exceptions. For binary trees the rule of
the lecture notes is cost-complexity pruning with 2 alpha per leaf.
"""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from hornbeam.errors import OptionError, Set
from hornbeam.number_text import number_text
from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Numbers, Pruning, cheapest_pruning, inner_nodes, topmost
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.parts.prunings.machinery.question_bits import cuts_of, question_bits
from hornbeam.table.target_kind import other_kind
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True)
class DescriptionLength(Pruning):
    """Cut a node if the tree with a leaf there is coded in no more bits."""

    name: ClassVar[str] = "description_length"
    supports_numbers: ClassVar[bool] = True

    code: str = option("mehta", "code of the exceptions", choices=("mehta", "quinlan_rivest", "notes"))
    alpha: float = option(1.0, "penalty of a node with code 'notes'", at_least=0)
    impurity: str = option("gini", "impurity with code 'notes'", choices=("gini", "entropy", "error"))
    bits_per_test: float | None = option(None, "bits of a question; if None, by its kind", at_least=0)

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """The cheapest pruning."""
        leaf, test = self.costs(tree, data)
        outcome = cheapest_pruning(tree.nodes, leaf, test, slack=1e-12 * float(np.abs(leaf).max()))
        unit = "cost" if self.code == "notes" else "bits"
        verdicts = {
            node: f"{'cut' if outcome.cut[node] else 'kept'}: {unit} {number_text(leaf[node])} as a leaf, "
            f"{number_text(outcome.as_subtree[node])} as a subtree"
            for node in inner_nodes(tree.nodes)
        }
        return Edits(topmost(tree.nodes, outcome.cut), verdicts=verdicts, metadata={unit: float(outcome.best[0])})

    def costs(self, tree: Tree, data: PruningData) -> tuple[Numbers, Numbers]:
        """The cost of each node as a leaf, and as a test without its children."""
        inner = ~tree.nodes.is_leaf
        if self.code == "notes":
            return weighted_impurity(tree, self.impurity) + self.alpha, np.where(inner, self.alpha, 0.0)
        if not tree.is_class:
            raise OptionError(
                f"Code {self.code!r} requires a classification tree, but this tree predicts numbers.",
                fix=(Set("description_length.code", "notes"), *other_kind(tree.schema.target)),
                option="code",
                got=self.code,
            )
        n_classes = len(tree.schema.classes)
        if self.code == "quinlan_rivest" and n_classes != 2:
            raise OptionError(
                f"Code 'quinlan_rivest' requires two classes, but the tree has {n_classes}.",
                fix=Set("description_length.code", "mehta"),
                option="code",
                got=self.code,
            )
        exceptions = quinlan_rivest_bits(tree) if self.code == "quinlan_rivest" else mehta_bits(tree)
        leaf = 1.0 + math.log2(max(n_classes, 1)) + exceptions
        test = np.zeros(len(tree))
        if self.bits_per_test is not None:
            return leaf, np.where(inner, 1.0 + self.bits_per_test, 0.0)
        for node, cuts in cuts_of(tree, data.training).items():
            test[node] = 1.0 + question_bits(tree, node, cuts)
        return leaf, test


def weighted_impurity(tree: Tree, impurity: str) -> Numbers:
    """Weight times impurity of every node; the sum of squares for numbers."""
    if not tree.is_class:
        return tree.errors()
    stats, weight = tree.nodes.stats, tree.nodes.weight
    if impurity == "error":
        return tree.errors()
    safe = np.where(weight > 0, weight, 1.0)
    if impurity == "gini":
        gini: Numbers = np.maximum(weight - (stats**2).sum(axis=1) / safe, 0.0)
        return gini
    return _spread_bits(stats, safe)


def _spread_bits(stats: Numbers, weight: Numbers) -> Numbers:
    """Sum n_k log(n / n_k): the entropy times the weight."""
    probabilities = np.where(stats > 0, stats / weight[:, None], 1.0)
    bits: Numbers = np.maximum(-(stats * np.log2(probabilities)).sum(axis=1), 0.0)
    return bits


def quinlan_rivest_bits(tree: Tree) -> Numbers:
    """log(b + 1) + log C(n, e) at every node."""
    lgamma = np.vectorize(math.lgamma, otypes=[np.float64])
    n, e = tree.nodes.weight, np.maximum(tree.errors(), 0.0)
    choose = (lgamma(n + 1) - lgamma(e + 1) - lgamma(n - e + 1)) / math.log(2)
    bits: Numbers = np.log2(np.floor((n + 1) / 2) + 1) + np.maximum(choose, 0.0)
    return bits


def mehta_bits(tree: Tree) -> Numbers:
    """The stochastic complexity of the class counts at every node; 0 without rows."""
    n, k = tree.nodes.weight, tree.nodes.stats.shape[1]
    safe = np.where(n > 0, n, 2.0)
    constant = (k / 2 * math.log(math.pi) - math.lgamma(k / 2)) / math.log(2)
    bits = _spread_bits(tree.nodes.stats, safe) + (k - 1) / 2 * np.log2(safe / 2) + constant
    return np.where(n > 0, np.maximum(bits, 0.0), 0.0)
