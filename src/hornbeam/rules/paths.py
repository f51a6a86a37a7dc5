"""The conditions on the path to each leaf: one group of conditions per question.

A missing value or an unseen level satisfies none of them, as in C4.5rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbeam.rules.conditions import Condition
from hornbeam.rules.routing import question_conditions
from hornbeam.tree.nodes import Tree


def leaf_paths(tree: Tree) -> Iterator[tuple[int, list[Condition]]]:
    """Every leaf with the conditions on its path, top down; leaves in preorder."""
    waiting: list[tuple[int, int]] = [(0, 0)]
    path: list[tuple[Condition, ...]] = []
    while waiting:
        node, depth = waiting.pop()
        del path[max(depth - 1, 0) :]
        parent = int(tree.nodes.parent[node])
        if parent >= 0:
            path.append(question_conditions(tree, parent, node - int(tree.nodes.first_child[parent])))
        if tree.nodes.first_child[node] < 0:
            yield node, [condition for group in path for condition in group]
            continue
        waiting += [(child, depth + 1) for child in reversed(tree.nodes.children(node))]
