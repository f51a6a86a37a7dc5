"""Write an interactive report about a saved tree or ensemble: one HTML file that opens offline.

hornbeam report MODEL DATA --test TEST -o report.html     DATA are the training rows, TEST the test rows

The file contains no row of the data unless --rows requests some; --hide-below hides small counts.
"""

from __future__ import annotations

import argparse

from hornbeam.cli.command import add_model, add_output
from hornbeam.cli.data_flags import DATA_HELP, add_reading, matched_table
from hornbeam.cli.output import Output, check_free, check_suffix, write

SUMMARY = "write an HTML report about a saved model"
DOING = "write the report"
EXAMPLE = "hornbeam report patients.tree patients.csv --test held-out.csv -o report.html"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam report`."""
    add_model(parser)
    parser.add_argument("data", nargs="*", metavar="DATA", help=f"training rows of the tree: {DATA_HELP}")
    parser.add_argument(
        "--test", metavar="DATA", action="append", help="test rows that evaluate the tree; may be repeated"
    )
    parser.add_argument("--positive", metavar="CLASS", help="positive class")
    parser.add_argument("--title", metavar="TEXT", help="title of the report")
    parser.add_argument(
        "--rows",
        type=int,
        metavar="N",
        default=0,
        help="maximum number of data rows in the file (default: 0, no row of the data)",
    )
    parser.add_argument(
        "--hide-below",
        type=int,
        metavar="K",
        default=0,
        help="hide counts below K; other counts become multiples of K (default: 0, exact counts)",
    )
    add_output(parser, "file of the report (default: MODEL with the suffix .html)")
    add_reading(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Write a report."""
    path = args.output or f"{args.model.removesuffix('.tree')}.html"
    check_suffix(path, (".html", ".htm"))
    test_files = args.test or []
    check_free(path, force=args.force, inputs=[args.model, *args.data, *test_files])
    from hornbeam.drawing import report
    from hornbeam.tree.file.files import load, load_tree

    tree = load(args.model) if args.tree_index is None else load_tree(args.model, member=args.tree_index)
    table = matched_table(args, out, tree.schema, args.data, with_target=True) if args.data else None
    test = matched_table(args, out, tree.schema, test_files, with_target=True) if test_files else None
    with out.busy("writing the report"):
        positive = _class_of(args.positive, tree.schema.classes)
        page = report(
            tree,
            table,
            test,
            title=args.title,
            positive=positive,
            rows=args.rows,
            min_count=args.hide_below,
        )
    write(path, page.html.encode("utf-8"))
    out.saved(path, f"wrote {path}", {"report": path, "bytes": len(page.html.encode("utf-8"))})
    return 0


def _class_of(given: str | None, classes: tuple[object, ...]) -> object:
    """The class of the model with this text."""
    return next((label for label in classes if str(label) == given), given)
