"""How unlikely are the counts of a node under one rate?  I = mean Poisson deviance from the node's mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.losses.poisson import Poisson as PoissonLoss
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Poisson(NodeImpurity):
    """The mean Poisson deviance."""

    name: ClassVar[str] = "poisson"
    suits: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "distribution"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """Mean deviance from the mean."""
        return PoissonLoss().risk(stats, targets)

    def check_target(self, target: Floats) -> None:
        """Counts are 0 or more."""
        PoissonLoss().check_target(target)
