"""Does the best question tell the classes apart by more than chance?  Its table, tested for independence.

Splits iff the adjusted p is at most alpha. 2 x 2 tables are corrected after Yates, or tested exactly (Fisher) where an
expected count is below 5; in larger tables with such counts the p is rough, and `permutation_test` is the better stop.
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
    """A node whose best question could be chance, by a chi-square or Fisher test, is a leaf."""

    name: ClassVar[str] = "chi_square_test"
    supports: ClassVar[tuple[str, ...]] = ("class",)
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 20
    alpha: float = option(0.05, "the largest p that still splits", at_least=0, at_most=1)
    adjust: str = option("none", "how p allows for the best of several columns having been taken", choices=ADJUSTMENTS)
    yates: bool = option(True, "whether tables of two branches and two classes are corrected for continuity")
    fisher: bool = option(True, "whether such tables are tested exactly where an expected count is below 5")

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'not significant'."""
        return "not significant" if candidate is not None and self.p(node, candidate) > self.alpha else None

    def p(self, node: NodeView, candidate: Candidate) -> float:
        """The adjusted p of a question at a node."""
        plain = independence(branch_class_weights(node, candidate), self.yates, self.fisher)
        return plain if self.adjust == "none" else adjust_p(plain, columns_that_vary(node), self.adjust)
