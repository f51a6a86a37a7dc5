"""Which nodes does the user want gone?  Those named, nothing else."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from hornbeam.errors import OptionError
from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Pruning, inner_nodes, topmost
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True)
class Manual(Pruning):
    """Make the nodes that you name leaves."""

    name: ClassVar[str] = "manual"
    reason: ClassVar[str] = "by hand"
    supports_numbers: ClassVar[bool] = True

    nodes: tuple[int, ...] = option((), "the numbers of the nodes to make leaves, as the tree given numbers them")

    def edits(self, tree: Tree, evidence: PruningData) -> Edits:
        """Cut the nodes named; a node that is a leaf already stays one."""
        for node in self.nodes:
            if not 0 <= node < len(tree):
                raise OptionError(
                    f"ByHand.nodes must be numbers of nodes, 0 to {len(tree) - 1}; got {node}.",
                    option="nodes",
                    got=node,
                )
        cut = np.zeros(len(tree), dtype=bool)
        cut[list(self.nodes)] = True
        words = {node: "cut: chosen by hand" if cut[node] else "kept: not chosen" for node in inner_nodes(tree.nodes)}
        return Edits(topmost(tree.nodes, cut), verdicts=words)
