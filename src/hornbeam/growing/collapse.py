"""Which questions does C4.5 take back after growth?  Those that leave training errors no fewer (definition 4.2.4)."""

from __future__ import annotations

import numpy as np

from hornbeam.tree.edit import collapse
from hornbeam.tree.nodes import Tree

# C4.5's slack in counts of errors.
_SLACK = 1e-3


def collapse_equal_errors(tree: Tree) -> Tree:
    """The tree in which a node whose subtree makes no fewer training errors becomes a leaf."""
    nodes = tree.nodes
    own = tree.errors()
    below = np.where(nodes.is_leaf, own, 0.0)
    cut = []
    for node in range(len(tree) - 1, -1, -1):
        if nodes.first_child[node] >= 0 and below[node] >= own[node] - _SLACK:
            cut.append(node)
            below[node] = own[node]
        if node:
            below[nodes.parent[node]] += below[node]
    return collapse(tree, cut, reason="collapsed") if cut else tree
