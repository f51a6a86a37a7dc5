"""Draw a saved tree, or another figure about a saved tree or forest, as SVG, PNG or HTML (by the suffix of --output).

hornbeam draw MODEL [DATA] -o tree.svg                             the tree, with charts of the rows if DATA is given
hornbeam draw MODEL --what importance -o importance.svg            importance of the columns
hornbeam draw MODEL DATA --what dependence --column age -o age.svg mean prediction by one column; ice: single rows
hornbeam draw MODEL DATA --what contributions --row 3 -o why.svg   contribution of each column; without --row, all rows
hornbeam draw MODEL DATA --what roc -o roc.svg                     ROC curve; also calibration, costs
"""

from __future__ import annotations

import argparse

from hornbeam.cli.command import Usage, add_output
from hornbeam.cli.data_flags import DATA_HELP, add_reading
from hornbeam.cli.figures import FIGURES, check_figure, figure_rows
from hornbeam.cli.output import Output, check_free, check_suffix, write

SUMMARY = "draw a saved tree, or a figure about a model: importance, ROC and so on"
DOING = "draw the figure"
EXAMPLE = "hornbeam draw patients.tree patients.csv -o tree.svg"
RARE = ("--where", "--costs", "--method", "--tree-index")
_SUFFIXES = (".svg", ".png", ".html")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam draw`."""
    parser.add_argument("model", metavar="MODEL", help="a saved tree or forest (.tree)")
    parser.add_argument("data", nargs="*", metavar="DATA", help=f"rows: {DATA_HELP}")
    parser.add_argument("--tree-index", type=int, metavar="N", help="index of a tree in a saved forest, from 0")
    add_output(parser, "file of the figure: .svg, .png or .html")
    group = parser.add_argument_group("figure")
    group.add_argument(
        "--what", default="tree", choices=tuple(FIGURES), help=f"{', '.join(FIGURES)} (default: tree)", metavar="FIGURE"
    )
    group.add_argument(
        "--column",
        metavar="COLUMN",
        action="append",
        help="column of dependence and ice (default: the most important one); twice for regions",
    )
    group.add_argument("--row", type=int, metavar="N", help="contributions of one row, by its index from 0")
    group.add_argument("--where", metavar="COLUMN=VALUE", action="append", help="contributions of the row with a value")
    group.add_argument("--positive", metavar="CLASS", help="class of the figure (default of ROC: the rarer of two)")
    group.add_argument(
        "--costs", metavar="JSON", help='costs by true and predicted class, such as \'{"ill": {"well": 5}}\''
    )
    group.add_argument(
        "--method",
        choices=("impurity", "permutation", "out_of_bag", "surrogates"),
        metavar="METHOD",
        help="importance: impurity, permutation, out_of_bag or surrogates (default: impurity)",
    )
    group = parser.add_argument_group("style")
    group.add_argument(
        "--depth", type=int, metavar="N", help="maximum depth that is drawn; deeper branches are collapsed"
    )
    group.add_argument(
        "--preset", choices=("plain", "lecture", "clinic", "compact"), help="contents of the nodes (default: plain)"
    )
    group.add_argument("--theme", default="light", choices=("light", "dark"), help="colors")
    add_reading(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Draw a figure."""
    if not args.output:
        raise Usage("No output file is given.", hint="Pass for example -o tree.svg.", option="--output")
    suffix = check_suffix(args.output, _SUFFIXES)
    check_free(args.output, force=args.force, inputs=[args.model, *args.data])
    chosen = check_figure(args)
    from hornbeam.tree.file.files import load, load_tree

    is_one_tree = "tree_index" in chosen.flags
    model = load_tree(args.model, member=args.tree_index) if is_one_tree else load(args.model)
    figure = chosen.draw(model, figure_rows(chosen, model, args, out), args)
    text = figure.html if suffix == ".html" else figure.svg
    write(args.output, figure.png() if suffix == ".png" else text.encode("utf-8"))
    out.saved(args.output, f"wrote {args.output}", {"figure": args.output, "what": args.what, "about": figure.about})
    return 0
