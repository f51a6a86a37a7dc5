"""How good is a split in the eyes of a loss?

I = the risk of the loss's best answer; the gain follows (definition 2.1).
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from hornbeam.options import option
from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.losses import Loss, losses
from hornbeam.parts.losses.zero_one import ZeroOne
from hornbeam.parts.node import Floats


@dataclasses.dataclass(frozen=True)
class LossDecrease(NodeImpurity):
    """The decrease of the risk of any loss."""

    name: ClassVar[str] = "loss_decrease"
    supports: ClassVar[tuple[str, ...]] = ("class", "number")
    loss: Loss = option(ZeroOne(), "the loss whose risk is to fall")  # noqa: RUF009 - frozen

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", losses.part(self.loss))
        super().__post_init__()

    @property
    def target_types(self) -> tuple[str, ...]:
        """What the loss serves."""
        return self.loss.supports

    @property
    def needed_statistics(self) -> str:
        """What the loss looks at."""
        return self.loss.statistics

    def bound(self, classes: tuple[Any, ...]) -> LossDecrease:
        """With the loss for these classes."""
        return dataclasses.replace(self, loss=self.loss.bound(classes))

    def check_target(self, target: Floats) -> None:
        """What the loss says."""
        self.loss.check_target(target)

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The risk of the loss."""
        return self.loss.risk(stats, targets)

    def divergence(self, stats: Floats, centre: Floats, targets: Floats | None = None) -> Floats:
        """The loss's divergence from the centroid of the centre."""
        if self.loss.statistics == "distribution":
            return super().divergence(stats, centre, targets)
        return self.loss.divergence(stats, self.loss.centroid(centre))
