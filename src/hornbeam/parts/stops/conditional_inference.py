"""Has the column asked about anything to do with the target?  Its permutation-test p, adjusted, must be at most alpha.

The test is that of the criterion of the same name; m is the number of columns that can be tested at the node. partykit
calls the adjustment Bonferroni and computes 1 - (1 - p)^m, which is Sidak's: both are here under their own names.
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
    """A node whose chosen column shows no significant link with the target is a leaf."""

    name: ClassVar[str] = "conditional_inference"
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 22
    alpha: float = option(0.05, "the largest p that still splits", at_least=0, at_most=1)
    teststat: str = option("quadratic", "the statistic of the test, as in the criterion", choices=STATISTICS)
    adjust: str = option("sidak", "how p allows for the best of several columns having been taken", choices=ADJUSTMENTS)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'not significant'."""
        if candidate is None:
            return None
        log_p = self.log_p(node, candidate.column)
        return "not significant" if not math.exp(log_p) <= self.alpha else None

    def log_p(self, node: NodeView, column: int) -> float:
        """The ln of a column's adjusted p at a node; NaN if it cannot be tested."""
        found = column_tests(node, self.teststat)
        m = sum(each.degrees > 0 for each in found)
        plain = found[column].log_p
        if self.adjust == "none" or math.isnan(plain):
            return plain
        return adjusted_log_p(plain, m) if self.adjust == "sidak" else min(0.0, plain + math.log(m))
