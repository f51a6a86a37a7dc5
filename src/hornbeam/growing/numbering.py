"""In what order do nodes stand in a tree?

A node's children are numbered when it is expanded, and nodes are expanded in preorder.

So the same tree has the same numbers whatever order it was grown in. Nothing recurses.
"""

from __future__ import annotations

from collections.abc import Sequence


def canonical(children: Sequence[Sequence[int]], root: int = 0) -> list[int]:
    """The nodes reachable from the root, in canonical order; children stand side by side."""
    order = [root]
    waiting = [root]
    while waiting:
        below = children[waiting.pop()]
        order.extend(below)
        waiting.extend(reversed(below))
    return order
