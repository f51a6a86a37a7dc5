"""Gain ratio: gain / split information; the rows of unknown branch count as one more branch.

    SplitInfo = - sum f log f over the branches and the unknown rows; up to 1e-3 bits the ratio is undefined and the
    split is excluded

All comparisons are by ratio here; `c45` has Quinlan's rule of the average gain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import Criterion
from hornbeam.parts.criteria.entropy import entropy
from hornbeam.parts.node import Floats

MIN_BITS = 1e-3


@dataclass(frozen=True)
class GainRatio(Criterion):
    """Information gain divided by split information."""

    name: ClassVar[str] = "gain_ratio"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The entropy of the classes in bits."""
        return entropy(stats)

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """The ratio; minus infinity where it is undefined."""
        bits = split_information(branches, unknown)
        gain = self.gain(parent, branches, unknown)
        ratio: Floats = np.divide(gain, bits, out=np.full(gain.shape, -np.inf), where=bits > MIN_BITS)
        return ratio


def split_information(branches: Floats, unknown: float = 0.0) -> Floats:
    """The bits that identify the branch of a row, unknown rows being one more branch."""
    weights = branches.sum(axis=-1)
    return entropy(np.concatenate([weights, np.full((*weights.shape[:-1], 1), unknown)], axis=-1))
