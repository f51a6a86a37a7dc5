"""Which columns the searches of a method may still use at a node."""

from __future__ import annotations

from hornbeam.growing.method import Method
from hornbeam.parts.node import NodeView


def can_use_any(view: NodeView, method: Method) -> bool:
    """Whether some search may still use some column."""
    return any(can_use(view, method, column) for column in range(len(view.sample.columns)))


def can_vary(view: NodeView, method: Method, column: int) -> bool:
    """Whether the rows of a node differ in a column, for some search that may use it."""
    kind = view.sample.columns[column].kind
    return any(
        kind in search.kinds and search.can_use(view, column) and search.varies(view, column)
        for search in method.searches
    )


def can_use(view: NodeView, method: Method, column: int) -> bool:
    """Whether some search may still use the column at the node."""
    kind = view.sample.columns[column].kind
    return any(kind in search.kinds and search.can_use(view, column) for search in method.searches)
