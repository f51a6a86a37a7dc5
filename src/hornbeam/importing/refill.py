"""`refill`: the statistics that a converted model lacks, from a table. Predictions stay the same.

rows, weight        of the table's rows that pass each node
regression          mean, sum of squares and variance of the target at each node
boosted trees       the same for the numbers that the tree itself predicts: the target of each tree, a gradient, is
                    not recorded; gains are sums over the rows
classification      class weights of the target where the source has labels alone, and the Gini index; class weights
                    of the source are kept, because the probabilities are computed from them
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, Set
from hornbeam.parts.prunings.machinery.routes import Shape, visits
from hornbeam.table.match import match_columns
from hornbeam.table.table import Schema, Table
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped

Array = npt.NDArray[Any]


def refill(model: Any, table: Any) -> Tree | Forest:
    """The model with rows, weights, impurities and gains of a table; its predictions do not change.

    `model` is a tree or a forest, `table` a table (or what `read` accepts) with the columns of the model and its
    target; boosted models need no target. A forest counts every row of the table in each of its trees.
    """
    found = unwrapped(model)
    needs_target = isinstance(found, Tree) or found.combine != "sum"
    rows = _rows(found.schema, table, needs_target)
    if not len(rows):
        raise InputError("The table has no rows to fill the statistics from.")
    if isinstance(found, Tree):
        return _refilled(found, rows, is_term=False)
    trees = tuple(_refilled(tree, rows, is_term=found.combine == "sum") for tree in found.trees)
    return dataclasses.replace(found, trees=trees)


def _rows(schema: Schema, table: Any, needs_target: bool) -> Table:
    """The rows with the columns of the model."""
    given = match_columns(schema, table, with_target=needs_target, warn=False, infinite="ordered")
    if needs_target and given.target is not None and given.target.has_missing:
        raise InputError(
            f"The target {given.target.name!r} is missing in some rows.",
            hint="Remove these rows.",
            fix=Set("target", inside="read"),
        )
    return given


def _refilled(tree: Tree, table: Table, *, is_term: bool) -> Tree:
    n, weights = len(tree), table.row_weights
    target = None if is_term else table.target
    values = walk.values(tree, table.columns)[:, 0] if target is None else target.values
    width = len(tree.schema.classes) if tree.is_class else 3
    counts, stats = np.zeros(n, dtype=np.int64), np.zeros((n, width))
    for visit in visits(Shape(tree), table.columns, np.arange(len(table)), np.array(weights)):
        counts[visit.node] = len(visit.rows)
        here = values[visit.rows]
        if tree.is_class:
            stats[visit.node] = np.bincount(here[here >= 0], visit.weights[here >= 0], minlength=width)[:width]
        else:
            stats[visit.node] = _moments(here, visit.weights)
    if tree.is_class and "weight" not in tree.metadata.get("absent", ()):
        stats = np.array(tree.nodes.stats)
    weight = stats.sum(axis=1) if tree.is_class else stats[:, 0]
    impurity = _gini(stats) if tree.is_class else _variances(stats)
    arrays = {"rows": counts, "weight": weight, "stats": stats, "impurity": impurity}
    gain = _gains(tree, weight, impurity)
    arrays["gain"] = gain * weight if is_term else gain
    about = {name: value for name, value in tree.metadata.items() if name != "absent"}
    return dataclasses.replace(tree, nodes=tree.nodes.in_full().replace(**arrays, score=arrays["gain"]), metadata=about)


def _moments(numbers: Array, weights: Array) -> tuple[float, float, float]:
    """Weight, mean, and sum of squares about the mean."""
    total = float(weights.sum())
    if not total > 0:
        return 0.0, 0.0, 0.0
    mean = float(weights @ numbers) / total
    return total, mean, float(weights @ (numbers - mean) ** 2)


def _gini(stats: Array) -> Array:
    total = stats.sum(axis=1)
    fractions = np.divide(stats, total[:, None], out=np.zeros_like(stats), where=total[:, None] > 0)
    return np.asarray(np.where(total > 0, 1.0 - (fractions**2).sum(axis=1), 0.0))


def _variances(stats: Array) -> Array:
    return np.divide(stats[:, 2], stats[:, 0], out=np.zeros(len(stats)), where=stats[:, 0] > 0)


def _gains(tree: Tree, weight: Array, impurity: Array) -> Array:
    """The decrease in impurity from each inner node to its children."""
    nodes = tree.nodes
    below = np.bincount(nodes.parent[1:], (weight * impurity)[1:], minlength=len(tree))
    mass = np.bincount(nodes.parent[1:], weight[1:], minlength=len(tree))
    mean = np.divide(below, mass, out=np.zeros(len(tree)), where=mass > 0)
    return np.asarray(np.where(nodes.is_leaf | ~(mass > 0), 0.0, np.maximum(impurity - mean, 0.0)))
