"""Decrease of the risk of a loss: I is the risk of the best prediction, and the gain follows (definition 2.1)."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from hornbeam.options import option
from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.criteria.poisson import Poisson
from hornbeam.parts.losses import Loss, losses
from hornbeam.parts.losses.zero_one import ZeroOne
from hornbeam.parts.node import Floats


@dataclasses.dataclass(frozen=True)
class LossDecrease(NodeImpurity):
    """The decrease of the risk of any loss."""

    name: ClassVar[str] = "loss_decrease"
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    loss: Loss = option(ZeroOne(), "loss whose risk is decreased")  # noqa: RUF009 - frozen

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", losses.part(self.loss))
        super().__post_init__()

    @property
    def target_types(self) -> tuple[str, ...]:
        """The target types of the loss."""
        return self.loss.supports

    @property
    def needed_statistics(self) -> str:
        """The statistics of the loss."""
        return self.loss.statistics

    def bound(self, classes: tuple[Any, ...]) -> LossDecrease:
        """With the loss for these classes."""
        return dataclasses.replace(self, loss=self.loss.bound(classes))

    def check_target(self, target: Floats) -> None:
        """Check the target with the loss."""
        self.loss.check_target(target)

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The risk of the loss."""
        return self.loss.risk(stats, targets)

    def divergence(self, stats: Floats, center: Floats, targets: Floats | None = None) -> Floats:
        """The divergence of the loss from the centroid of the center; of rates, that of the criterion poisson."""
        if self.loss.name == "poisson":
            return Poisson().divergence(stats, center, targets)
        if self.loss.statistics == "distribution":
            return super().divergence(stats, center, targets)
        return self.loss.divergence(stats, self.loss.centroid(center))
