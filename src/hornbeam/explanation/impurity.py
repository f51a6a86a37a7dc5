"""The decrease in impurity per column of a model (definition 10.2).

    tree             sum over the nodes of P(t) * gain; P(t) is the weight as the criterion counts it (costs, priors),
                     and the cost of a column divides its gain
    forest           the mean over the trees of the fractions of each tree
    boosted trees    the sum over the trees: their gains are sums over the rows already

The gain of a question about several columns is distributed over them: that of a hyperplane in proportion to
|coefficient| times the standard deviation of the column in a table (without a table equally), that of other
questions equally.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.explanation.models import Floats
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.questions import Hyperplane, Named, Question


def gain_fractions(model: Any, spread: Floats | None = None) -> Floats:
    """The fraction of a model's decrease in impurity per column; all 0 for a model without a question."""
    return as_fractions(impurity_gains(model, spread))


def impurity_gains(model: Any, spread: Floats | None = None) -> Floats:
    """The decrease in impurity per column; `spread` is the standard deviation of each column."""
    found = unwrapped(model)
    if isinstance(found, Tree):
        return tree_gains(found, spread)
    total = np.zeros(len(found.schema.columns))
    for tree, weight in zip(found.trees, found.weights, strict=True):
        if found.combine == "sum":
            total += weight * _distributed(tree, _gains(tree), spread)
        else:
            total += weight * as_fractions(tree_gains(tree, spread))
    return total


def tree_gains(tree: Tree, spread: Floats | None = None) -> Floats:
    """The decrease in impurity per column of one tree, as a fraction of its weight."""
    weight = criterion_weights(tree)
    if not weight[0] > 0:
        return np.zeros(len(tree.schema.columns))
    return _distributed(tree, weight / weight[0] * _gains(tree), spread)


def as_fractions(gains: Floats) -> Floats:
    """Gains divided by their sum, or unchanged where that is 0."""
    total = gains.sum()
    return gains / total if total > 0 else gains


def _gains(tree: Tree) -> Floats:
    # Called for every tree of a forest: arrays that are computed for this are not stored.
    gains: Floats = np.fmax(tree.nodes.arrays(("gain",))["gain"], 0.0)
    return gains


def _distributed(tree: Tree, gains: Floats, spread: Floats | None) -> Floats:
    """Gains per node as sums per column."""
    inner = np.flatnonzero(~tree.nodes.is_leaf)
    out = np.zeros(len(tree.schema.columns))
    if not len(inner):
        return out
    decrease = gains[inner]
    column = tree.questions.column[tree.nodes.arrays(("question",))["question"][inner]]
    cost = column_costs(tree)
    is_single = column >= 0
    np.add.at(out, column[is_single], decrease[is_single] / cost[column[is_single]])
    for index in np.flatnonzero(~is_single).tolist():
        question = tree.question(int(inner[index]))
        columns, fractions = column_fractions(question, spread)
        out[columns] += decrease[index] * fractions / cost[list(question.columns)].max()
    return out


def criterion_weights(tree: Tree) -> Floats:
    """The weight of every node as the criterion counted it: with a cost matrix, classes are weighted by their costs."""
    factors = tree.metadata.get("criterion_factors")
    if factors is None:
        return np.asarray(tree.nodes.arrays(("weight",))["weight"], dtype=np.float64)
    stored = np.array(tree.metadata["class_factors"])
    factor = np.divide(np.array(factors), stored, out=np.zeros(len(stored)), where=stored > 0)
    found: Floats = tree.nodes.stats @ factor
    return found


def column_costs(tree: Tree) -> Floats:
    """The cost by which the scores of each column were divided; 1 by default."""
    costs = tree.recipe.get("column_costs") or {}
    return np.array([float(costs.get(name, 1.0)) for name in tree.schema.names])


def column_fractions(question: Question, spread: Floats | None) -> tuple[list[int], Floats]:
    """The columns of a question and the fraction of its gain that each of them gets."""
    question = question.question if isinstance(question, Named) else question
    columns = list(question.columns)
    parts = np.ones(len(columns))
    if isinstance(question, Hyperplane) and spread is not None:
        sizes = np.abs(np.array(question.weights)) * spread[list(question.terms)]
        if sizes.sum() > 0:
            columns, parts = list(question.terms), sizes
    return columns, parts / parts.sum()
