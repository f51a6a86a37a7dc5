"""Permutation test of the chosen column against the target: its adjusted p must be at most alpha.

The test is that of the criterion of the same name; m is the number of columns that can be tested at the node. partykit
calls the adjustment 1 - (1 - p)^m Bonferroni; it is Sidak's, and both are available under their own names.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from hornbeam.options import option
from hornbeam.parts.criteria.machinery.column_tests import STATISTICS, adjusted_log_p, column_tests
from hornbeam.parts.node import Candidate, NodeView
from hornbeam.parts.stops.base import Stage, Stop
from hornbeam.parts.stops.machinery.independence import ADJUSTMENTS


@dataclass(frozen=True)
class ConditionalInference(Stop):
    """A node is a leaf if its chosen column has no significant association with the target."""

    name: ClassVar[str] = "conditional_inference"
    reasons: ClassVar[tuple[str, ...]] = ("not significant",)
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 22
    alpha: float = option(0.05, "maximum p at which a node is split", at_least=0, at_most=1)
    teststat: str = option("quadratic", "test statistic, as in the criterion", choices=STATISTICS)
    adjust: str = option("sidak", "adjustment of p for the choice of the best of several columns", choices=ADJUSTMENTS)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        if candidate is None:
            return None
        log_p = self.log_p(node, candidate.column)
        return self.reasons[0] if not math.exp(log_p) <= self.alpha else None

    def log_p(self, node: NodeView, column: int) -> float:
        """The ln of a column's adjusted p at a node; NaN if it cannot be tested."""
        found = column_tests(node, self.teststat)
        m = sum(each.degrees > 0 for each in found)
        log_p = found[column].log_p
        if self.adjust == "none" or math.isnan(log_p):
            return log_p
        return adjusted_log_p(log_p, m) if self.adjust == "sidak" else min(0.0, log_p + math.log(m))
