"""Which nodes does a row pass, and how much does each column count?"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.tree.nodes import Tree


def decision_paths(tree: Tree, ends: npt.NDArray[Any]) -> Any:
    """A sparse matrix (rows, nodes) with a 1 for every node between the root and the node where the row ends."""
    from scipy.sparse import csr_matrix

    lengths = tree.nodes.depth[ends].astype(np.int64) + 1
    start = np.concatenate([[0], np.cumsum(lengths)])
    passed = np.empty(int(start[-1]), dtype=np.int64)
    node, place = ends.astype(np.int64), start[1:] - 1
    while len(node):
        passed[place] = node
        node = tree.nodes.parent[node].astype(np.int64)
        node, place = node[node >= 0], place[node >= 0] - 1
    return csr_matrix((np.ones(len(passed), dtype=np.int64), passed, start), shape=(len(ends), len(tree)))


def importances(tree: Tree) -> npt.NDArray[np.float64]:
    """The decrease in impurity that each column's questions bring, summed over the tree; shares that add up to 1.

    A tree that asks nothing has importances of 0. A question about several columns counts for each of them alike.
    """
    # Asked of every tree of a forest: what is made for this is not kept.
    nodes = tree.nodes.arrays(("weight", "gain", "question"))
    inner = np.flatnonzero(~tree.nodes.is_leaf)
    decrease = nodes["weight"][inner] * np.maximum(nodes["gain"][inner], 0.0)
    column = tree.questions.column[nodes["question"][inner]]
    n_columns = len(tree.schema.columns)
    of_one = column >= 0
    total = np.bincount(column[of_one], weights=decrease[of_one], minlength=n_columns).astype(np.float64)
    for place in np.flatnonzero(~of_one).tolist():
        asked = list(tree.question(int(inner[place])).columns)
        total[asked] += decrease[place] / len(asked)
    everything = total.sum()
    return total / everything if everything > 0 else total
