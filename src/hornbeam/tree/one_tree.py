"""Accepts a tree, a forest or a fitted estimator and returns the tree or forest; anything else is an InputError."""

from __future__ import annotations

from typing import Any

from hornbeam.errors import InputError, short_repr
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree


def unwrapped(model: Any, *, labels: bool = True) -> Tree | Forest:
    """The tree or forest itself; an estimator holds it as `tree_` or `forest_`. `labels`: a tree must have them."""
    for found in (model, getattr(model, "tree_", None), getattr(model, "forest_", None)):
        if isinstance(found, (Tree, Forest)):
            if labels and isinstance(found, Tree):
                check_labels(found)
            return found
    raise InputError(f"A tree, a forest or a fitted estimator is needed; got {short_repr(type(model).__name__)}.")


def check_labels(tree: Tree) -> None:
    """Raise if a tree was grown without a target, so that it predicts nothing."""
    if not tree.is_labeled:
        raise InputError(
            "The tree was grown without a target: it has no labels and predicts nothing.",
            hint="Label it from a table with `relabel`.",
        )


def only_tree(model: Any, what: str, hint: str = "Select one of its trees: forest[0].", *, labels: bool = True) -> Tree:
    """The tree itself; an error for many trees, where one is needed. `labels`: the tree must have them."""
    found = unwrapped(model, labels=labels)
    if isinstance(found, Tree):
        return found
    raise InputError(f"{what} needs one tree; got a forest of {len(found.trees)}.", hint=hint)
