"""The rows of a table that pass through each node.

Rows are sent down the tree once. A large table is reduced to evenly spaced rows first: a chart of some thousand rows
looks like that of all rows.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.nodes import Tree

MAX_ROWS = 20_000


@dataclasses.dataclass(frozen=True, eq=False)
class NodeRows:
    """The rows at each node, with the columns (in the tree's codes) and the target."""

    columns: tuple[Column, ...]
    target: npt.NDArray[np.float64] | None
    rows_of: dict[int, npt.NDArray[np.int64]]
    is_reduced: bool

    def at(self, node: int) -> npt.NDArray[np.int64]:
        """The rows that pass through a node."""
        return self.rows_of.get(node, np.zeros(0, dtype=np.int64))

    def has_missing(self, column: int) -> bool:
        """Whether a column has missing values in these rows."""
        return bool(self.columns[column].is_missing.any())


def node_rows(tree: Tree, table: Table, max_depth: int, max_rows: int = MAX_ROWS) -> NodeRows:
    """The rows at every node down to a depth; the table is matched to the tree (`model_table`)."""
    is_reduced = len(table) > max_rows
    if is_reduced:
        table = table.take(np.linspace(0, len(table) - 1, max_rows).astype(np.int64))
    nodes, rows = _passed(tree, walk.leaves(tree, table.columns), max_depth)
    order = np.argsort(nodes, kind="stable")
    found, first = np.unique(nodes[order], return_index=True)
    parts = np.split(rows[order], first[1:]) if len(found) else []
    rows_of = dict(zip(found.tolist(), parts, strict=True))
    return NodeRows(table.columns, target_values(table), rows_of, is_reduced)


def _passed(
    tree: Tree, ends: npt.NDArray[np.int32], max_depth: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Every node down to a depth with every row that passes it; nodes below that depth take no extra work."""
    parent, max_depth = tree.nodes.parent, max(max_depth, 0)
    above = np.where(tree.nodes.depth <= max_depth, np.arange(len(tree)), parent).astype(np.int64)
    while (tree.nodes.depth[above] > max_depth).any():
        above = above[above]
    node, row = above[ends], np.arange(len(ends))
    nodes, rows = [], []
    while len(node):
        nodes.append(node)
        rows.append(row)
        node = parent[node].astype(np.int64)
        node, row = node[node >= 0], row[node >= 0]
    order = np.argsort(np.concatenate(rows), kind="stable") if rows else np.zeros(0, dtype=np.int64)
    return np.concatenate(nodes)[order] if nodes else order, np.concatenate(rows)[order] if rows else order


def target_values(table: Table) -> npt.NDArray[np.float64] | None:
    """The target of a matched table as floats: class codes (negative: no class of the tree), or the numbers."""
    return None if table.target is None else table.target.values.astype(np.float64)
