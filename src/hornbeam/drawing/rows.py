"""Which rows of a table pass through a node?

Rows go down the tree once; a large table is thinned to evenly spaced rows first, as a chart of some thousand rows looks
like that of all.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column, Kind
from hornbeam.table.table import Schema, Table
from hornbeam.tree import walk
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import align_table

MOST_ROWS = 20_000


@dataclasses.dataclass(frozen=True, eq=False)
class NodeRows:
    """The rows at each node of interest, with the columns (in the tree's codes) and the target."""

    columns: tuple[Column, ...]
    target: npt.NDArray[np.float64] | None
    rows_of: dict[int, npt.NDArray[np.int64]]
    is_thinned: bool

    def at(self, node: int) -> npt.NDArray[np.int64]:
        """The rows that pass through a node."""
        return self.rows_of.get(node, np.zeros(0, dtype=np.int64))

    def has_missing(self, column: int) -> bool:
        """Whether a column lacks values in these rows."""
        return bool(self.columns[column].is_missing.any())


def node_rows(tree: Tree, table: Table, deepest: int, most: int = MOST_ROWS) -> NodeRows:
    """The rows of a table at every node down to a depth."""
    is_thinned = len(table) > most
    if is_thinned:
        table = table.take(np.linspace(0, len(table) - 1, most).astype(np.int64))
    columns = align_table(tree.schema, table)
    nodes, rows = _passed(tree, walk.leaves(tree, columns), deepest)
    order = np.argsort(nodes, kind="stable")
    found, first = np.unique(nodes[order], return_index=True)
    parts = np.split(rows[order], first[1:]) if len(found) else []
    rows_of = dict(zip(found.tolist(), parts, strict=True))
    return NodeRows(columns, target_numbers(tree, table), rows_of, is_thinned)


def _passed(
    tree: Tree, ends: npt.NDArray[np.int32], deepest: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Every node down to a depth with every row that passes it; the work below that depth does not grow with it."""
    parent, deepest = tree.nodes.parent, max(deepest, 0)
    above = np.where(tree.nodes.depth <= deepest, np.arange(len(tree)), parent).astype(np.int64)
    while (tree.nodes.depth[above] > deepest).any():
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


def target_numbers(tree: Tree, table: Table) -> npt.NDArray[np.float64] | None:
    """The target as numbers: class codes of the tree (negative where it has no such class), or the numbers."""
    spec, target = tree.schema.target, table.target
    if target is None or spec is None or (spec.kind is Kind.NUMERIC) != (target.kind is Kind.NUMERIC):
        return None
    renamed = dataclasses.replace(target, name=spec.name)
    found = align_table(Schema((spec,)), Table((renamed,)))[0].values
    return found.astype(np.float64)
