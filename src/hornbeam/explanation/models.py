"""A model as a sum of terms that can be explained: a tree, a forest, or a fitted estimator that contains one.

A term is a tree with the value that each node adds to the outputs.

    tree            outputs are the class probabilities, or the number
    mean            the same, each tree with its fraction of the weights
    vote            outputs are fractions of votes; a node adds 1 to its predicted class
    sum (boosting)  outputs are raw scores, before the link function: there the terms add up
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr
from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped

Floats = npt.NDArray[np.float64]

# Scales on which the outputs of a row add up to 1.
SUMS_TO_ONE = ("probability", "fraction of votes")


@dataclasses.dataclass(frozen=True, eq=False)
class TreeTerm:
    """A tree, the values that its nodes add (nodes, width), and the first output that they are added to."""

    tree: Tree
    values: Floats
    output: int


@dataclasses.dataclass(frozen=True, eq=False)
class AdditiveModel:
    """Terms that add up to `width` outputs, starting at `start`; `outputs` are their names, `scale` their unit."""

    schema: Schema
    members: tuple[TreeTerm, ...]
    start: Floats
    outputs: tuple[str, ...]
    scale: str

    @property
    def width(self) -> int:
        """The number of outputs that are explained per row."""
        return len(self.start)


def additive_model(given: Any) -> AdditiveModel:
    """A tree, a forest or a fitted estimator as a sum of terms."""
    found = unwrapped(given)
    return _of_tree(found) if isinstance(found, Tree) else _of_forest(found)


def row_of(columns: tuple[Column, ...], row: int) -> tuple[Column, ...]:
    """One row of columns, by its number from 0."""
    n = walk.n_rows_of(columns)
    if isinstance(row, bool) or not isinstance(row, (int, np.integer)) or not 0 <= row < n:
        raise InputError(f"row must be between 0 and {n - 1} ({n} rows), got {short_repr(row)}.", row=row)
    return tuple(column.take(np.array([row])) for column in columns)


def _names(schema: Schema) -> tuple[str, ...]:
    if schema.is_class:
        return tuple(str(label) for label in schema.classes)
    return (schema.target.name if schema.target else "prediction",)


def _of_tree(tree: Tree) -> AdditiveModel:
    values = walk.node_values(tree)
    scale = "probability" if tree.is_class else "number"
    return AdditiveModel(
        tree.schema, (TreeTerm(tree, values, 0),), np.zeros(values.shape[1]), _names(tree.schema), scale
    )


def _of_forest(forest: Forest) -> AdditiveModel:
    schema, weights = forest.schema, np.asarray(forest.weights, dtype=np.float64)
    if forest.combine == "sum":
        members = [
            TreeTerm(tree, weight * walk.node_values(tree), int(output))
            for tree, weight, output in zip(forest.trees, weights, forest.output, strict=True)
        ]
        base = np.array(forest.base, dtype=np.float64)
        names = _names(schema)
        names = names[-1:] if len(base) == 1 else names
        return AdditiveModel(schema, tuple(members), base, names, "score" if forest.link != "identity" else "number")
    if forest.combine == "median":
        raise InputError(
            "The predictions of these trees are combined by a median, which is not a sum of contributions.",
            hint="Explain a forest or boosted trees, or one of the trees.",
        )
    total = float(weights.sum())
    members = []
    for tree, weight in zip(forest.trees, weights, strict=True):
        values = walk.node_values(tree)
        if forest.combine == "vote":
            values = np.eye(values.shape[1])[tree.nodes.answer.astype(np.int64)]
        elif forest.combine == "confidence":
            values = values * np.eye(values.shape[1])[tree.nodes.answer.astype(np.int64)]
        members.append(TreeTerm(tree, values * (weight / total), 0))
    width = members[0].values.shape[1]
    by_vote = {"vote": "fraction of votes", "confidence": "confidence"}
    scale = by_vote.get(forest.combine, "probability" if schema.is_class else "number")
    return AdditiveModel(schema, tuple(members), np.zeros(width), _names(schema), scale)
