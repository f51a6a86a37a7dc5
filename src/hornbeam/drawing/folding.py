"""Which nodes of a tree are drawn?  Those down to a depth; what lies deeper is counted on the node above it."""

from __future__ import annotations

import dataclasses

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.tree.nodes import Tree
from hornbeam.tree.text import nodes_below

_DEEPEST = 6
_MOST_NODES = 300


@dataclasses.dataclass(frozen=True)
class VisibleNodes:
    """The nodes that are drawn, parent first: their numbers in the tree, families, and what is folded under each."""

    nodes: list[int]
    parent: list[int]
    children: list[list[int]]
    branch: list[int]
    hidden: list[int]
    deepest: int

    @property
    def n_ends(self) -> int:
        """How many have nothing drawn below."""
        return sum(not below for below in self.children)

    @classmethod
    def of(cls, tree: Tree, depth: int | None) -> VisibleNodes:
        """What a fold at `depth` leaves."""
        deepest = fold_depth(tree, depth)
        below = nodes_below(tree)
        nodes, parent, branch = [0], [-1], [0]
        children: list[list[int]] = [[]]
        for place, node in enumerate(nodes):  # grows while it is read
            if tree.nodes.depth[node] >= deepest:
                continue
            for position, child in enumerate(tree.nodes.children(node)):
                children[place].append(len(nodes))
                nodes.append(child)
                parent.append(place)
                branch.append(position)
                children.append([])
        hidden = [int(below[node]) if not children[place] else 0 for place, node in enumerate(nodes)]
        return cls(nodes, parent, children, branch, hidden, deepest)


def fold_depth(tree: Tree, depth: int | None) -> int:
    """The depth to fold at: the one given, or six levels and fewer where they hold more than 300 nodes."""
    if depth is None:
        per_level = np.cumsum(np.bincount(tree.nodes.depth))
        few = np.flatnonzero(per_level <= _MOST_NODES)
        return min(_DEEPEST, int(few[-1]))
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise OptionError(f"depth must be a whole number, 0 or more; got {short_repr(depth)}.", option="depth")
    return depth
