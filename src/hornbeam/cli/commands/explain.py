"""Explain the predictions of a saved tree or forest, for one row or for all rows.

  hornbeam explain MODEL DATA --row 3                       the path of row 3 through the tree
  hornbeam explain MODEL DATA --where id=P12                the same for the row whose column id has this value
  hornbeam explain MODEL DATA --row 3 --contributions       contribution of each column to the prediction (SHAP)
  hornbeam explain MODEL DATA --row 3 --counterfactual ill  the smallest change that gives another prediction
  hornbeam explain MODEL [DATA] --importance [METHOD]       importance of each column
  hornbeam explain MODEL [DATA] --dependence COLUMN         mean prediction as a function of one column
  hornbeam explain MODEL [DATA] --diagnostics               known problems of the tree
  hornbeam explain MODEL [DATA] --leaves [LOSS]             centroid, risk and divergence of each leaf for a loss

Rows are numbered from 0. -o FILE draws the explanation instead: .svg, .png or .html.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, inputs_of, matched_table, raw_of
from hornbeam.cli.output import Output, check_free, check_suffix, write

if TYPE_CHECKING:
    from hornbeam.drawing import Picture
    from hornbeam.table.raw import RawTable
    from hornbeam.table.table import Table

SUMMARY = "explain the predictions of a saved tree or forest"
DOING = "explain the model"
EXAMPLE = "hornbeam explain patients.tree new.csv --row 3 --contributions --counterfactual"
RARE = ("--output-class", "--background", "--above", "--below", "--frozen", "--repeats", "--leaves", "--seed")
_SUFFIXES = (".svg", ".png", ".html")
_METHODS = ("impurity", "permutation", "surrogates")
_OF_ROW = ("path", "contributions", "counterfactual")
_ANY = object()


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam explain`."""
    parser.add_argument("model", metavar="MODEL", help="a saved tree or forest (.tree)")
    parser.add_argument("data", nargs="*", metavar="DATA", help=f"the rows: {DATA_HELP}")
    group = parser.add_argument_group("one row")
    group.add_argument("--row", type=int, metavar="N", help="index of the row, from 0; prints its path")
    group.add_argument(
        "--where", metavar="COLUMN=VALUE", action="append", help="the row with this value; may be repeated"
    )
    group.add_argument("--contributions", action="store_true", help="contribution of each column to the prediction")
    group.add_argument("--output-class", metavar="CLASS", help="class of the contributions (default: the last class)")
    group.add_argument(
        "--background", metavar="DATA", action="append", help="background rows, instead of the training distribution"
    )
    group.add_argument(
        "--counterfactual",
        nargs="?",
        const=_ANY,
        metavar="CLASS",
        help="smallest change that predicts CLASS (default: any other class)",
    )
    group.add_argument("--above", type=float, metavar="X", help="regression: smallest change that predicts X or more")
    group.add_argument("--below", type=float, metavar="X", help="regression: smallest change that predicts X or less")
    group.add_argument(
        "--frozen", metavar="COLUMN", action="append", help="column that must not change; may be repeated"
    )
    group = parser.add_argument_group("all rows")
    group.add_argument(
        "--importance",
        nargs="?",
        const="impurity",
        choices=_METHODS,
        metavar="METHOD",
        help=f"importance of the columns: {', '.join(_METHODS)} (default: impurity)",
    )
    group.add_argument(
        "--repeats", type=int, default=10, metavar="N", help="number of permutations per column (default: 10)"
    )
    group.add_argument("--dependence", metavar="COLUMN", help="mean prediction as a function of this column")
    group.add_argument("--diagnostics", action="store_true", help="known problems; DATA are the training rows")
    group.add_argument(
        "--leaves",
        nargs="?",
        const=_ANY,
        metavar="LOSS",
        help="centroid, risk and divergence of each leaf, on DATA or the training rows (default: the model's loss)",
    )
    add_output(parser, "write a figure: .svg, .png or .html")
    add_reading(parser, target=False)
    add_work(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Explain a model."""
    requested = _requested(args)
    if args.output:
        suffix = check_suffix(args.output, _SUFFIXES)
        check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(args.data)])
    from hornbeam.tree.file.files import load

    model = load(args.model)
    needs_target = args.importance == "permutation" or args.diagnostics or args.leaves is not None
    with out.busy(f"reading {', '.join(args.data)}"):
        raw = raw_of(args, args.data) if args.data else None
    if args.where and raw is not None:
        args.row = _row_where(args.where, raw, out)
    # The rows are numbered as in the data, so rows without a target stay among them.
    rows = matched_table(args, out, model.schema, args.data, with_target=False, raw=raw) if raw is not None else None
    table = rows
    if needs_target and raw is not None:
        table = matched_table(args, out, model.schema, args.data, with_target=True, raw=raw)
    if len(requested) > 1 and hasattr(model, "trees"):
        requested = [name for name in requested if name != "path"]  # many trees have no single path
    found = {name: _explain(name, model, rows if name in _OF_ROW else table, args, out) for name in requested}
    if args.output:
        figure = _figure(*next(iter(found.items())), args)
        text = figure.html if suffix == ".html" else figure.svg
        write(args.output, figure.png() if suffix == ".png" else text.encode("utf-8"))
        out.saved(args.output, f"wrote {args.output}", {"figure": args.output})
    else:
        out.result("\n\n".join(_text(each, args) for each in found.values()), _values(found, args))
    return code_of(table) if table is not None else 0


def _row_where(conditions: list[str], raw: RawTable, out: Output) -> int:
    """The row that --where describes; the first one, with a note, if there are several."""
    from hornbeam.cli.columns import rows_where

    rows = rows_where(conditions, raw)
    if len(rows) > 1:
        listed = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
        out.note(f"{len(rows):,} rows satisfy {' and '.join(conditions)} (rows {listed}); the first one is explained")
    return rows[0]


def _requested(args: argparse.Namespace) -> list[str]:
    """The requested explanations, in the order of the output; an error if they cannot be given."""
    has_change = args.counterfactual is not None or args.above is not None or args.below is not None
    of_row = {"contributions": args.contributions, "counterfactual": has_change}
    of_all = {name: getattr(args, name) for name in ("importance", "dependence", "diagnostics", "leaves")}
    names = [name for name, given in {**of_row, **of_all}.items() if given]
    has_row = args.row is not None or bool(args.where)
    if args.row is not None and args.where:
        raise Usage("--row and --where cannot be combined.", hint="Omit one of them.", option="--where")
    if not has_row and any(of_row.values()):
        raise Usage(f"--{names[0]} requires a row.", hint="Pass for example --row 0 or --where id=P12.", option="--row")
    if has_row and (not names or not args.output):
        names = ["path", *names]
    if not names:
        raise Usage("No explanation is requested.", hint="Pass for example --row 0 or --importance.", option="--row")
    if not args.data and (has_row or args.importance == "permutation"):
        raise Usage("DATA is required.", hint="Use for example: hornbeam explain MODEL.tree DATA.csv --row 0.")
    if args.output and (len(names) > 1 or names[0] not in ("contributions", "importance", "dependence")):
        raise Usage(
            "-o draws exactly one of --contributions, --importance and --dependence.",
            hint="Pass one of them.",
            option="--output",
        )
    return names


def _explain(name: str, model: Any, table: Table | None, args: argparse.Namespace, out: Output) -> Any:
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
    if name == "counterfactual":
        given = None if args.counterfactual is _ANY else args.counterfactual
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


def _figure(name: str, found: Any, args: argparse.Namespace) -> Picture:
    from hornbeam import drawing

    if name == "contributions":
        output = found.outputs[found.output(args.output_class)]
        scale = "" if found.scale == "number" else f"{found.scale} of "
        return drawing.contributions(found, None, 0, args.output_class, title=f"Row {args.row}: {scale}{output}")
    return drawing.importance(found) if name == "importance" else drawing.dependence(found)
