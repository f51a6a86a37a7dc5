"""Predict the rows of DATA with a saved model and write CSV, JSON lines, Parquet or Arrow.

The columns are row (from 0), the columns of --keep, prediction, node (the leaf of the row; for rules, the rule that
applies), and one probability_CLASS per class. The format is given by the suffix of FILE or by --as. Columns of DATA are
matched by name; the target is not needed. Text is written unchanged; --for-spreadsheet puts a ' before text that a
spreadsheet would evaluate as a formula (it starts with = + - @ or a tab).
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from hornbeam.cli.columns import kept_columns, without_columns
from hornbeam.cli.command import Usage, add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, inputs_of, matched_table, raw_of
from hornbeam.cli.output import Output, check_free, check_suffix, write
from hornbeam.cli.prediction_files import BLOCK, FORMATS, PredictedRows, chunks

if TYPE_CHECKING:
    from hornbeam.rules.rule import RuleSet
    from hornbeam.table.table import Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree
    from hornbeam.tree.prediction import Prediction

SUMMARY = "predict new rows with a saved model"
DOING = "predict"
EXAMPLE = "hornbeam predict patients.tree new.csv --keep id -o predictions.csv"
_MAX_NODES = 5


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam predict`."""
    parser.add_argument("model", metavar="MODEL", help="a saved tree or forest (.tree), or rules (.rules)")
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    add_output(parser, "file for the predictions: .csv, .jsonl, .parquet or .arrow (default: the standard output)")
    parser.add_argument(
        "--keep", metavar="A,B,...", action="append", help="columns of DATA to repeat in the output; may be repeated"
    )
    parser.add_argument(
        "--as",
        dest="format_name",
        choices=("csv", "jsonl", "parquet", "arrow"),
        help="output format (default: by the suffix of FILE, or csv)",
    )
    parser.add_argument("--for-spreadsheet", action="store_true", help="make text safe to open in a spreadsheet")
    add_reading(parser, target=False)
    add_work(parser, seed=False)


def run(args: argparse.Namespace, out: Output) -> int:
    """Predict rows."""
    to_file = args.output not in (None, "-")
    format_name = _format(args, out, to_file)
    model = _model(args.model)
    with out.busy(f"reading {', '.join(args.data)}"):
        raw = raw_of(args, args.data)
    kept = kept_columns(args.keep, raw)
    own = without_columns(raw, [column.name for column in kept if column.name not in model.schema.names])
    table = matched_table(args, out, model.schema, args.data, with_target=False, raw=own)
    with out.busy(f"predicting {len(table):,} rows"):
        predicted = _predict(model, table, args.threads)
    _note_unseen_levels(model, table, predicted, out)
    rows = PredictedRows(predicted, kept, for_spreadsheet=args.for_spreadsheet)
    with out.busy(f"writing {len(rows):,} predictions") as report:
        pieces = []
        for number, piece in enumerate(chunks(rows, format_name)):
            report(f"{number * BLOCK:,} rows done")
            if to_file:
                pieces.append(piece)
            else:
                _write_stdout(piece)
    if to_file:
        write(args.output, b"".join(pieces))
        out.saved(args.output, f"wrote {args.output}: {len(rows):,} rows", {"rows": len(rows), "saved": args.output})
    return code_of(table)


def _format(args: argparse.Namespace, out: Output, to_file: bool) -> str:
    """The name of the output format; an error if the file cannot be written."""
    default = args.format_name or ("jsonl" if out.is_json else "csv")
    if not to_file:
        if default in ("parquet", "arrow") and sys.stdout.isatty():
            raise Usage(
                f"--as {default} is binary and cannot be printed.", hint="Pass -o FILE, or redirect the output."
            )
        return str(default)
    if args.format_name is None:
        suffix = check_suffix(args.output, tuple(FORMATS), f".{default}")
        default = FORMATS[suffix]
    check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(args.data)])
    return str(default)


def _write_stdout(piece: bytes) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(piece.decode("utf-8"))
    else:
        sys.stdout.flush()
        buffer.write(piece)


def _model(path: str) -> Tree | Forest | RuleSet:
    from hornbeam.rules.files import load_rules
    from hornbeam.tree.file.files import load

    return load_rules(path) if path.lower().endswith(".rules") else load(path)


def _predict(model: Tree | Forest | RuleSet, table: Table, threads: int | None) -> Prediction:
    from hornbeam.rules.rule import RuleSet
    from hornbeam.tree.prediction import predict

    if isinstance(model, RuleSet):
        return model.predict(table.columns)
    return predict(model, table.columns, threads=threads)


def _note_unseen_levels(model: Tree | Forest | RuleSet, table: Table, predicted: Prediction, out: Output) -> None:
    """Note how many rows have a level without a branch; for a tree, at which nodes."""
    from hornbeam.tree.nodes import Tree

    n_unseen = int(predicted.has_unseen_level.sum())
    if not n_unseen:
        return
    text = f"{n_unseen:,} row(s) have a level that was not seen in training"
    if isinstance(model, Tree):
        from hornbeam.tree.reference_walk import unseen_levels

        rows = predicted.has_unseen_level.nonzero()[0]
        found = unseen_levels(model, [column.take(rows) for column in table.columns])
        places = []
        for node, count in list(found.items())[:_MAX_NODES]:
            names = ", ".join(model.schema.columns[at].name for at in model.question(node).columns)
            places.append(f"node {node} ({names}): {count:,}")
        more = f" and {len(found) - _MAX_NODES:,} more nodes" if len(found) > _MAX_NODES else ""
        text += f", at {', '.join(places)}{more}; first row {int(rows[0])}"
    out.note(text)
