"""A tree as text in the format of scikit-learn's export_text.

|--- petal_width <= 0.80
|   |--- class: setosa
|--- petal_width >  0.80
|   |--- ...
"""

from __future__ import annotations

from typing import Any

from hornbeam.drawing.sklearn_style.labels import ShownTree, shown_tree
from hornbeam.errors import OptionError
from hornbeam.options import is_integer


def export_text(
    decision_tree: Any,
    *,
    feature_names: Any = None,
    class_names: Any = None,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """A tree, or that of a fitted estimator, as text with one line per branch and per leaf.

    `max_depth` truncates branches, `spacing` is the indentation, `show_weights` adds class weights to the leaves.
    """
    for name, value, minimum in (("max_depth", max_depth, 0), ("spacing", spacing, 1), ("decimals", decimals, 0)):
        if not is_integer(value) or value < minimum:
            message = f"{name} must be an integer of at least {minimum}, got {value!r}."
            raise OptionError(message, option=name, got=value)
    shown = shown_tree(decision_tree, feature_names, class_names, "feature_{}")
    classes = shown.tree.schema.classes
    if shown.class_names is not None and len(shown.class_names) != len(classes):
        raise OptionError(
            "When `class_names` is an array, it should contain as many items as `decision_tree.classes_`. Got "
            f"{len(shown.class_names)} while the tree was fitted with {len(classes)} classes.",
            option="class_names",
        )
    names = shown.class_names or tuple(map(str, classes))
    lines = []
    pending = [(0, 0, "")]  # node, depth, the outcome that leads to it
    while pending:
        node, depth, outcome = pending.pop()
        stem = "|" + " " * spacing
        if outcome:
            lines.append(f"{stem * (depth - 1)}|{'-' * spacing} {outcome}")
        if shown.tree.nodes.is_leaf[node]:
            lines.append(f"{stem * depth}|{'-' * spacing} {_leaf(shown, node, names, decimals, show_weights)}")
        elif depth > max_depth:
            below = _depth_below(shown, node)
            lines.append(f"{stem * depth}|{'-' * spacing} truncated branch of depth {below}")
        else:
            children = shown.tree.nodes.children(node)
            for branch in reversed(range(len(children))):
                pending.append((children[branch], depth + 1, _outcome(shown, node, branch, decimals)))
    return "\n".join(lines) + "\n"


def _outcome(shown: ShownTree, node: int, branch: int, decimals: int) -> str:
    if not shown.is_threshold(node):
        return shown.branch(node, branch)
    question: Any = shown.tree.question(node)
    name = shown.schema.columns[question.columns[0]].name
    return f"{name} {'<=' if branch == 0 else '> '} {question.cut:.{decimals}f}"


def _leaf(shown: ShownTree, node: int, names: tuple[str, ...], decimals: int, show_weights: bool) -> str:
    values = shown.counts[node]
    if not shown.tree.is_class:
        return f"value: [{values[0]:.{decimals}f}]"
    weights = ", ".join(f"{value:.{decimals}f}" for value in values)
    label = f"class: {names[int(shown.tree.nodes.answer[node])]}"
    return f"weights: [{weights}] {label}" if show_weights else label


def _depth_below(shown: ShownTree, node: int) -> int:
    """The number of levels of the subtree of a node, its own included."""
    deepest, pending = 0, [(node, 1)]
    while pending:
        at, depth = pending.pop()
        deepest = max(deepest, depth)
        pending += [(child, depth + 1) for child in shown.tree.nodes.children(at)]
    return deepest
