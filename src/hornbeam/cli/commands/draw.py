"""Draw a saved tree as SVG, PNG or HTML (by the suffix of --output), with charts of the rows if DATA is given."""

from __future__ import annotations

import argparse

from hornbeam.cli.command import Usage, add_model, add_output
from hornbeam.cli.data_flags import DATA_HELP, add_reading, matched_table
from hornbeam.cli.output import Output, check_free, check_suffix, write

SUMMARY = "draw a saved tree"
DOING = "draw the tree"
EXAMPLE = "hornbeam draw patients.tree patients.csv -o tree.svg"
_SUFFIXES = (".svg", ".png", ".html")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam draw`."""
    add_model(parser)
    parser.add_argument("data", nargs="*", metavar="DATA", help=f"rows for charts in the nodes: {DATA_HELP}")
    add_output(parser, "file of the figure: .svg, .png or .html")
    group = parser.add_argument_group("style")
    group.add_argument(
        "--depth", type=int, metavar="N", help="maximum depth that is drawn; deeper branches are collapsed"
    )
    group.add_argument(
        "--preset", default="plain", choices=("plain", "lecture", "clinic", "compact"), help="contents of the nodes"
    )
    group.add_argument("--theme", default="light", choices=("light", "dark"), help="colors")
    add_reading(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Draw a tree."""
    if not args.output:
        raise Usage("No output file is given.", hint="Pass for example -o tree.svg.", option="--output")
    suffix = check_suffix(args.output, _SUFFIXES)
    check_free(args.output, force=args.force, inputs=[args.model, *args.data])
    from hornbeam.drawing import draw
    from hornbeam.tree.file.files import load_tree

    tree = load_tree(args.model, member=args.tree_index)
    table = matched_table(args, out, tree.schema, args.data, with_target=True) if args.data else None
    figure = draw(tree, table, depth=args.depth, preset=args.preset, theme=args.theme)
    text = figure.html if suffix == ".html" else figure.svg
    write(args.output, figure.png() if suffix == ".png" else text.encode("utf-8"))
    out.saved(args.output, f"wrote {args.output}", {"figure": args.output, "nodes": len(tree)})
    return 0
