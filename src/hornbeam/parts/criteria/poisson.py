"""The Poisson criterion: I = mean Poisson deviance of a node's counts from their mean.

With the node's mean m and a branch's mean m (1 + d), the gain is the sum of f_c 2 m phi(d),
phi(d) = (1 + d) ln(1 + d) - d. No term is negative and nothing cancels, however large the counts are. A split with a
branch without events has no gain, as in scikit-learn: its leaf would predict a rate of 0, under which any event is
impossible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.losses.poisson import Poisson as PoissonLoss
from hornbeam.parts.losses.poisson import rate_divergence
from hornbeam.parts.node import Floats

# A mean of at most this fraction of the node's mean is 0 up to rounding.
NO_EVENTS = 1e-9


@dataclass(frozen=True)
class Poisson(NodeImpurity):
    """The decrease of the mean Poisson deviance."""

    name: ClassVar[str] = "poisson"
    must_gain: ClassVar[bool] = True
    supports: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "distribution"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """Mean deviance from the mean."""
        return PoissonLoss().risk(stats, targets)

    def gain(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The deviance between the branches."""
        assert targets is not None
        known = float(parent.sum())
        mean = float(parent @ targets) / known
        if mean <= 0:
            return np.zeros(branches.shape[:-2])
        weight = branches.sum(axis=-1)
        off = np.divide(branches @ (targets - mean), weight, out=np.zeros_like(weight), where=weight > 0)
        between = (weight * rate_divergence((off - float(parent @ (targets - mean)) / known) / mean)).sum(axis=-1)
        is_forbidden = self.forbids(branches, parent, targets).any(axis=-1)
        return np.where(is_forbidden, 0.0, 2.0 * mean * between / (known + unknown))

    def forbids(self, branches: Floats, parent: Floats, targets: Floats | None = None) -> npt.NDArray[np.bool_]:
        """Branches without events, if the parent has events."""
        assert targets is not None
        limit = NO_EVENTS * float(parent @ targets) / float(parent.sum())
        weight = branches.sum(axis=-1)
        return np.asarray((weight > 0) & (branches @ targets <= limit * weight) & (limit > 0), dtype=np.bool_)

    def divergence(self, stats: Floats, center: Floats, targets: Floats | None = None) -> Floats:
        """Squared distance of the means, about the first target, because means of large counts lose digits."""
        assert targets is not None
        off = targets - targets[0]
        distance = stats @ off / stats.sum(axis=-1) - float(center @ off) / float(center.sum())
        return np.asarray(distance**2, dtype=np.float64)

    def check_target(self, target: Floats) -> None:
        """Counts are 0 or more."""
        PoissonLoss().check_target(target)
