"""Entropy of the classes in bits: H = log W - (sum W_k log W_k) / W; its gain is the information gain of ID3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import NodeImpurity, or_empty
from hornbeam.parts.node import Floats, class_probabilities


@dataclass(frozen=True)
class Entropy(NodeImpurity):
    """The decrease of the entropy of the classes, in bits (information gain)."""

    name: ClassVar[str] = "entropy"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The entropy in bits per row."""
        return entropy(stats)

    def divergence(self, stats: Floats, center: Floats, targets: Floats | None = None) -> Floats:
        """KL(p, q) in bits; infinite where the center lacks a class of the group."""
        p, q = class_probabilities(stats), np.broadcast_to(class_probabilities(center), stats.shape)
        with np.errstate(divide="ignore"):
            away = np.log2(p, out=np.zeros_like(p), where=p > 0) - np.log2(q)
        return np.asarray((p * np.where(p > 0, away, 0.0)).sum(axis=-1), dtype=np.float64)


def xlog(x: Floats) -> Floats:
    """Return x log2 x, and 0 at 0."""
    return np.asarray(x * np.log2(x, out=np.zeros_like(x, dtype=np.float64), where=x > 0), dtype=np.float64)


def entropy(weights: Floats) -> Floats:
    """The entropy in bits of weights along the last axis; 0 where there is no weight."""
    weights = np.asarray(weights, dtype=np.float64)
    total = weights.sum(axis=-1)
    bits = xlog(total) - xlog(weights).sum(axis=-1)
    return or_empty(np.divide(bits, total, out=np.zeros_like(total), where=total > 0), weights)
