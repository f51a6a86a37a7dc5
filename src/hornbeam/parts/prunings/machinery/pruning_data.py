"""The data that a pruning may use in addition to the statistics of the tree.

    pruning_set   rows that did not grow the tree: reduced error, or the choice of alpha, m or a critical value
    training      the training rows: error-based pruning routes them again after raising a subtree
    folds         training rows in V parts and a function that grows a tree: cross-validated choices
    costs         costs[truth][predicted]: a matrix, a data frame or by class name; without them every error costs 1
    bayes_risk    the smallest possible risk: the stop at a risk threshold

Fractional rows count with their fraction in each branch; rows that stay at an inner node are predicted there.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, Set, short_repr
from hornbeam.parts.losses.machinery.costs import cost_table
from hornbeam.parts.prunings.base import sums_below
from hornbeam.parts.prunings.machinery.routes import Shape, sum_weights, visits
from hornbeam.table.column import Column
from hornbeam.table.division import TrainTestSplit, splits_of_folds
from hornbeam.table.match import recode
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import align_table

Numbers = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class Folds:
    """Splits of the training rows, and a function that grows a tree; each tree is grown once, on first use.

    `splits` are splits into training rows and test rows, or the number of the fold of each row.
    """

    table: Table
    splits: Any
    grow: Callable[[Table], Tree]

    def __post_init__(self) -> None:
        if isinstance(self.splits, (tuple, list)) and all(isinstance(each, TrainTestSplit) for each in self.splits):
            return
        if np.shape(self.splits) != (len(self.table),):
            raise InputError(
                f"Folds must have one number per row, shape ({len(self.table)},), got {np.shape(self.splits)}."
            )
        object.__setattr__(self, "splits", splits_of_folds(np.asarray(self.splits)))

    @functools.cached_property
    def trees(self) -> tuple[tuple[Tree, Table], ...]:
        """For each fold the tree grown without it, and the held-out rows."""
        return tuple(self._grown())

    @property
    def tested_fraction(self) -> float:
        """The fraction of the rows that are test rows of a fold: 1, unless the folds go forward in time."""
        return sum(len(split.test) for split in self.splits) / len(self.table)

    def _grown(self) -> Iterator[tuple[Tree, Table]]:
        for split in self.splits:
            yield self.grow(self.table.take(split.train)), self.table.take(split.test)


@dataclasses.dataclass(frozen=True, eq=False)
class PruningData:
    """The data that a pruning may use in addition to the tree."""

    pruning_set: Table | None = None
    training: Table | None = None
    folds: Folds | None = None
    costs: Any = None
    bayes_risk: float | None = None

    def needed(self, what: str, pruning: str) -> Any:
        """One of the fields, or an error that names the pruning that requires it."""
        value = getattr(self, what)
        if value is None:
            raise InputError(
                f"Pruning {short_repr(pruning)} requires {_DESCRIPTIONS[what]}, and none was given.",
                fix=Set(what, inside="PruningData"),
                needs=what,
            )
        return value


_DESCRIPTIONS = {
    "pruning_set": "a pruning set (rows that did not grow the tree)",
    "training": "the training rows",
    "folds": "folds and a function that grows a tree",
    "costs": "a cost matrix",
    "bayes_risk": "the Bayes risk, or an estimate of it (`hornbeam.bayes_risk_bounds`)",
}


@dataclasses.dataclass(frozen=True, eq=False)
class RowEndpoints:
    """The nodes where rows end: one entry per row and node, with the weight of the row there."""

    row: npt.NDArray[np.int64]
    node: npt.NDArray[np.int64]
    weight: Numbers


def row_endpoints(tree: Tree, table: Table) -> RowEndpoints:
    """Route the rows of a table through a tree."""
    columns = align_columns(tree, table)
    weights = table.row_weights
    end = walk.row_ends(tree, columns)[0].astype(np.int64)
    single = np.flatnonzero(end >= 0)
    parts = [(single, end[single], weights[single])]
    for start in np.unique(end[end < 0]).tolist():
        rows = np.flatnonzero(end == start)
        for visit in visits(Shape(tree), columns, rows, weights[rows], ~start):
            here = visit.rows[visit.ends]
            parts.append((here, np.full(len(here), visit.node), visit.weights[visit.ends]))
    row, node, weight = (np.concatenate(each) for each in zip(*parts, strict=True))
    return RowEndpoints(row, node, weight)


@dataclasses.dataclass(frozen=True, eq=False)
class NodeLosses:
    """Losses of rows at every node: of all rows that reach it, if it were a leaf, and of those that end there."""

    weight: Numbers
    as_leaf: Numbers
    as_end: Numbers


def node_losses(tree: Tree, table: Table, costs: npt.NDArray[np.float64] | None = None) -> NodeLosses:
    """The losses of a table's rows: misclassified weight or cost (classes), squared error (numbers)."""
    ended = row_endpoints(tree, table)
    n = len(tree)
    weight_ended = sum_weights(ended.node, ended.weight, n)
    if tree.is_class:
        truth = target_codes(tree, table)[ended.row]
        counts = np.zeros((n, len(tree.schema.classes)))
        np.add.at(counts, (ended.node, truth), ended.weight)
        node_costs = (cost_matrix(tree, costs) * class_factors(tree)[:, None])[:, tree.nodes.answer.astype(np.int64)].T
        all_counts = sums_below(tree.nodes, counts)
        return NodeLosses(
            all_counts.sum(axis=1), (all_counts * node_costs).sum(axis=1), (counts * node_costs).sum(axis=1)
        )
    # Sums about the root's mean: centered well enough that squares do not cancel.
    center = float(tree.nodes.answer[0])
    y = target_numbers(table)[ended.row] - center
    first = sum_weights(ended.node, ended.weight * y, n)
    second = sum_weights(ended.node, ended.weight * y * y, n)
    moments = np.stack([weight_ended, first, second], axis=1)
    answer = tree.nodes.answer - center
    return NodeLosses(
        sums_below(tree.nodes, weight_ended),
        _squares(sums_below(tree.nodes, moments), answer),
        _squares(moments, answer),
    )


