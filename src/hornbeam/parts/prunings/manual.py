"""Manual pruning: the nodes that the user names become leaves."""

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
    """Make the named nodes leaves."""

    name: ClassVar[str] = "manual"
    reason: ClassVar[str] = "by hand"
    supports_numbers: ClassVar[bool] = True

    nodes: tuple[int, ...] = option((), "ids of the nodes that become leaves, as numbered in the given tree")

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Cut the named nodes; leaves among them stay leaves."""
        for node in self.nodes:
            if not 0 <= node < len(tree):
                raise OptionError(
                    f"Manual.nodes must be node ids between 0 and {len(tree) - 1}, got {node}.",
                    option="nodes",
                    got=node,
                )
        cut = np.zeros(len(tree), dtype=bool)
        cut[list(self.nodes)] = True
        verdicts = {
            node: "cut: chosen by the user" if cut[node] else "kept: not chosen" for node in inner_nodes(tree.nodes)
        }
        return Edits(topmost(tree.nodes, cut), verdicts=verdicts)
