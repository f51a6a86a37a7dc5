"""Chi-square or Fisher test of the chosen question: a node whose table of branches and classes may be chance is a leaf.

A node is split if the adjusted p is at most alpha. Tables of two branches and two classes are corrected after Yates, or
tested exactly (Fisher) where an expected count is below 5; for larger tables with such counts the p is inaccurate, and
`permutation_test` is the better stop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop
from hornbeam.parts.stops.machinery.independence import (
    ADJUSTMENTS,
    adjust_p,
    branch_class_weights,
    columns_that_vary,
    independence,
)


@dataclass(frozen=True)
class ChiSquareTest(Stop):
    """A node is a leaf if a chi-square or Fisher test cannot reject that its best question is chance."""

    name: ClassVar[str] = "chi_square_test"
    reasons: ClassVar[tuple[str, ...]] = ("not significant",)
    supports: ClassVar[tuple[str, ...]] = ("class",)
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 20
    alpha: float = option(0.05, "maximum p at which a node is split", at_least=0, at_most=1)
    adjust: str = option("none", "adjustment of p for the choice of the best of several columns", choices=ADJUSTMENTS)
    yates: bool = option(True, "whether tables of two branches and two classes get Yates's continuity correction")
    fisher: bool = option(
        True, "whether tables of two branches and two classes with an expected count below 5 are tested exactly"
    )

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if candidate is not None and self.p(node, candidate) > self.alpha else None

    def p(self, node: NodeView, candidate: Candidate) -> float:
        """The adjusted p of a question at a node."""
        p = independence(branch_class_weights(node, candidate), self.yates, self.fisher)
        return p if self.adjust == "none" else adjust_p(p, columns_that_vary(node), self.adjust)
