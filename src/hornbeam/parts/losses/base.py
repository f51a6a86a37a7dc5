"""The interface of a loss l(y, prediction). At a node (definition 2.1):

    centroid    the prediction of least mean loss       risk     that mean loss, E[l(Y, centroid)]
    divergence  E[l(Y, prediction)] - risk, 0 or more   answer   the prediction of a leaf: a class index or a number

Statistics are those of `parts/node.py`: class weights, moments (about 0 or any center: predictions shift with it), or a
distribution over `targets`. All functions accept stacks of statistics; the last axis holds the statistics.
"""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hornbeam.options import Part
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Loss(Part, abc.ABC):
    """A loss; `supports` lists the target types, `statistics` is the type of statistics it needs.

    `predicts_quantile`: the best prediction is a quantile, which no sums over rows give.
    """

    part_type: ClassVar[str] = "loss"
    supports: ClassVar[tuple[str, ...]] = ("class",)
    statistics: ClassVar[str] = "classes"
    predicts_quantile: ClassVar[bool] = False

    @abc.abstractmethod
    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The best prediction: a class index, class probabilities, or a number."""

    @abc.abstractmethod
    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """The mean loss of a prediction."""

    def risk(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The mean loss of the best prediction: the impurity that belongs to this loss."""
        return self.mean_loss(stats, self.centroid(stats, targets), targets)

    def divergence(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """The mean loss of a prediction above that of the best one."""
        return np.maximum(self.mean_loss(stats, answer, targets) - self.risk(stats, targets), 0.0)

    def answer(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The prediction of a leaf: the centroid, or the most probable class if the centroid is probabilities."""
        best = self.centroid(stats, targets)
        return first_largest(best) if best.ndim == stats.ndim else best

    def shrunken(self, answer: Floats, weight: Floats, overall: float) -> Floats:
        """Predicted numbers after shrinkage, from the weight of each node and the prediction for all rows."""
        return answer

    def bound(self, classes: tuple[Any, ...]) -> Loss:
        """The loss for a target with these classes; only costs by class name depend on them."""
        return self

    def check_target(self, target: Floats) -> None:
        """Raise an error if a target value is not valid for the loss."""
        return None

    def cost_table(self, classes: tuple[Any, ...]) -> Floats | None:
        """C[truth][predicted] if the loss is a table of costs, else None."""
        return None


def first_largest(numbers: Floats) -> Floats:
    """The index of the largest number along the last axis, the lowest index on ties.

    Sums of fractional weights depend on their order in the last digit, so numbers within 1e-12 of the largest tie.
    """
    largest = numbers.max(axis=-1, keepdims=True)
    return np.asarray(np.argmax(numbers >= largest - 1e-12 * np.abs(largest), axis=-1), dtype=np.float64)


def weighted_quantile(weights: Floats, values: Floats, level: float, tolerance: float = 1e-12) -> Floats:
    """The smallest of ascending values whose cumulative weight reaches level times the total weight.

    A product such as 0.8 * 5 is rounded; the tolerance, a fraction of the total, accepts a value that reaches the level
    exactly. The quantiles of boosting are computed without it.
    """
    reached = np.cumsum(weights, axis=-1)
    required = level * reached[..., -1:] * (1.0 - tolerance)
    found: Floats = values[np.argmax(reached >= required, axis=-1)]
    return found
