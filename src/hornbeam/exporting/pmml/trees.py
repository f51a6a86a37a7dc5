"""TreeModel: nodes with predicates, scores, record counts and class distributions."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.exporting.features import n_branches
from hornbeam.exporting.model import ExportTree
from hornbeam.exporting.pmml.columns import Columns
from hornbeam.exporting.pmml.predicates import TRUE, Predicates, level_text, number_text
from hornbeam.exporting.pmml.xml import Element, element
from hornbeam.table.table import Schema


def tree_model(
    tree: ExportTree, schema: Schema, columns: Columns, mining: Element, *more: Element, weight: float | None = None
) -> Element:
    """One tree; with `weight`, a term of a sum: its scores are the values times the weight."""
    is_class = weight is None and tree.source.is_class
    strategy = missing_strategy(tree)
    predicates = Predicates(schema, columns, ends=strategy == "none")
    nodes = [_node(tree, index, is_class, weight, strategy) for index in range(len(tree))]
    nodes[0].children.insert(0, TRUE)
    for index in tree.inner:
        route, children = tree.route(index), tuple(tree.source.nodes.children(index))
        assert route is not None
        for branch, child in enumerate(children):
            is_own = branch >= n_branches(route.form)
            predicate = TRUE if is_own else predicates.of_branch(route, branch, route.missing)
            nodes[child].children.insert(0, predicate)
            nodes[index].add(nodes[child])
    is_binary = all(len(tree.source.nodes.children(index)) == 2 for index in tree.inner)
    return element(
        "TreeModel",
        mining,
        *more,
        nodes[0],
        functionName="classification" if is_class else "regression",
        missingValueStrategy=strategy,
        noTrueChildStrategy="returnLastPrediction",
        splitCharacteristic="binarySplit" if is_binary else "multiSplit",
    )


def missing_strategy(tree: ExportTree) -> str:
    """The rule of the whole tree for missing values; "none" where the predicates contain it."""
    rules = set()
    for index in tree.inner:
        route = tree.route(index)
        assert route is not None
        is_own = route.missing >= n_branches(route.form)
        rules.add("none" if is_own else "defaultChild" if route.missing >= 0 else "lastPrediction")
    return rules.pop() if len(rules) == 1 else "none"


def _node(tree: ExportTree, index: int, is_class: bool, weight: float | None, strategy: str) -> Element:
    """A node without its predicate and children."""
    nodes = tree.source.nodes
    has_counts = bool(nodes.weight[0] > 0)
    children = nodes.children(index)
    default = children[int(nodes.missing_branch[index])] if strategy == "defaultChild" and len(children) else None
    found = element(
        "Node",
        id=index,
        score=_score(tree, index, is_class, weight),
        recordCount=number_text(nodes.weight[index]) if has_counts else None,
        defaultChild=default,
    )
    return found.add(*_distribution(tree, index)) if is_class else found


def _score(tree: ExportTree, index: int, is_class: bool, weight: float | None) -> str:
    if is_class:
        return level_text(tree.source.schema.classes[int(tree.labels[index])])
    value = float(tree.values[index, 0])
    return number_text(value if weight is None else weight * value)


def _distribution(tree: ExportTree, index: int) -> list[Element]:
    stats: Any = tree.source.nodes.stats[index]
    counts = stats if np.sum(stats) > 0 else tree.values[index]
    return [
        element(
            "ScoreDistribution",
            value=level_text(label),
            recordCount=number_text(count),
            probability=number_text(probability),
        )
        for label, count, probability in zip(tree.source.schema.classes, counts, tree.values[index], strict=True)
    ]
