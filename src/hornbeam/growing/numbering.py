"""The canonical numbering of the nodes of a tree.

The children of a node are numbered when it is expanded, and nodes are expanded in preorder. So the same tree has the
same numbers in every order of growth. The function does not recurse.
"""

from __future__ import annotations

from collections.abc import Sequence


def canonical(children: Sequence[Sequence[int]], root: int = 0) -> list[int]:
    """The nodes reachable from the root, in canonical order; the children of a node are adjacent."""
    order = [root]
    stack = [root]
    while stack:
        below = children[stack.pop()]
        order.extend(below)
        stack.extend(reversed(below))
    return order
