"""The model as data: questions, nodes, walking, editing, text and files."""

from hornbeam.tree.forest import Forest, combine_trees
from hornbeam.tree.nodes import Tree
from hornbeam.tree.paths import format_path
from hornbeam.tree.summary import summary

__all__ = ["Forest", "Tree", "combine_trees", "format_path", "summary"]
