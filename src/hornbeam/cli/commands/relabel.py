"""Relabel a saved tree from a table: the same questions, with the statistics and predictions of DATA's target.

The tree may have been grown without a target or for another one. Columns are matched by name, as in `hornbeam predict`.
--criterion and --loss choose how impurity and predictions are computed.
"""

from __future__ import annotations

import argparse
from typing import Any

from hornbeam.cli.command import add_model, add_output
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, inputs_of, table_of
from hornbeam.cli.output import Output, check_free, check_suffix, only_ascii, width, write
from hornbeam.cli.part_flags import add_part_flags, chosen_parts, part_of, registries

SUMMARY = "relabel a saved tree from a table"
DOING = "relabel the tree"
EXAMPLE = "hornbeam relabel shape.tree patients.csv --target outcome -o patients.tree"
_PART_TYPES = ("criterion", "loss")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam relabel`."""
    add_model(parser)
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    add_output(parser, "file for the relabeled tree (.tree)")
    add_reading(parser)
    add_part_flags(parser, _PART_TYPES)


def run(args: argparse.Namespace, out: Output) -> int:
    """Relabel a tree."""
    if args.output:
        check_suffix(args.output, (".tree",))
        check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(args.data)])
    known = registries()
    parts: dict[str, Any] = {
        part_type: part_of(known[part_type], tables[0]) for part_type, tables in chosen_parts(args, _PART_TYPES).items()
    }
    from hornbeam.cli.tree_values import tree_values
    from hornbeam.growing.relabeling import relabel
    from hornbeam.tree.file.files import load_tree, to_bytes
    from hornbeam.tree.text import format_tree

    tree = load_tree(args.model, member=args.tree_index)
    args.keep_ids = True  # the tree decides which columns are used
    table = table_of(args, out, args.data)
    with out.busy(f"relabeling with {len(table):,} rows"):
        labeled = relabel(tree, table, **parts)
    for remark in labeled.metadata.get("notes", ()):
        out.note(remark)
    if args.output:
        write(args.output, to_bytes(labeled))
        out.note(f"saved {args.output}: {labeled.n_leaves:,} leaves, depth {labeled.depth}")
    if out.is_json:
        out.data({**tree_values(labeled), "saved": args.output})
    else:
        out.text(format_tree(labeled, width=width(), ascii=only_ascii()))
    return code_of(table)
