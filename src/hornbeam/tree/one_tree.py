"""The tree or forest that a caller passed: itself, or held by a fitted estimator. Anything else is an error of ours."""

from __future__ import annotations

from typing import Any

from hornbeam.errors import InputError, shown
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree


def unwrapped(model: Any) -> Tree | Forest:
    """The tree or forest itself; an estimator holds it as `tree_` or `forest_`."""
    for found in (model, getattr(model, "tree_", None), getattr(model, "forest_", None)):
        if isinstance(found, (Tree, Forest)):
            return found
    raise InputError(f"A tree, a forest or a fitted estimator is needed; got {shown(type(model).__name__)}.")


def only_tree(model: Any, what: str, hint: str = "Take one of its trees: forest[0].") -> Tree:
    """The tree itself; an error for many trees, where one is needed."""
    found = unwrapped(model)
    if isinstance(found, Tree):
        return found
    raise InputError(f"{what} needs one tree; got a forest of {len(found.trees)}.", hint=hint)
