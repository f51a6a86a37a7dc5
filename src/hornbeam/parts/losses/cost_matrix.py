"""Misclassification costs, costs[truth][prediction]; costs by class name that are not given are 1, and 0 if correct.

centroid = argmin_k sum_j p_j C[j][k], the lowest index on ties;  risk = that minimum  (definition 1.3)

CostMatrix(costs={"cancer": {"healthy": 5.0}})      predicting healthy for a cancer costs 5
CostMatrix(costs=[[0, 1], [5, 0]])                  a matrix in the order of the classes, or a data frame
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.options import PartValue, option
from hornbeam.parts.losses.base import Loss
from hornbeam.parts.losses.machinery.costs import cost_table, plain_costs
from hornbeam.parts.node import Floats, class_probabilities


@dataclasses.dataclass(frozen=True)
class CostMatrix(Loss):
    """A cost for every pair of true class and predicted class."""

    name: ClassVar[str] = "cost_matrix"
    costs: Mapping[str, Any] | tuple[Any, ...] | None = option(
        None,
        "cost of each wrong prediction, costs[truth][prediction]: by class name (others cost 1), or a matrix in the "
        "order of the classes",
    )
    classes: tuple[str, ...] = dataclasses.field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "costs", plain_costs(self.costs))
        super().__post_init__()
        for truth, row in _rows(self.costs):
            if not isinstance(row, Mapping):
                raise OptionError(
                    f"costs[{short_repr(truth)}] must be a table from classes to costs, got {short_repr(row)}.",
                    option="costs",
                )
            for answer, cost in row.items():
                _check_cost(truth, answer, cost)

    def bound(self, classes: tuple[Any, ...]) -> CostMatrix:
        """The costs for a target with these classes."""
        self.cost_table(classes)  # raises for a name that is no class, and for a matrix of another size
        return dataclasses.replace(self, classes=tuple(str(label) for label in classes))

    def cost_table(self, classes: tuple[Any, ...]) -> Floats:
        """C[truth][prediction] in the order of the classes."""
        return cost_table(self.costs or {}, classes)

    def in_core(self) -> PartValue:
        """The costs as numbers, all predictions of the first true class first."""
        table = self.cost_table(self.classes) if self.classes else np.zeros(0)
        return PartValue(self.part_type, self.name, {"costs": tuple(table.ravel().tolist())})

    def _expected(self, stats: Floats) -> Floats:
        classes = self.classes or tuple(str(truth) for truth, _ in _rows(self.costs))
        return np.asarray(class_probabilities(stats) @ self.cost_table(classes), dtype=np.float64)

    def centroid(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The class of least expected cost."""
        expected = self._expected(stats)
        smallest, largest = expected.min(axis=-1, keepdims=True), expected.max(axis=-1, keepdims=True)
        # Costs that differ by rounding tie.
        return np.asarray(np.argmax(expected <= smallest + 1e-12 * largest, axis=-1), dtype=np.float64)

    def mean_loss(self, stats: Floats, answer: Any, targets: Floats | None = None) -> Floats:
        """The expected cost of a prediction."""
        index = np.broadcast_to(np.asarray(answer, dtype=np.int64), stats.shape[:-1])
        found: Floats = np.take_along_axis(self._expected(stats), index[..., None], axis=-1)[..., 0]
        return found


def _rows(costs: Any) -> list[tuple[Any, Any]]:
    """The rows of costs, each with its true class: a name, or a number in a matrix."""
    if isinstance(costs, tuple):
        return [(truth, dict(enumerate(row))) for truth, row in enumerate(costs)]
    return list((costs or {}).items())


def _check_cost(truth: Any, answer: Any, cost: Any) -> None:
    good = isinstance(cost, (int, float)) and not isinstance(cost, bool) and 0 <= cost < float("inf")
    if not good:
        raise OptionError(
            f"costs[{short_repr(truth)}][{short_repr(answer)}] must be a number of 0 or more, got {short_repr(cost)}.",
            option="costs",
            got=cost,
        )
    if truth == answer and cost != 0:
        raise OptionError(
            f"costs[{short_repr(truth)}][{short_repr(answer)}] of a correct prediction must be 0, got {cost}."
        )
