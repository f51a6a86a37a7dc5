"""New statistics and predictions for a tree from another table; the questions stay the same.

    shape = grow(rows_without_target, Method(searches="kd_median", stops=[...]))
    tree = relabel(shape, labeled_rows)

Every row is routed as in `predict`, including rows with missing values. A node takes its statistics from the rows that
pass it, its prediction from the loss, its impurity and gain from the criterion. A node that no row reaches predicts
what its parent predicts. Reasons of leaves that depend on the old target, competitors and pruning records are dropped.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbeam.errors import InputError, Set
from hornbeam.growing.in_python import describe_node
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData, prepare, tree_metadata
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.losses import Loss
from hornbeam.parts.missing import missing
from hornbeam.parts.node import NodeView
from hornbeam.parts.prunings.machinery.routes import Shape, Visit, visits
from hornbeam.table.table import Table, only_table
from hornbeam.tree import walk
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.prediction import align_table

# The fields of a recipe that concern the target.
_ABOUT_TARGETS = ("criterion", "loss", "priors", "class_weight", "weights", "probabilities")
# Reasons that do not depend on the target.
_LASTING = (
    "", "identical rows", "depth", "below min_split", "below min_leaf", "at most eta rows", "leaves", "nodes",
    "by hand",
)  # fmt: skip
# Metadata that describes how rows are routed.
_ROUTING = ("fill_values", "columns_with_missing", "missing_fractions", "seed")


def relabel(
    tree: Tree,
    table: Table,
    *,
    criterion: Criterion | str | Mapping[str, Any] | None = None,
    loss: Loss | str | Mapping[str, Any] | None = None,
    priors: str | Mapping[str, float] | None = None,
    class_weight: str | Mapping[str, float] | None = None,
) -> Tree:
    """A tree of the same questions with the statistics and predictions of a table's target, classes or numbers.

    Arguments that are None are taken from the tree's recipe if the table has the tree's classes (or both have numbers);
    otherwise they are the defaults of the target: `gini` and `zero_one`, or `squared_error` and `squared`.
    """
    tree = only_tree(tree, "Relabeling", labels=False)
    table = only_table(table, "Relabeling")
    if table.target is None:
        raise InputError("relabel requires a table with a target.", fix=Set("target", inside="read"))
    given = {"criterion": criterion, "loss": loss, "priors": priors, "class_weight": class_weight}
    changes = {name: value for name, value in given.items() if value is not None}
    method = Method(**{**_of_recipe(tree, table), **changes, "stops": ()})
    start = prepare(dataclasses.replace(table, columns=align_table(tree.schema, table)), method)
    walk.row_ends(tree, start.sample.columns)  # raises an error for a level that the tree rejects
    return _relabeled(tree, start)


def _of_recipe(tree: Tree, table: Table) -> dict[str, Any]:
    """The fields of the tree's recipe that concern the target, if the table's target is of the same kind."""
    old, new = tree.schema.target, table.target
    assert new is not None
    if old is None or old.has_levels != new.spec.has_levels or {*old.levels} != {*new.levels}:
        return {}
    given = {name: tree.recipe[name] for name in _ABOUT_TARGETS if tree.recipe.get(name) is not None}
    return {**given, "probabilities": tree.probabilities}


def _counts_known_rows(tree: Tree) -> bool:
    """Whether the tree's strategy for missing values scores a question on the rows with known values only."""
    strategy = tree.recipe.get("missing")
    name = strategy.get("name") if isinstance(strategy, Mapping) else strategy
    return name is None or missing.part_class(name).mode == "apart"


def _relabeled(tree: Tree, start: PreparedData) -> Tree:
    sample = start.sample
    known_only = _counts_known_rows(tree)
    arrays: dict[str, Any] = {
        "rows": np.zeros(len(tree), dtype=np.int64),
        "stats": np.zeros((len(tree), sample.n_classes or 3)),
        **{name: np.zeros(len(tree)) for name in ("weight", "answer", "impurity", "gain", "score")},
    }
    for visit in visits(Shape(tree), sample.columns, np.arange(sample.n_rows), np.array(sample.weights)):
        view = NodeView(sample, visit.rows, visit.weights)
        node = describe_node(view, start, -1)
        for name in ("rows", "weight", "stats", "answer", "impurity"):
            arrays[name][visit.node] = getattr(node, name)
        if tree.nodes.first_child[visit.node] >= 0:
            arrays["gain"][visit.node], arrays["score"][visit.node] = _gain(tree, visit, view, start, known_only)
    _fill_empty(tree.nodes, arrays, sample.n_classes > 0)
    if tree.is_labeled:
        lasting = np.array([reason in _LASTING for reason in tree.reasons])
        arrays["reason"] = np.where(lasting[tree.nodes.reason], tree.nodes.reason, 0)
    none = {name: array[:0] for name, array in tree.nodes.arrays().items() if name.startswith("competitor_")}
    none["competitor_start"] = np.zeros(len(tree) + 1, dtype=np.int64)
    return dataclasses.replace(
        tree,
        schema=dataclasses.replace(tree.schema, target=start.table.schema.target),
        nodes=tree.nodes.in_full().replace(**arrays, **none),
        recipe=_recipe(tree, start.method),
        metadata=_metadata(tree, start),
        probabilities=start.method.probabilities,
    )


def _gain(tree: Tree, visit: Visit, view: NodeView, start: PreparedData, known_only: bool) -> tuple[float, float]:
    """The decrease in impurity of a node's question and its score, on the rows that count for it."""
    criterion = start.method.criterion
    assert criterion is not None
    branch = visit.branch
    if known_only:
        columns = [column.take(visit.rows) for column in view.sample.columns]
        branch = np.where(tree.question(visit.node).branch(columns) >= 0, branch, -1)
    known = branch >= 0
    if not known.any():
        return 0.0, 0.0
    branches = view.table(branch[known].astype(np.int64), int(tree.nodes.n_branches[visit.node]), known)
    unknown = float(view.criterion_weights[~known].sum())
    parent = branches.sum(axis=0)
    gain = float(criterion.gain(parent, branches[None], unknown, view.targets)[0])
    return gain, float(criterion.score(parent, branches[None], unknown, view.targets)[0])


def _fill_empty(nodes: Nodes, arrays: dict[str, Any], is_class: bool) -> None:
    """Nodes that no row reaches predict what their parents predict."""
    for node in np.flatnonzero(arrays["rows"] == 0).tolist():
        above = int(nodes.parent[node])
        arrays["answer"][node] = arrays["answer"][above]
        if not is_class:
            arrays["stats"][node, 1] = arrays["stats"][above, 1]


def _recipe(tree: Tree, method: Method) -> dict[str, Any]:
    """The tree's recipe with the fields that the new labels depend on."""
    table = method.as_table()
    about = {name: table[name] for name in _ABOUT_TARGETS if name in table}
    kept = {name: value for name, value in tree.recipe.items() if name not in (*_ABOUT_TARGETS, "target", "pruning")}
    return {**kept, **about}


def _metadata(tree: Tree, start: PreparedData) -> dict[str, Any]:
    routing = {name: tree.metadata[name] for name in _ROUTING if name in tree.metadata}
    about = {name: value for name, value in tree_metadata(start).items() if name not in _ROUTING}
    return {**routing, **about}
