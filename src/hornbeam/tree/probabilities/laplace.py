"""Laplace's correction: (W_k + r) / (W + r K), with r rows added to each of the K classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.tree.probabilities.base import Floats, Probabilities, with_added_rows

if TYPE_CHECKING:
    from hornbeam.tree.nodes import Nodes


@dataclass(frozen=True)
class Laplace(Probabilities):
    """Add the same number of rows to every class of a node."""

    name: ClassVar[str] = "laplace"
    rows: float = option(1.0, "rows added to each class", above=0.0)

    def of_nodes(self, nodes: Nodes) -> Floats:
        """The fractions of the classes after the addition."""
        n_classes = nodes.stored("stats").shape[1]
        return with_added_rows(nodes, self.rows * n_classes, np.full(n_classes, 1.0 / n_classes))
