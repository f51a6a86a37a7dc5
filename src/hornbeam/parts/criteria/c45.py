"""How does C4.5 choose?

Inside a column by gain; among columns by gain ratio, if the gain is at least average (4.2.3, 4.2.4).

a cut pays log2(T) / W for being the best of T tries, and must still gain average   over columns with a valid gain,
leaving out nominal ones with 0.3 n levels or more (unless all are such) value     gain / SplitInfo  if gain >=
average - 1e-3 and SplitInfo > 1e-3, else barred
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.criteria.entropy import Entropy, entropy
from hornbeam.parts.criteria.gain_ratio import LEAST_BITS, split_information
from hornbeam.parts.node import TOLERANCE, Candidate, Floats, NodeView

_SLACK = 1e-3
_MANY = 0.3


@dataclass(frozen=True)
class C45(NodeImpurity):
    """Quinlan's gain ratio with the average-gain rule and the price of cuts."""

    name: ClassVar[str] = "c45"

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The entropy of the classes in bits."""
        return entropy(stats)

    def divergence(self, stats: Floats, centre: Floats, targets: Floats | None = None) -> Floats:
        """That of entropy: KL(p, q) in bits."""
        return Entropy().divergence(stats, centre, targets)

    def penalty(self, n_cuts: int, weight: float) -> float:
        """What naming one of so many cuts costs each row, in bits."""
        return math.log2(n_cuts) / weight

    def values(self, candidates: Sequence[Candidate], node: NodeView) -> list[float]:
        """The ratios of the columns that gain enough; NaN for the others."""
        valid = [each.score > (-_SLACK if each.admits_zero else TOLERANCE) for each in candidates]
        total = float(node.sample.weights.sum())
        many = [len(column.levels) >= _MANY * total for column in node.sample.columns]
        counted = [
            each.score
            for each, good in zip(candidates, valid, strict=True)
            if good and (all(many) or not many[each.column])
        ]
        average = sum(counted) / len(counted) if counted else math.inf
        return [
            _ratio(each) if good and each.score >= average - _SLACK else math.nan
            for each, good in zip(candidates, valid, strict=True)
        ]

    def scale(self, stats: Floats, targets: Floats | None = None) -> float:
        """1, for ratios."""
        return 1.0


def _ratio(candidate: Candidate) -> float:
    bits = float(split_information(candidate.branches, candidate.unknown))
    return candidate.score / bits if bits > LEAST_BITS else math.nan
