"""Print a saved tree as text: one line per branch, with rows / misclassified rows and class probabilities of each leaf.

For a forest, a summary is printed; --tree-index N prints one of its trees.
"""

from __future__ import annotations

import argparse

from hornbeam.cli.command import add_model
from hornbeam.cli.output import Output, only_ascii, width

SUMMARY = "print a saved tree"
DOING = "show the tree"
EXAMPLE = "hornbeam show patients.tree --depth 3"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam show`."""
    add_model(parser)
    parser.add_argument(
        "--depth", type=int, metavar="N", help="maximum depth that is printed; deeper branches are collapsed"
    )
    parser.add_argument(
        "--summary",
        action="store_true",
        help="print the question, the competing splits and the surrogates of each node",
    )
    parser.add_argument(
        "--width", type=int, metavar="N", help="maximum line length (default: the width of the terminal)"
    )
    parser.add_argument(
        "--hide-below",
        type=int,
        metavar="K",
        default=0,
        help="hide counts below K; other counts become multiples of K (default: 0, exact counts)",
    )
    parser.add_argument("--ascii", action="store_true", help="use ASCII characters only")


def run(args: argparse.Namespace, out: Output) -> int:
    """Print a tree."""
    from hornbeam.cli.tree_values import tree_values
    from hornbeam.tree.file.files import load, load_tree
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.forest_text import forest_values
    from hornbeam.tree.hiding import hide_counts
    from hornbeam.tree.node_summary import summary
    from hornbeam.tree.text import format_tree

    model = load(args.model) if args.tree_index is None else None
    if isinstance(model, Forest):
        out.result(str(model), forest_values(model))
        return 0
    tree = load_tree(args.model, member=args.tree_index) if model is None else model
    if out.is_json or args.summary:
        tree = hide_counts(tree, args.hide_below)
    if out.is_json:
        out.data(tree_values(tree, args.depth))
    elif args.summary:
        out.text(summary(tree) if args.depth is None else summary(tree, depth=args.depth))
    else:
        columns, is_ascii = args.width or width(), args.ascii or only_ascii()
        out.text(format_tree(tree, depth=args.depth, width=columns, ascii=is_ascii, min_count=args.hide_below))
    return 0
