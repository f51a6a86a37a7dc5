"""Variance of the numbers of a node: gain = sum f_c (mean_c - mean)^2.

The gain is computed from means and not from differences of variances, so that targets near 1e9 lose no precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class SquaredError(NodeImpurity):
    """The decrease of the variance of the target."""

    name: ClassVar[str] = "squared_error"
    supports: ClassVar[tuple[str, ...]] = ("number",)
    statistics: ClassVar[str] = "moments"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """Mean of squares minus squared mean of the centered target."""
        mean = _means(stats)
        square = np.divide(stats[..., 2], stats[..., 0], out=np.zeros(stats.shape[:-1]), where=stats[..., 0] > 0)
        return np.maximum(square - mean * mean, 0.0)

    def gain(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The variance between the branches."""
        known = float(parent[0])
        apart = _means(branches) - float(_means(parent))
        between = (branches[..., 0] * apart * apart).sum(axis=-1) / known
        return np.asarray(between * (known / (known + unknown)), dtype=np.float64)

    def divergence(self, stats: Floats, center: Floats, targets: Floats | None = None) -> Floats:
        """Squared distance of the means."""
        return np.asarray((_means(stats) - _means(center)) ** 2, dtype=np.float64)


def _means(stats: Floats) -> Floats:
    return np.divide(stats[..., 1], stats[..., 0], out=np.zeros(stats.shape[:-1]), where=stats[..., 0] > 0)
