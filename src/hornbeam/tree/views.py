"""The HTML view of a tree in a notebook: the figure that `register_html_view` was given, else text.

The drawing code is in a layer above the trees; the package registers it when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hornbeam.tree.nodes import Tree

_registered: list[Callable[[Tree], str]] = []


def register_html_view(view: Callable[[Tree], str] | None) -> None:
    """Show trees by this function; by their text if it is None."""
    _registered[:] = [] if view is None else [view]


def html_view(tree: Tree) -> str:
    """A tree as HTML."""
    from hornbeam.tree.text import html_tree

    return _registered[0](tree) if _registered else html_tree(tree)
