"""Stop by a penalized size: a node is split only if alpha * nodes + impurity of the leaves decreases.

    W(t) I(t)  >  alpha B + sum over branches of W(c) I(c)        B: number of branches, each an additional node

W is the weight of the rows whose branch is known, I the impurity: Gini, entropy in bits, or the fraction of errors; for
numbers W I is the sum of squares about the mean. Weights count as given, without priors and costs. Equality stops.

It is the criterion of the pruning `description_length` with code "notes", applied during growth. Growth evaluates one
question at a time, so the tree may miss the minimum that the pruning finds; with entropy the criterion is related to
the minimum description length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.node import Candidate, Floats, NodeView
from hornbeam.parts.stops.base import Stage, Stop
from hornbeam.parts.stops.machinery.independence import branch_class_weights

IMPURITIES = ("gini", "entropy", "error")


@dataclass(frozen=True)
class PenalizedSize(Stop):
    """A node is a leaf if its best question lowers the impurity of the leaves by no more than alpha per branch."""

    name: ClassVar[str] = "penalized_size"
    reasons: ClassVar[tuple[str, ...]] = ("penalized size",)
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 10
    alpha: float = option(1.0, "penalty of a node, in units of weight times impurity", at_least=0)
    impurity: str = option("gini", "impurity of classes; for numbers the sum of squares is used", choices=IMPURITIES)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        if candidate is None:
            return None
        if node.sample.n_classes:
            branches = branch_class_weights(node, candidate)
            whole, parts = self.weighted_impurity(branches.sum(axis=0)), self.weighted_impurity(branches)
        else:
            whole, parts = (
                sum_of_squares(candidate.branches.sum(axis=0), node),
                sum_of_squares(candidate.branches, node),
            )
        return None if self.is_justified(float(whole), parts) else self.reasons[0]

    def is_justified(self, whole: float, parts: Floats) -> bool:
        """Whether branches of these weighted impurities justify their nodes."""
        return whole - float(parts.sum()) > self.alpha * len(parts) + 1e-12 * whole

    def weighted_impurity(self, counts: Floats) -> Floats:
        """Weight times impurity of class weights (..., classes)."""
        weight = counts.sum(axis=-1)
        safe = np.where(weight > 0, weight, 1.0)
        if self.impurity == "error":
            return np.asarray(weight - counts.max(axis=-1), dtype=np.float64)
        if self.impurity == "gini":
            return np.asarray(np.maximum(weight - (counts**2).sum(axis=-1) / safe, 0.0), dtype=np.float64)
        probabilities = np.where(counts > 0, counts / safe[..., None], 1.0)
        return np.asarray(np.maximum(-(counts * np.log2(probabilities)).sum(axis=-1), 0.0), dtype=np.float64)


def sum_of_squares(stats: Floats, node: NodeView) -> Floats:
    """The sum of squares about the mean, from moments (..., 3) or from the weights of the node's distinct targets."""
    if node.targets is not None:
        apart = node.targets - node.mean
        stats = np.stack([stats.sum(axis=-1), stats @ apart, stats @ (apart * apart)], axis=-1)
    weight = np.where(stats[..., 0] > 0, stats[..., 0], 1.0)
    return np.asarray(np.maximum(stats[..., 2] - stats[..., 1] ** 2 / weight, 0.0), dtype=np.float64)
