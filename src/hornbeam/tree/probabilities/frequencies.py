"""Frequencies: the fractions of the classes among the training rows of a node, W_k / W."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hornbeam.tree.node_arrays import class_weights
from hornbeam.tree.probabilities.base import Floats, Probabilities

if TYPE_CHECKING:
    from hornbeam.tree.nodes import Nodes


@dataclass(frozen=True)
class Frequencies(Probabilities):
    """Use the fractions of the classes among the training rows; a pure leaf predicts 0 and 1."""

    name: ClassVar[str] = "frequencies"
    supports: ClassVar[tuple[str, ...]] = ("class", "number")

    def of_nodes(self, nodes: Nodes) -> Floats:
        """The fractions of the classes; a node without weight has probability 1 for its predicted class."""
        total = class_weights(nodes)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = nodes.stored("stats") / total[:, None]
        empty = np.flatnonzero(~(total > 0))
        found[empty] = 0.0
        if len(empty):
            found[empty, nodes.answer[empty].astype(np.int64)] = 1.0
        return found
