"""A tree as JSON values: one entry per node, parents first."""

from __future__ import annotations

from typing import Any

from hornbeam.tree.forest import Forest
from hornbeam.tree.forest_text import forest_values
from hornbeam.tree.nodes import Tree
from hornbeam.tree.questions import Question
from hornbeam.tree.questions.forms import Ball, Cuts, LevelMap, Plane, form_of


def model_values(model: Tree | Forest, depth: int | None = None) -> dict[str, Any]:
    """A tree down to a depth, or a summary of a forest, as JSON values."""
    return tree_values(model, depth) if isinstance(model, Tree) else forest_values(model)


def tree_values(tree: Tree, depth: int | None = None) -> dict[str, Any]:
    """A tree as JSON values, down to a depth."""
    target = tree.schema.target
    return {
        "target": target.name if target else None,
        "classes": list(tree.schema.classes),
        "columns": [
            {"name": spec.name, "kind": str(spec.kind), **({"levels": list(spec.levels)} if spec.levels else {})}
            for spec in tree.schema.columns
        ],
        "nodes": len(tree),
        "leaves": tree.n_leaves,
        "depth": tree.depth,
        "recipe": dict(tree.recipe),
        "tree": [_node(tree, node) for node in range(len(tree)) if depth is None or tree.nodes.depth[node] <= depth],
    }


def _prediction(tree: Tree, node: int) -> str | float | None:
    """The prediction of a node: a class, a number, or None in a tree without labels."""
    if not tree.is_labeled:
        return None
    return tree.prediction_text(node) if tree.is_class else float(tree.nodes.answer[node])


def _question_values(question: Question, tree: Tree) -> dict[str, Any]:
    """The numbers of a question with all digits; its text is rounded and has separators."""
    form = form_of(question)
    columns = [tree.schema.columns[position] for position in question.columns]
    values: dict[str, Any] = {"kind": question.kind, "columns": [spec.name for spec in columns]}
    if isinstance(form, Cuts):
        values["cuts"] = list(form.cuts)
    elif isinstance(form, LevelMap):
        levels = columns[0].levels
        values["levels"] = [[levels[code] for code in form.levels(at)] for at in range(question.n_branches)]
    elif isinstance(form, Plane):
        values |= {"weights": list(form.weights), "bound": form.bound}
    elif isinstance(form, Ball):
        values |= {"center": list(form.center), "scale": list(form.scale), "squared_radius": form.radius2}
    return values


def _node(tree: Tree, node: int) -> dict[str, Any]:
    nodes = tree.nodes
    parent = int(nodes.parent[node])
    condition = None
    if parent >= 0:
        condition = tree.branch_text(parent, node - int(nodes.first_child[parent]))
    entry: dict[str, Any] = {
        "node": node,
        "parent": parent if parent >= 0 else None,
        "depth": int(nodes.depth[node]),
        "condition": condition,
        "children": list(nodes.children(node)),
        "prediction": _prediction(tree, node),
        "rows": int(nodes.rows[node]),
        "weight": float(nodes.weight[node]),
        "gain": float(nodes.gain[node]),
    }
    if nodes.first_child[node] >= 0:
        entry["question"] = _question_values(tree.question(node), tree)
    if tree.is_class:
        entry["class_weights"] = nodes.stats[node].tolist()
    if nodes.first_child[node] < 0:
        entry["leaf_reason"] = tree.reason(node)
    return entry