def _squares(moments: Numbers, answer: Numbers) -> Numbers:
    weight, first, second = moments.T
    total: Numbers = np.maximum(second - 2 * answer * first + answer * answer * weight, 0.0)
    return total


def cost_matrix(tree: Tree, costs: npt.NDArray[np.float64] | None) -> Numbers:
    """The given costs, or those the tree was grown with, or 1 for every error."""
    n = len(tree.schema.classes)
    given = costs if costs is not None else tree.metadata.get("costs")
    if given is None:
        return 1.0 - np.eye(n)
    return cost_table(given, tree.schema.classes)


def class_factors(tree: Tree) -> Numbers:
    """The factor of each class under the priors that the tree was grown with, or 1."""
    given = tree.metadata.get("class_factors")
    n = len(tree.schema.classes)
    return np.asarray(given, dtype=np.float64) if given is not None and len(given) == n else np.ones(n)


def target_codes(tree: Tree, table: Table) -> npt.NDArray[np.int64]:
    """The class of each row, in the tree's numbering of classes."""
    target = _target(table)
    codes = recode(target.values, target.levels, tree.schema.classes)
    wrong = np.flatnonzero(codes < 0)
    if len(wrong):
        raise InputError(
            f"Row {wrong[0]} of the pruning rows has target {target.shown_value(int(wrong[0]))}, "
            "which is not a class of the tree.",
            hint=f"Use the tree's classes: {short_repr(tree.schema.classes)}.",
            row=int(wrong[0]),
        )
    return codes.astype(np.int64)


def target_numbers(table: Table) -> Numbers:
    """The target of each row as a number."""
    values = _target(table).values.astype(np.float64)
    if np.isnan(values).any():
        row = int(np.flatnonzero(np.isnan(values))[0])
        raise InputError(f"Row {row} of the pruning rows has no target.", row=row)
    return values


def _target(table: Table) -> Column:
    if table.target is None:
        raise InputError("The pruning rows have no target.", fix=Set("target", inside="read"))
    return table.target


def align_columns(tree: Tree, table: Table) -> tuple[Column, ...]:
    """The table's columns in the tree's order, with the codes of the tree's levels."""
    return align_table(tree.schema, table)
