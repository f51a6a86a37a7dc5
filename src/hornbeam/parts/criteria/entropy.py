"""How many bits does the class of a row take?

H = log W - (sum W_k log W_k) / W; its gain is ID3's information gain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import NodeImpurity, class_shares, or_empty
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class Entropy(NodeImpurity):
    """The entropy of the classes, in bits."""

    name: ClassVar[str] = "entropy"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """Bits a row."""
        return entropy(stats)

    def divergence(self, stats: Floats, centre: Floats, targets: Floats | None = None) -> Floats:
        """KL(p, q) in bits; infinite where a class of the group is missing at the centre."""
        p, q = class_shares(stats), np.broadcast_to(class_shares(centre), stats.shape)
        with np.errstate(divide="ignore"):
            away = np.log2(p, out=np.zeros_like(p), where=p > 0) - np.log2(q)
        return np.asarray((p * np.where(p > 0, away, 0.0)).sum(axis=-1), dtype=np.float64)


def xlog(x: Floats) -> Floats:
    """X log x in bits, 0 at 0."""
    return np.asarray(x * np.log2(x, out=np.zeros_like(x, dtype=np.float64), where=x > 0), dtype=np.float64)


def entropy(weights: Floats) -> Floats:
    """The entropy in bits of weights along the last axis; 0 where there is no weight."""
    weights = np.asarray(weights, dtype=np.float64)
    total = weights.sum(axis=-1)
    bits = xlog(total) - xlog(weights).sum(axis=-1)
    return or_empty(np.divide(bits, total, out=np.zeros_like(total), where=total > 0), weights)
