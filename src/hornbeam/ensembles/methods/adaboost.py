"""Trees one after the other, each on the mistakes of those before it: AdaBoost (SAMME), or C5.0's boosting
(definitions 10.4 and 10.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.ensembles.methods.base import EnsembleMethod
from hornbeam.options import option

WAYS = ("samme", "c50")


@dataclass(frozen=True)
class AdaBoost(EnsembleMethod):
    """Boosting by the weights of rows."""

    name: ClassVar[str] = "adaboost"
    trees: int = option(50, "how many trees are grown at most", at_least=1)
    rate: float = option(1.0, "by how much a tree's vote is slowed down", above=0.0)
    way: str = option("samme", "how the rows' weights change", choices=WAYS)
