"""C4.5's collapse after growth: questions that do not reduce the training errors are removed (definition 4.2.4)."""

from __future__ import annotations

import numpy as np

from hornbeam.tree.edit import collapse
from hornbeam.tree.nodes import Tree

# C4.5's tolerance, in numbers of errors.
_TOLERANCE = 1e-3


def collapse_equal_errors(tree: Tree) -> Tree:
    """The tree in which every node whose subtree makes no fewer training errors is a leaf."""
    nodes = tree.nodes
    own = tree.errors()
    below = np.where(nodes.is_leaf, own, 0.0)
    cut = []
    for node in range(len(tree) - 1, -1, -1):
        if nodes.first_child[node] >= 0 and below[node] >= own[node] - _TOLERANCE:
            cut.append(node)
            below[node] = own[node]
        if node:
            below[nodes.parent[node]] += below[node]
    return collapse(tree, cut, reason="collapsed") if cut else tree
