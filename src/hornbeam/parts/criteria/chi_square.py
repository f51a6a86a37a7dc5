"""How unlikely is the table branches x classes if they were independent?  Pearson's statistic over the weight.

sum (O - E)^2 / E / W,   E = W_b W_k / W;  empty rows and columns add nothing
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.parts.criteria.base import SplitScore, branch_shares, class_shares, known_share
from hornbeam.parts.node import Floats


@dataclass(frozen=True)
class ChiSquare(SplitScore):
    """Pearson's chi-square statistic, a row."""

    name: ClassVar[str] = "chi_square"

    def score(self, parent: Floats, branches: Floats, unknown: float = 0.0, targets: Floats | None = None) -> Floats:
        """Squared distance from independence, measured in what independence expects."""
        joint = branches / parent.sum()
        alone = class_shares(parent) * branch_shares(branches)[..., None]
        cells = np.divide((joint - alone) ** 2, alone, out=np.zeros(joint.shape), where=alone > 0)
        return np.asarray(cells.sum(axis=(-2, -1)) * known_share(parent, unknown), dtype=np.float64)
