"""Smallest tree whose risk on held-out rows is within a threshold of the Bayes risk.

    keep the fewest questions of best-first growth with    risk on held-out rows <= Bayes risk + within

The risk on the training rows reaches 0 and carries no information. The Bayes risk is given, or the lower end of its
bounds (`hornbeam.bayes_risk_bounds`): from the error r of the nearest neighbor (Cover and Hart 1967), with K classes

    (K - 1) / K (1 - sqrt(1 - K / (K - 1) r))
"""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Pruning
from hornbeam.parts.prunings.machinery.growth_order import first_questions, losses_of_sizes
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.tree.nodes import Tree

_TOLERANCE = 1e-12


@dataclasses.dataclass(frozen=True)
class RiskThreshold(Pruning):
    """Keep the fewest questions whose risk on held-out rows is close enough to the Bayes risk."""

    name: ClassVar[str] = "risk_threshold"
    reason: ClassVar[str] = "validation"
    supports_numbers: ClassVar[bool] = True

    within: float = option(0.01, "maximum difference between the risk and the Bayes risk", at_least=0)
    bayes_risk: float | None = option(None, "Bayes risk; if None, the lower end of its bounds", at_least=0)

    @property
    def needs(self) -> tuple[str, ...]:
        """The Bayes risk, unless it is a setting."""
        return ("bayes_risk",) if self.bayes_risk is None else ()

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Cut the questions after the first tree that is good enough; none if no tree is."""
        if len(tree) == 1:
            return Edits()
        bayes_risk = self.bayes_risk if self.bayes_risk is not None else data.needed("bayes_risk", self.name)
        losses = losses_of_sizes(tree, data, self.name)
        risk = losses.total / (losses.weight or 1.0)
        good = np.flatnonzero(risk <= bayes_risk + self.within + _TOLERANCE)
        kept = int(good[0]) if len(good) else len(risk) - 1
        return first_questions(tree, kept, {"bayes_risk": float(bayes_risk), "held_out_loss": float(risk[kept])})


def cover_hart(error: float, n_classes: int) -> float:
    """The smallest Bayes risk compatible with an error of the nearest neighbor."""
    if n_classes < 2:
        return 0.0
    ratio = n_classes / (n_classes - 1)
    return (1 - math.sqrt(max(0.0, 1 - ratio * error))) / ratio
