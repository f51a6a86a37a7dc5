"""Parts of every type as another package defines them. The tests load this module through a faked entry point only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion, NodeImpurity
from hornbeam.parts.losses import Loss
from hornbeam.parts.missing import Missing
from hornbeam.parts.node import Candidate, Floats, Limits, NodeView, class_probabilities
from hornbeam.parts.orders import Order
from hornbeam.parts.prunings import Edits, Pruning, PruningData
from hornbeam.parts.prunings.base import cheapest_pruning, inner_nodes, topmost
from hornbeam.parts.searches import Search
from hornbeam.parts.searches.machinery.candidates import best_admitted
from hornbeam.parts.searches.sorted_cuts import cuts
from hornbeam.parts.stops import Stop
from hornbeam.table.column import Kind
from hornbeam.tree.nodes import Tree


@dataclass(frozen=True)
class Tsallis(NodeImpurity):
    """The decrease of the Tsallis entropy of the classes."""

    name: ClassVar[str] = "tsallis"
    q: float = option(1.5, "exponent of the class probabilities", above=1, at_most=10)

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        return np.asarray((1.0 - (class_probabilities(stats) ** self.q).sum(axis=-1)) / (self.q - 1.0))


@dataclass(frozen=True)
class QuantileCut(Search):
    """One cut per column, at a quantile of its values."""

    name: ClassVar[str] = "quantile_cut"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL)
    quantile: float = option(0.5, "fraction of the weight at or below the cut", above=0, below=1)

    def best(self, node: NodeView, column: int, criterion: Criterion, limits: Limits) -> Candidate | None:
        groups = node.groups(column)
        if len(groups) < 2:
            return None
        below = np.cumsum(groups.weight)
        cut = min(int(np.searchsorted(below, self.quantile * below[-1])), len(groups) - 2)
        return best_admitted(node, column, groups, cuts(node.sample, groups, column), criterion, np.array([cut]))


@dataclass(frozen=True)
class MinFraction(Stop):
    """A node with less than a fraction of the weight is a leaf."""

    name: ClassVar[str] = "min_fraction"
    reasons: ClassVar[tuple[str, ...]] = ("rows to split",)
    fraction: float = option(0.1, "minimum fraction of the weight of a node that is split", at_least=0, at_most=1)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        return self.reasons[0] if node.fraction < self.fraction else None


@dataclass(frozen=True)
class LargestError(Loss):
    """The largest absolute error at a node; the best prediction is the mid-range."""

    name: ClassVar[str] = "largest_error"
    supports: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "distribution"

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        assert targets is not None
        low = np.where(stats > 0, targets, np.inf).min(axis=-1)
        high = np.where(stats > 0, targets, -np.inf).max(axis=-1)
        return np.asarray((low + high) / 2)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        assert targets is not None
        apart = np.abs(targets - np.asarray(answer)[..., None])
        return np.asarray(np.where(stats > 0, apart, 0.0).max(axis=-1))


@dataclass(frozen=True)
class NewestFirst(Order):
    """Split the node that was created last."""

    name: ClassVar[str] = "newest_first"

    def key(self, created: int, branch: int, decrease: float) -> tuple[float, ...]:
        return (-created,)


@dataclass(frozen=True)
class FixedBranch(Missing):
    """Send rows with a missing value to a fixed branch."""

    name: ClassVar[str] = "fixed_branch"
    branch: int = option(1, "number of the branch of missing values, 0 or 1", at_least=0, at_most=1)

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        return self.branch


@dataclass(frozen=True)
class LaplaceError(Pruning):
    """Cut a node if its Laplace error as a leaf is at most that of its subtree."""

    name: ClassVar[str] = "laplace_error"
    prior: float = option(1.0, "weight that every class gets in addition to its rows", at_least=0)

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        self.check_target(tree)
        weight, n_classes = tree.nodes.weight, len(tree.schema.classes)
        rate = (tree.errors() + self.prior * (n_classes - 1)) / (weight + self.prior * n_classes)
        cut = cheapest_pruning(tree.nodes, weight * rate).cut
        verdicts = {node: "cut" if cut[node] else "kept" for node in inner_nodes(tree.nodes)}
        return Edits(topmost(tree.nodes, cut), verdicts=verdicts)
