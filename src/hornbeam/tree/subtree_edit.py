r"""`replace_subtree`: an edit that puts another tree in the place of a node and everything below it.

replace_subtree(t, 2, s)

0                            0
/ \           s: 0           / \
        1   2    ->      / \    ->   1   s0
/ \          1   2            / \
          3   4                        s1   s2
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.errors import InputError
from hornbeam.tree.edit import RANGES, checked_node, expansion_order, renumbered
from hornbeam.tree.name_codes import extend_names
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.questions.table import QuestionWriter

_QUESTIONS = ("question", "surrogate_question", "competitor_question")


def replace_subtree(tree: Tree, node: int, subtree: Tree) -> Tree:
    """The tree with `node` and its descendants replaced by another tree of the same columns and target."""
    tree, subtree = only_tree(tree, "An edit", labels=False), only_tree(subtree, "An edit", labels=False)
    node = checked_node(tree, node)
    if tree.schema != subtree.schema:
        raise InputError("The subtree must have the columns and the target of the tree.", node=node)
    joined = _joined(tree, subtree)
    root = len(tree)
    order = expansion_order(joined.nodes, {node: root})
    above = {root: int(tree.nodes.parent[node])}
    return renumbered(joined, order, np.zeros(len(joined), dtype=np.bool_), "", above)


def _joined(tree: Tree, other: Tree) -> Tree:
    """The nodes and questions of two trees, those of the other behind; a forest of two roots, to be renumbered."""
    reasons = extend_names(tree.reasons, other.reasons)
    writer = QuestionWriter()
    rows = [
        np.array([writer.add(each.questions[row]) for row in range(len(each.questions))] + [-1], dtype=np.int32)
        for each in (tree, other)
    ]
    first, second = (dict(each.nodes.in_full().arrays()) for each in (tree, other))
    for name in _QUESTIONS:
        first[name], second[name] = rows[0][first[name]], rows[1][second[name]]
    for name in ("parent", "first_child"):
        second[name] = np.where(second[name] < 0, -1, second[name] + len(tree))
    second["reason"] = np.array([reasons.index(name) for name in other.reasons])[second["reason"]]
    arrays: dict[str, Any] = {}
    for name, values in first.items():
        if name in RANGES:
            arrays[name] = np.concatenate([values, second[name][1:] + values[-1]])
        else:
            arrays[name] = np.concatenate([values, second[name].astype(values.dtype)])
    return dataclasses.replace(tree, nodes=Nodes(**arrays), questions=writer.finished(), reasons=reasons)
