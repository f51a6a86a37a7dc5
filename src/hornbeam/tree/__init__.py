"""The model as data: questions, nodes, walk, edits, text and files.

The public names are imported when they are first used, so that `import hornbeam` stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbeam.lazy_names import lazy_names

if TYPE_CHECKING:
    from hornbeam.tree.edit import collapse, graft, replace_question
    from hornbeam.tree.forest import Forest, combine_trees
    from hornbeam.tree.node_summary import summary
    from hornbeam.tree.nodes import Tree
    from hornbeam.tree.paths import format_path
    from hornbeam.tree.prediction import Prediction
    from hornbeam.tree.subtree_edit import replace_subtree
    from hornbeam.tree.text import format_tree

_HOMES = {
    "Forest": "forest",
    "Prediction": "prediction",
    "Tree": "nodes",
    "collapse": "edit",
    "combine_trees": "forest",
    "format_path": "paths",
    "format_tree": "text",
    "graft": "edit",
    "replace_question": "edit",
    "replace_subtree": "subtree_edit",
    "summary": "node_summary",
}

__all__ = [
    "Forest",
    "Prediction",
    "Tree",
    "collapse",
    "combine_trees",
    "format_path",
    "format_tree",
    "graft",
    "replace_question",
    "replace_subtree",
    "summary",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(__name__, _HOMES)
