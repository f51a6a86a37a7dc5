"""C4.5's criterion: candidates of one column are compared by gain, columns by gain ratio.

cut       a penalty of log2(T) / W for being the best of T cuts; the rest must still be a gain
average   mean over cuts with a gain and nominal questions of gain 0 or more; nominal columns with 0.3 n levels or
          more are excluded (unless all columns are such)
value     method = "ratio": gain / SplitInfo if gain >= average - 1e-3 and SplitInfo > 1e-3, else excluded
          method = "gain": the gain, without a comparison with the average (C4.5's option -g)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.ordered_sum import ordered_sum
from hornbeam.parts.criteria.base import NodeImpurity
from hornbeam.parts.criteria.entropy import Entropy, entropy
from hornbeam.parts.criteria.gain_ratio import MIN_BITS, split_information
from hornbeam.parts.node import TOLERANCE, Candidate, Floats, NodeView
from hornbeam.table.column import Kind

_SLACK = 1e-3
_MANY = 0.3


@dataclass(frozen=True)
class C45(NodeImpurity):
    """Quinlan's gain ratio with the average-gain rule and the penalty on cuts."""

    name: ClassVar[str] = "c45"
    must_gain: ClassVar[bool] = True
    method: str = option(
        "ratio", "comparison of columns: by gain ratio, or by gain (C4.5's option -g)", choices=("ratio", "gain")
    )

    def impurity(self, stats: Floats, targets: Floats | None = None) -> Floats:
        """The entropy of the classes in bits."""
        return entropy(stats)

    def divergence(self, stats: Floats, centre: Floats, targets: Floats | None = None) -> Floats:
        """The divergence of entropy: KL(p, q) in bits."""
        return Entropy().divergence(stats, centre, targets)

    def penalty(self, n_cuts: int, weight: float) -> float:
        """The bits per row that identify one of `n_cuts` cuts."""
        return math.log2(n_cuts) / weight

    def values(self, candidates: Sequence[Candidate], node: NodeView) -> list[float]:
        """The ratios, or gains, of the columns with enough gain; NaN for the others."""
        if self.method == "gain":
            return [each.score if _has_gain(each, each.allow_zero_gain) else math.nan for each in candidates]
        minimum = _average(candidates, node) - _SLACK
        return [
            _ratio(each) if _has_gain(each, each.allow_zero_gain) and each.score >= minimum else math.nan
            for each in candidates
        ]

    def scale(self, stats: Floats, targets: Floats | None = None) -> float:
        """1, for ratios."""
        return 1.0


def _has_gain(candidate: Candidate, allow_zero_gain: bool) -> bool:
    return candidate.score > (-_SLACK if allow_zero_gain else TOLERANCE)


def _average(candidates: Sequence[Candidate], node: NodeView) -> float:
    """The average gain; nominal questions of gain 0 count even where they are not allowed."""
    columns = node.sample.columns
    total = float(node.sample.weights.sum())
    many = [len(column.levels) >= _MANY * total for column in columns]
    counted = [
        each.score
        for each in candidates
        if _has_gain(each, each.allow_zero_gain or _is_nominal(each, node)) and (all(many) or not many[each.column])
    ]
    return ordered_sum(counted) / len(counted) if counted else math.inf


def _is_nominal(candidate: Candidate, node: NodeView) -> bool:
    is_nominal = node.sample.columns[candidate.column].kind is Kind.NOMINAL
    return is_nominal and candidate.question.kind != "is_missing"


def _ratio(candidate: Candidate) -> float:
    bits = float(split_information(candidate.branches, candidate.unknown))
    return candidate.score / bits if bits > MIN_BITS else math.nan
