"""Decision paths in the format of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.tree.nodes import Tree
from hornbeam.tree.walk import paths


def decision_paths(tree: Tree, ends: npt.NDArray[Any]) -> Any:
    """A sparse matrix (rows, nodes) with a 1 for each node between the root and the node where the row ends."""
    from scipy.sparse import csr_matrix

    start, passed = paths(tree, ends)
    return csr_matrix((np.ones(len(passed), dtype=np.int64), passed, start), shape=(len(ends), len(tree)))
