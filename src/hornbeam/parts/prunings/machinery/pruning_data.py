"""The data that a pruning may use in addition to the statistics of the tree.

    pruning_set   rows that did not grow the tree: reduced error, or the choice of alpha, m or a critical value
    training      the training rows: error-based pruning routes them again after raising a subtree
    folds         training rows in V parts and a function that grows a tree: cross-validated choices
    costs         costs[truth][predicted]: a matrix, a data frame or by class name; without them every error costs 1
    bayes_risk    the smallest possible risk: the stop at a risk threshold

The pruning set, and the held-out rows of folds, may also be what they add up to (`node_sums.py`). Fractional rows count
with their fraction in each branch; rows that stay at an inner node are predicted there.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, Set, short_repr
from hornbeam.parallel import run_tasks
from hornbeam.parts.losses.machinery.costs import cost_table
from hornbeam.parts.prunings.base import sums_below
from hornbeam.parts.prunings.machinery.node_sums import NodeSums, squared_errors
from hornbeam.table.division import TrainTestSplit, splits_of_folds
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

Numbers = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class Folds:
    """Splits of the training rows, and a function that grows a tree; each tree is grown once, on first use.

    `splits` are splits into training rows and test rows, or the number of the fold of each row. `at_once` trees are
    grown at the same time, on threads.
    """

    table: Table
    splits: Any
    grow: Callable[[Table], Tree]
    at_once: int = 1

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
        tasks = [functools.partial(self._grown, split) for split in self.splits]
        return tuple(run_tasks(tasks, self.at_once))

    @property
    def tested_fraction(self) -> float:
        """The fraction of the rows that are test rows of a fold: 1, unless the folds go forward in time."""
        return sum(len(split.test) for split in self.splits) / len(self.table)

    def _grown(self, split: TrainTestSplit) -> tuple[Tree, Table]:
        return self.grow(self.table.take(split.train)), self.table.take(split.test)


@dataclasses.dataclass(frozen=True, eq=False)
class GrownFolds:
    """The trees of folds that were grown already, and what the held-out rows of each add up to."""

    trees: tuple[tuple[Tree, NodeSums], ...]
    tested_fraction: float = 1.0


@dataclasses.dataclass(frozen=True, eq=False)
class PruningData:
    """The data that a pruning may use in addition to the tree."""

    pruning_set: Table | NodeSums | None = None
    training: Table | None = None
    folds: Folds | GrownFolds | None = None
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
class NodeLosses:
    """Losses of rows at every node: of all rows that reach it, if it were a leaf, and of those that end there."""

    weight: Numbers
    as_leaf: Numbers
    as_end: Numbers


def node_losses(tree: Tree, rows: Table | NodeSums, costs: npt.NDArray[np.float64] | None = None) -> NodeLosses:
    """The losses of rows: misclassified weight or cost (classes), squared error (numbers)."""
    if isinstance(rows, Table):
        table, rows = rows, NodeSums.of(tree)
        rows.add(tree, table)
    ended = rows.table(tree)
    reached = sums_below(tree.nodes, ended)
    if tree.is_class:
        node_costs = (cost_matrix(tree, costs) * class_factors(tree)[:, None])[:, tree.nodes.answer.astype(np.int64)].T
        return NodeLosses(reached.sum(axis=1), (reached * node_costs).sum(axis=1), (ended * node_costs).sum(axis=1))
    # Sums about the root's mean: centered well enough that squares do not cancel.
    difference = tree.nodes.answer - rows.center
    as_leaf, as_end = (squared_errors(each, difference)[0] for each in (reached, ended))
    return NodeLosses(reached[:, 0], as_leaf, as_end)


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
