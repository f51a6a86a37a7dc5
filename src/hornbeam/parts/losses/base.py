"""What is a loss?  For l(y, answer) at a node t (definition 2.1):

    centroid    the answer of least mean loss            risk   that mean loss, E[l(Y, centroid)]
    divergence  E[l(Y, answer)] - risk, never below 0    answer what a leaf says: a class index or a number

Statistics are those of `parts/node.py`: class weights, moments (here about 0 or any centre: answers shift with it),
or a distribution over `targets`. All functions take stacks of statistics, the last axis being the statistics.
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
    """A loss; `suits` says which targets it serves, `statistics` what it looks at."""

    part_type: ClassVar[str] = "loss"
    supports: ClassVar[tuple[str, ...]] = ("class",)
    statistics: ClassVar[str] = "classes"

    @abc.abstractmethod
    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The best answer: a class index, shares of classes, or a number."""

    @abc.abstractmethod
    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """The mean loss of any answer."""

    def risk(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The mean loss of the best answer: the impurity that belongs to this loss."""
        return self.mean_loss(stats, self.centroid(stats, targets), targets)

    def divergence(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """What an answer costs above the best one."""
        return np.maximum(self.mean_loss(stats, answer, targets) - self.risk(stats, targets), 0.0)

    def answer(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """What a leaf says: the centroid, or the class of the largest share where the centroid is shares."""
        best = self.centroid(stats, targets)
        return first_largest(best) if best.ndim == stats.ndim else best

    def shrunken(self, answer: Floats, weight: Floats, overall: float) -> Floats:
        """Predicted numbers, given the weight of each node and the prediction for all rows; only rates change."""
        return answer

    def bound(self, classes: tuple[Any, ...]) -> Loss:
        """The loss for a target with these classes; only a table of costs by name needs to know them."""
        return self

    def check_target(self, target: Floats) -> None:
        """Raise if the loss makes no sense for some target."""
        return None

    def cost_table(self, classes: tuple[Any, ...]) -> Floats | None:
        """C[truth][predicted] when the loss is a table of costs, else None."""
        return None


def probabilities(stats: Floats) -> Floats:
    """Class shares; all 0 where there is no weight."""
    total = stats.sum(axis=-1, keepdims=True)
    found: Floats = np.divide(stats, total, out=np.zeros_like(stats, dtype=np.float64), where=total > 0)
    return found


def first_largest(numbers: Floats) -> Floats:
    """The place of the largest along the last axis, the lowest on ties.

    Sums of shared weights depend on their order in the last digit, so numbers within 1e-12 of the largest tie with it.
    """
    largest = numbers.max(axis=-1, keepdims=True)
    return np.asarray(np.argmax(numbers >= largest - 1e-12 * np.abs(largest), axis=-1), dtype=np.float64)


def weighted_quantile(stats: Floats, targets: Floats, level: float) -> Floats:
    """The smallest target whose cumulative weight reaches level times the weight."""
    reached = np.cumsum(stats, axis=-1)
    # A share such as 0.8 * 5 rounds; the slack keeps a target that reaches the level exactly.
    wanted = level * reached[..., -1:] * (1.0 - 1e-12)
    found: Floats = targets[np.argmax(reached >= wanted, axis=-1)]
    return found
