"""Grow a tree from data, print it, and save it with -o.

The method is a recipe changed by flags: --SORT NAME chooses a part, --PART-SETTING VALUE sets one of its settings and
brings the part along. `hornbeam recipes` and `hornbeam parts` list what there is.
"""

from __future__ import annotations

import argparse

from hornbeam.cli.command import add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, inputs_of, table_of
from hornbeam.cli.method_flags import add_method, method_of
from hornbeam.cli.output import Output, check_free, check_suffix, only_ascii, width, write

WORDS = "grow a tree from data, print it, save it"
DOING = "grow a tree"
EXAMPLE = "hornbeam grow patients.csv --target outcome --depth-at-most 4 --min-leaf-rows 10 -o patients.tree"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam grow`."""
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    parser.add_argument("--show-depth", type=int, metavar="N", help="print no deeper than this; the tree stays whole")
    add_output(parser, "save the tree here (.tree)")
    add_reading(parser)
    add_work(parser)
    add_method(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Grow a tree."""
    if args.output:
        check_suffix(args.output, (".tree",))
        check_free(args.output, force=args.force, inputs=inputs_of(args.data))
    method = method_of(args)
    from hornbeam.cli.tree_values import tree_values
    from hornbeam.recipes.grow import grow
    from hornbeam.tree.files import to_bytes
    from hornbeam.tree.words import text_tree

    table = table_of(args, out, args.data)
    for column in table.columns:
        for remark in column.notes:
            out.note(f"column {column.name}: {remark}")
    with out.busy(f"growing a tree on {len(table)} rows"):
        tree = grow(table, method, seed=args.seed, threads=args.threads)
    if args.output:
        write(args.output, to_bytes(tree))
        out.note(f"saved {args.output}: {len(tree)} nodes, {tree.n_leaves} leaves, depth {tree.depth}")
    value = tree_values(tree, args.show_depth) if out.is_json else {}
    text = "" if out.is_json else text_tree(tree, depth=args.show_depth, width=width(), ascii=only_ascii())
    out.result(text, {**value, "saved": args.output})
    return code_of(table)
