"""The sample of one node of a tree: the rows that reach it, with the weights, priors and imputed values of all rows.

A node is not a table of its own: priors, importance weights and imputed values come from all training rows. So the
whole table is prepared, and the sample is reduced to the rows of the node.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.growing.sample import PreparedData
from hornbeam.parts.cache import Cache
from hornbeam.parts.prunings.machinery.routed_rows import row_endpoints
from hornbeam.table.prepared_column import node_columns
from hornbeam.table.table import Table
from hornbeam.tree.edit import subtree_nodes
from hornbeam.tree.nodes import Tree

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class NodeRows:
    """The rows that reach a node, ascending, and the fraction of each that does: 1, unless rows are fractional."""

    rows: npt.NDArray[np.int64]
    fractions: Floats


def rows_at(tree: Tree, node: int, table: Table) -> NodeRows:
    """The rows of a table that reach a node; an error if there are none."""
    unit = dataclasses.replace(table, weights=None)
    ended = row_endpoints(tree, unit)
    is_below = np.zeros(len(tree), dtype=np.bool_)
    is_below[list(subtree_nodes(tree, node))] = True
    inside = is_below[ended.node]
    sums = np.bincount(ended.row[inside], weights=ended.weight[inside], minlength=len(table))
    rows = np.flatnonzero(sums)
    if not len(rows):
        raise InputError(f"No row of the table reaches node {node}.", node=node)
    return NodeRows(rows, sums[rows].astype(np.float64))


def node_sample(start: PreparedData, found: NodeRows) -> PreparedData:
    """The data of a node; `start` is that of the whole table, which must have kept all its rows."""
    sample = start.sample
    weights = sample.weights[found.rows]
    if (found.fractions != 1.0).any():
        weights = weights * found.fractions
    inside = dataclasses.replace(
        sample,
        columns=node_columns(sample.columns, found.rows),
        target=sample.target[found.rows],
        weights=weights,
        cache=Cache(),
    )
    return dataclasses.replace(start, sample=inside)
