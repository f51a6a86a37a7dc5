"""What shows a tree in a notebook?  Whoever stands above the trees may say: the package names `shown_by` when it loads.

Trees know nothing of pictures; without a name for it they show themselves as text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hornbeam.tree.nodes import Tree

shown_by: Callable[[Tree], str] | None = None
