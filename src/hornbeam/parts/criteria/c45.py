"""How does C4.5 choose?

Inside a column by gain; among columns by gain ratio, if the gain is at least average, or by gain alone (`by = "gain"`,
C4.5's option -g).

    cut       pays log2(T) / W for being the best of T tries, and must still gain
    average   over cuts that gain and nominal questions of gain 0 or more, leaving out nominal columns with 0.3 n levels
              or more (unless all are such)
    value     ratio: gain / SplitInfo  if gain >= average - 1e-3 and SplitInfo > 1e-3, else barred
              gain: the gain, whatever the average is
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.criteria.entropy import Entropy, entropy
from hornbeam.parts.criteria.gain_ratio import LEAST_BITS, split_information
from hornbeam.parts.node import TOLERANCE, Candidate, Floats, NodeView
from hornbeam.table.column import Kind

_SLACK = 1e-3
_MANY = 0.3


@dataclass(frozen=True)
class C45(NodeImpurity):
    """Quinlan's gain ratio with the average-gain rule and the price of cuts."""

    name: ClassVar[str] = "c45"
    must_gain: ClassVar[bool] = True
    by: str = option("ratio", "what columns are compared by: gain ratio, or gain (-g)", choices=("ratio", "gain"))

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
        """The ratios, or gains, of the columns that gain enough; NaN for the others."""
        if self.by == "gain":
            return [each.score if _gains(each, each.allow_zero_gain) else math.nan for each in candidates]
        least = _average(candidates, node) - _SLACK
        return [
            _ratio(each) if _gains(each, each.allow_zero_gain) and each.score >= least else math.nan
            for each in candidates
        ]

    def scale(self, stats: Floats, targets: Floats | None = None) -> float:
        """1, for ratios."""
        return 1.0


def _gains(candidate: Candidate, allow_zero_gain: bool) -> bool:
    return candidate.score > (-_SLACK if allow_zero_gain else TOLERANCE)


def _average(candidates: Sequence[Candidate], node: NodeView) -> float:
    """The average gain; nominal questions of gain 0 count even where they may not be asked."""
    columns = node.sample.columns
    total = float(node.sample.weights.sum())
    many = [len(column.levels) >= _MANY * total for column in columns]
    counted = [
        each.score
        for each in candidates
        if _gains(each, each.allow_zero_gain or _is_nominal(each, node)) and (all(many) or not many[each.column])
    ]
    return sum(counted) / len(counted) if counted else math.inf


def _is_nominal(candidate: Candidate, node: NodeView) -> bool:
    is_nominal = node.sample.columns[candidate.column].kind is Kind.NOMINAL
    return is_nominal and candidate.question.kind != "is_missing"


def _ratio(candidate: Candidate) -> float:
    bits = float(split_information(candidate.branches, candidate.unknown))
    return candidate.score / bits if bits > LEAST_BITS else math.nan
