"""Print a saved tree as text: a line a branch, with rows / wrong rows and the shares of the classes at each leaf.

A forest is told in short; --member N prints one of its trees.
"""

from __future__ import annotations

import argparse

from hornbeam.cli.command import add_model
from hornbeam.cli.output import Output, only_ascii, width

WORDS = "print a saved tree"
DOING = "show the tree"
EXAMPLE = "hornbeam show patients.tree --depth 3"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam show`."""
    add_model(parser)
    parser.add_argument("--depth", type=int, metavar="N", help="fold what lies deeper")
    parser.add_argument(
        "--summary", action="store_true", help="tell what each node asks, what came next and what is asked instead"
    )
    parser.add_argument("--width", type=int, metavar="N", help="cut lines to this width (default: the terminal's)")
    parser.add_argument("--ascii", action="store_true", help="plain characters only")


def run(args: argparse.Namespace, out: Output) -> int:
    """Show a tree."""
    from hornbeam.cli.tree_values import tree_values
    from hornbeam.tree.file.files import load, load_tree
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.forest_text import forest_values
    from hornbeam.tree.summary import summary
    from hornbeam.tree.text import format_tree

    whole = load(args.model) if args.member is None else None
    if isinstance(whole, Forest):
        out.result(str(whole), forest_values(whole))
        return 0
    tree = load_tree(args.model, member=args.member) if whole is None else whole
    if out.is_json:
        out.data(tree_values(tree, args.depth))
    elif args.summary:
        out.text(summary(tree) if args.depth is None else summary(tree, depth=args.depth))
    else:
        out.text(format_tree(tree, depth=args.depth, width=args.width or width(), ascii=args.ascii or only_ascii()))
    return 0
