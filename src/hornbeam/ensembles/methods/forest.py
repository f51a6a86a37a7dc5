"""Rows drawn for every tree, and at every node some columns: floor(sqrt d) for classes, d / 3 for numbers, unless the
recipe's max_features says otherwise. Members are not pruned (definition 10.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.ensembles.methods.bagging import Bagging
from hornbeam.options import option


@dataclass(frozen=True)
class RandomForest(Bagging):
    """A random forest; with random cuts and all rows, extra trees."""

    name: ClassVar[str] = "forest"
    honest: bool = option(False, "whether the rows that shape a tree are kept from its leaves")
