"""Write a report about a saved tree: one HTML file to explore, which opens offline.

hornbeam report MODEL DATA --test FRESH -o report.html     DATA taught the tree, FRESH judges it
"""

from __future__ import annotations

import argparse

from hornbeam.cli.command import add_model, add_output
from hornbeam.cli.data_flags import DATA_HELP, add_reading, matched_table
from hornbeam.cli.output import Output, check_free, check_suffix, write

WORDS = "write an HTML report about a saved tree"
DOING = "write the report"
EXAMPLE = "hornbeam report patients.tree patients.csv --test held-out.csv -o report.html"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam report`."""
    add_model(parser)
    parser.add_argument("data", nargs="*", metavar="DATA", help=f"the rows that taught the tree: {DATA_HELP}")
    parser.add_argument("--test", metavar="DATA", action="append", help="fresh rows that judge the tree; repeatable")
    parser.add_argument("--positive", metavar="CLASS", help="the class that is looked for")
    parser.add_argument("--title", metavar="TEXT", help="the heading")
    parser.add_argument(
        "--rows",
        type=int,
        metavar="N",
        default=500,
        help="at most so many rows of the data in the file (default: 500)",
    )
    add_output(parser, "the report (default: MODEL with .html)")
    add_reading(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Write a report."""
    path = args.output or f"{args.model.removesuffix('.tree')}.html"
    check_suffix(path, (".html", ".htm"))
    fresh = args.test or []
    check_free(path, force=args.force, inputs=[args.model, *args.data, *fresh])
    from hornbeam.drawing import report
    from hornbeam.tree.file.files import load_tree

    tree = load_tree(args.model, member=args.member)
    table = matched_table(args, out, tree.schema, args.data, with_target=True) if args.data else None
    test = matched_table(args, out, tree.schema, fresh, with_target=True) if fresh else None
    with out.busy("writing the report"):
        positive = _class_of(args.positive, tree.schema.classes)
        page = report(tree, table, test, title=args.title, positive=positive, rows=args.rows)
    write(path, page.html.encode("utf-8"))
    out.saved(path, f"The report: {path}", {"report": path, "bytes": len(page.html.encode("utf-8"))})
    return 0


def _class_of(given: str | None, classes: tuple[object, ...]) -> object:
    """The class whose text was given, as the model knows it."""
    return next((label for label in classes if str(label) == given), given)
