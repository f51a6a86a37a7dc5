"""Decision paths in the format of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.tree.nodes import Tree


def decision_paths(tree: Tree, ends: npt.NDArray[Any]) -> Any:
    """A sparse matrix (rows, nodes) with a 1 for each node between the root and the node where the row ends."""
    from scipy.sparse import csr_matrix

    lengths = tree.nodes.depth[ends].astype(np.int64) + 1
    start = np.concatenate([[0], np.cumsum(lengths)])
    passed = np.empty(int(start[-1]), dtype=np.int64)
    node, position = ends.astype(np.int64), start[1:] - 1
    while len(node):
        passed[position] = node
        node = tree.nodes.parent[node].astype(np.int64)
        node, position = node[node >= 0], position[node >= 0] - 1
    return csr_matrix((np.ones(len(passed), dtype=np.int64), passed, start), shape=(len(ends), len(tree)))
