"""Collects the rows at the leaves of a tree as the statistics that a loss needs, for `leaf_risks.py`."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.errors import InputError, Set, short_repr
from hornbeam.parts.losses import Loss
from hornbeam.parts.node import Floats, sum_by_group
from hornbeam.parts.prunings.machinery.pruning_data import class_factors
from hornbeam.parts.prunings.machinery.routed_rows import row_endpoints
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import align_table


@dataclasses.dataclass(frozen=True, eq=False)
class Group:
    """Rows that end at one node, as a loss sees them: statistics, and the distinct targets where it needs them."""

    rows: int
    weight: float
    stats: Floats
    targets: Floats | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class LeafRows:
    """The rows at the ends by node, all rows together, and what numbers are counted from so that no_rows cancels."""

    ends: dict[int, Group]
    root: Group
    center: float


def training_groups(tree: Tree) -> LeafRows:
    """The training statistics of the leaves."""
    nodes = tree.nodes
    center = 0.0 if tree.is_class else float(nodes.stats[0, 1])

    def group(node: int) -> Group:
        stats = nodes.stats[node]
        if not tree.is_class:
            weight, mean, squares = stats.tolist()
            centered = mean - center
            stats = np.array([weight, weight * centered, squares + weight * centered * centered])
        return Group(int(nodes.rows[node]), float(nodes.weight[node]), stats)

    return LeafRows({node: group(node) for node in np.flatnonzero(nodes.is_leaf).tolist()}, group(0), center)


def table_groups(tree: Tree, table: Table, loss: Loss) -> LeafRows:
    """The statistics of a table's rows where they end."""
    target = _targets(tree, table)
    keep = np.flatnonzero(~np.isnan(target))
    if not len(keep):
        raise InputError("The table has no rows with a target.")
    table, target = table.take(keep), target[keep]
    ended = row_endpoints(tree, dataclasses.replace(table, columns=align_table(tree.schema, table)))
    center = 0.0 if tree.is_class or loss.statistics == "distribution" else float(tree.nodes.stats[0, 1])
    factors = class_factors(tree) if tree.is_class else np.ones(1)

    def group(indices: Any) -> Group:
        y, weight = target[ended.row[indices]], ended.weight[indices]
        rows = len(np.unique(ended.row[indices]))
        if tree.is_class:
            stats = sum_by_group(y.astype(np.int64), weight, len(factors)) * factors
            return Group(rows, float(stats.sum()), stats)
        if loss.statistics == "distribution":
            distinct, index = np.unique(y, return_inverse=True)
            return Group(rows, float(weight.sum()), sum_by_group(index, weight, len(distinct)), distinct)
        centered = y - center
        moments = np.array([weight.sum(), (weight * centered).sum(), (weight * centered * centered).sum()])
        return Group(rows, float(weight.sum()), moments)

    order = np.argsort(ended.node, kind="stable")
    reached, starts = np.unique(ended.node[order], return_index=True)
    parts = dict(zip(reached.tolist(), np.split(order, starts[1:]), strict=True))
    leaves = {*np.flatnonzero(tree.nodes.is_leaf).tolist(), *parts}
    no_rows = np.zeros(0, dtype=np.int64)
    groups = {node: group(parts.get(node, no_rows)) for node in sorted(leaves)}
    return LeafRows(groups, group(np.arange(len(ended.row))), center)


def _targets(tree: Tree, table: Table) -> Floats:
    """The target of each row: a class index of the tree, or a number; NaN where it is missing."""
    if table.target is None:
        raise InputError("The table has no target.", fix=Set("target", inside="read"))
    if table.schema.is_class != tree.is_class:
        kinds = ("classes", "numbers") if tree.is_class else ("numbers", "classes")
        raise InputError(f"The tree predicts {kinds[0]}, and the target of the table has {kinds[1]}.")
    if not tree.is_class:
        return table.target.values.astype(np.float64)
    code = {label: index for index, label in enumerate(tree.schema.classes)}
    for label in table.target.levels:
        if label not in code and (table.target.values == table.target.levels.index(label)).any():
            raise InputError(
                f"The target has the class {short_repr(label)}, which is not a class of the tree.",
                hint=f"Use the tree's classes: {short_repr(tree.schema.classes)}.",
            )
    codes = np.array([*(code.get(label, -1) for label in table.target.levels), np.nan])
    found: Floats = codes[table.target.values]
    return found
