"""The nodes of a tree that are drawn: those down to a depth; deeper nodes are counted on the node above them."""

from __future__ import annotations

import dataclasses

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.tree.nodes import Tree
from hornbeam.tree.text import nodes_below

_MAX_DEPTH = 6
_MAX_NODES = 300


@dataclasses.dataclass(frozen=True)
class VisibleNodes:
    """The nodes that are drawn, parents first: their numbers in the tree, relations, and hidden nodes below each."""

    nodes: list[int]
    parent: list[int]
    children: list[list[int]]
    branch: list[int]
    hidden: list[int]
    deepest: int

    @property
    def n_ends(self) -> int:
        """The number of drawn nodes without a drawn child."""
        return sum(not below for below in self.children)

    @classmethod
    def of(cls, tree: Tree, depth: int | None) -> VisibleNodes:
        """The nodes down to `depth`."""
        deepest = fold_depth(tree, depth)
        below = nodes_below(tree)
        nodes, parent, branch = [0], [-1], [0]
        children: list[list[int]] = [[]]
        for index, node in enumerate(nodes):  # grows during the loop
            if tree.nodes.depth[node] >= deepest:
                continue
            for position, child in enumerate(tree.nodes.children(node)):
                children[index].append(len(nodes))
                nodes.append(child)
                parent.append(index)
                branch.append(position)
                children.append([])
        hidden = [int(below[node]) if not children[index] else 0 for index, node in enumerate(nodes)]
        return cls(nodes, parent, children, branch, hidden, deepest)


def fold_depth(tree: Tree, depth: int | None) -> int:
    """The maximum depth: `depth`, or by default 6, and less where there are more than 300 nodes."""
    if depth is None:
        per_level = np.cumsum(np.bincount(tree.nodes.depth))
        few = np.flatnonzero(per_level <= _MAX_NODES)
        return min(_MAX_DEPTH, int(few[-1]))
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise OptionError(f"depth must be an integer of at least 0, got {short_repr(depth)}.", option="depth")
    return depth
