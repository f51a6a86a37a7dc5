"""The m-estimate: (W_k + m π_k) / (W + m), with m rows added that have the class fractions π of all training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.tree.probabilities.base import Floats, Probabilities, with_added_rows, with_most_frequent_first

if TYPE_CHECKING:
    from hornbeam.tree.nodes import Nodes


@dataclass(frozen=True)
class MEstimate(Probabilities):
    """Add rows to a node that have the classes of all training rows."""

    name: ClassVar[str] = "m_estimate"
    rows: float = option(2.0, "rows added to each node", above=0.0)

    def of_nodes(self, nodes: Nodes) -> Floats:
        """The fractions of the classes after the addition; a tree without weight has equal priors."""
        root = np.asarray(nodes.stored("stats")[0], dtype=np.float64)
        prior = root / root.sum() if root.sum() > 0 else np.full(len(root), 1.0 / len(root))
        return with_most_frequent_first(with_added_rows(nodes, self.rows, prior), nodes)
