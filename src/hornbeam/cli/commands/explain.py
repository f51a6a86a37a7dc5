"""Say why a saved tree or forest says so: of one row, or of all.

  hornbeam explain MODEL DATA --row 3                     the questions that row 3 was asked, in words
  hornbeam explain MODEL DATA --row 3 --contributions     what each column adds to what row 3 is told (SHAP)
  hornbeam explain MODEL DATA --row 3 --change ill        the least that would have to be different
  hornbeam explain MODEL [DATA] --importance [WAY]        how much each column matters
  hornbeam explain MODEL [DATA] --dependence COLUMN       what is told as one column changes
  hornbeam explain MODEL [DATA] --cautions                what to beware of
  hornbeam explain MODEL [DATA] --leaves [LOSS]           centroid, risk and divergence of every leaf for a loss

Rows are numbered from 0. -o FILE draws what was asked for instead: .svg, .png or .html.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, inputs_of, matched_table
from hornbeam.cli.output import Output, check_free, check_suffix, write

if TYPE_CHECKING:
    from hornbeam.drawing import Picture
    from hornbeam.table.table import Table

WORDS = "say why a saved tree or forest says so"
DOING = "explain"
EXAMPLE = "hornbeam explain patients.tree new.csv --row 3 --contributions --change"
_SUFFIXES = (".svg", ".png", ".html")
_WAYS = ("impurity", "permutation", "surrogates")
_ANY = object()


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam explain`."""
    parser.add_argument("model", metavar="MODEL", help="a saved tree or forest (.tree)")
    parser.add_argument("data", nargs="*", metavar="DATA", help=f"the rows: {DATA_HELP}")
    group = parser.add_argument_group("one row")
    group.add_argument("--row", type=int, metavar="N", help="the row, from 0: its path in words")
    group.add_argument("--contributions", action="store_true", help="what each column adds to what it is told")
    group.add_argument(
        "--output-class", metavar="CLASS", help="the class that contributions are about (default: the last)"
    )
    group.add_argument("--background", metavar="DATA", action="append", help="rows that stand for unknown columns")
    group.add_argument(
        "--change", nargs="?", const=_ANY, metavar="CLASS", help="the smallest change to CLASS (default: any other)"
    )
    group.add_argument("--above", type=float, metavar="X", help="for numbers: the smallest change to X or more")
    group.add_argument("--below", type=float, metavar="X", help="for numbers: the smallest change to X or less")
    group.add_argument("--frozen", metavar="COLUMN", action="append", help="a column that may not change; repeatable")
    group = parser.add_argument_group("all rows")
    group.add_argument(
        "--importance", nargs="?", const="impurity", choices=_WAYS, help="of the columns (default: impurity)"
    )
    group.add_argument("--repeats", type=int, default=10, metavar="N", help="shuffles a column (default: 10)")
    group.add_argument("--dependence", metavar="COLUMN", help="what is told as this column changes")
    group.add_argument("--cautions", action="store_true", help="what to beware of; DATA are the training rows")
    group.add_argument(
        "--leaves",
        nargs="?",
        const=_ANY,
        metavar="LOSS",
        help="centroid, risk and divergence of every leaf, on DATA or the training rows (default: the model's loss)",
    )
    add_output(parser, "draw it: .svg, .png or .html")
    add_reading(parser, target=False)
    add_work(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Explain."""
    wanted = _checked(args)
    if args.output:
        suffix = check_suffix(args.output, _SUFFIXES)
        check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(args.data)])
    from hornbeam.tree.file.files import load

    model = load(args.model)
    needs_target = args.importance == "permutation" or args.cautions or args.leaves is not None
    table = matched_table(args, out, model.schema, args.data, with_target=needs_target) if args.data else None
    if len(wanted) > 1 and hasattr(model, "trees"):
        wanted = [name for name in wanted if name != "path"]  # many trees have no single path
    found = {name: _explained(name, model, table, args, out) for name in wanted}
    if args.output:
        picture = _picture(*next(iter(found.items())), args)
        write(args.output, picture.png() if suffix == ".png" else _text_of(picture, suffix).encode("utf-8"))
        out.saved(args.output, f"The picture: {args.output}", {"picture": args.output})
    else:
        out.result("\n\n".join(_text(each, args) for each in found.values()), _values(found, args))
    return code_of(table) if table is not None else 0


def _checked(args: argparse.Namespace) -> list[str]:
    """What was asked for, in the order in which it is told."""
    has_change = args.change is not None or args.above is not None or args.below is not None
    of_row = {"contributions": args.contributions, "change": has_change}
    of_all = {name: getattr(args, name) for name in ("importance", "dependence", "cautions", "leaves")}
    asked = [name for name, given in {**of_row, **of_all}.items() if given]
    if args.row is None and any(of_row.values()):
        raise Usage(f"--{asked[0]} is about one row.", hint="Say which: --row 0.", option="--row")
    if args.row is not None and (not asked or not args.output):
        asked = ["path", *asked]
    if not asked:
        raise Usage("Nothing was asked for.", hint="For example: --row 0, or --importance.", option="--row")
    if not args.data and (args.row is not None or args.importance == "permutation"):
        raise Usage("DATA is needed.", hint="For example: hornbeam explain MODEL.tree DATA.csv --row 0.")
    if args.output and (len(asked) > 1 or asked[0] not in ("contributions", "importance", "dependence")):
        raise Usage("One of --contributions, --importance and --dependence can be drawn at a time.", option="--output")
    return asked


def _explained(name: str, model: Any, table: Table | None, args: argparse.Namespace, out: Output) -> Any:
    from hornbeam import explanation

    if name == "path":
        return explanation.explain(model, table, args.row)
    if name == "contributions":
        from hornbeam.explanation.models import row_of

        assert table is not None
        one = row_of(table.columns, args.row)
        background = None
        if args.background:
            background = matched_table(args, out, model.schema, args.background, with_target=False)
        return explanation.shap_values(model, one, background=background, threads=args.threads)
    if name == "change":
        given = None if args.change is _ANY else args.change
        return explanation.counterfactual(
            model,
            table,
            args.row,
            target_class=given,
            above=args.above,
            below=args.below,
            frozen=args.frozen or (),
            table=table,
        )
    if name == "importance":
        settings = {"repeats": args.repeats, "seed": args.seed or 0, "threads": args.threads}
        return explanation.importance(model, table, args.importance, **settings)
    if name == "dependence":
        return explanation.partial_dependence(model, args.dependence, table, threads=args.threads)
    if name == "leaves":
        from hornbeam.evaluation import leaf_statistics

        return leaf_statistics(model, table, loss=None if args.leaves is _ANY else args.leaves)
    return explanation.diagnostics(model, table)


def _text(found: Any, args: argparse.Namespace) -> str:
    from hornbeam.explanation import Contributions

    if isinstance(found, Contributions):
        head, _, rest = found.text(0, args.output_class).partition("\n")
        return f"{head.replace('Row 0', f'Row {args.row}', 1)}\n{rest}"
    return str(found)


def _values(found: dict[str, Any], args: argparse.Namespace) -> dict[str, Any]:
    from hornbeam.explanation import Contributions

    return {
        name: {**each.as_dict(0, args.output_class), "row": args.row}
        if isinstance(each, Contributions)
        else each.as_dict()
        for name, each in found.items()
    }


def _picture(name: str, found: Any, args: argparse.Namespace) -> Picture:
    from hornbeam import drawing

    if name == "contributions":
        what = found.outputs[found.output(args.output_class)]
        scale = "" if found.scale == "number" else f"{found.scale} of "
        return drawing.contribution_steps(found, 0, args.output_class, title=f"Row {args.row}: {scale}{what}")
    return drawing.importance_bars(found) if name == "importance" else drawing.dependence_curve(found)


def _text_of(picture: Picture, suffix: str) -> str:
    return picture.html if suffix == ".html" else picture.svg
