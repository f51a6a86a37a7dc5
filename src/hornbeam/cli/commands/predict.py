"""Predict the rows of DATA with a saved model and write CSV, JSON lines, Parquet or Arrow.

The columns are row (from 0), the columns of --keep, prediction, node (the leaf of the row; for rules, the rule that
applies), and one probability_CLASS per class. The format is given by the suffix of FILE or by --as. Columns of DATA are
matched by name; the target is not needed. Large Parquet files and DuckDB tables are read in batches, so that the memory
stays small. FILE is written completely or not at all. Text is written unchanged; --for-spreadsheet puts a ' before text
that a spreadsheet would evaluate as a formula (it starts with = + - @ or a tab).
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from hornbeam.cli.columns import kept_columns, listed_columns, without_columns
from hornbeam.cli.command import Usage, add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, inputs_of, matched_table, raw_of
from hornbeam.cli.output import CannotWrite, Output, check_free, check_suffix

if TYPE_CHECKING:
    from hornbeam.rules.rule import RuleSet
    from hornbeam.scale.new_rows import MatchedRows
    from hornbeam.scale.predicted_batch import PredictedBatch
    from hornbeam.scale.prediction_files import PredictionRun, RowProgress
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree

SUMMARY = "predict new rows with a saved model"
DOING = "predict"
EXAMPLE = "hornbeam predict patients.tree new.csv --keep id -o predictions.csv"


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
    from hornbeam.scale.prediction_files import PredictionRun

    to_file = args.output not in (None, "-")
    format_name = _format(args, out, to_file)
    model = _model(args.model)
    batches, n_rows, code = _rows_of(args, out, model)
    state = PredictionRun(model)
    with out.busy("predicting" if n_rows is None else f"predicting {n_rows:,} rows") as report:
        _write(args, state, state.predicted(batches, args.threads), format_name, to_file, _progress(report, n_rows))
    if state.n_unseen:
        out.note(state.unseen_text())
    if to_file:
        found = {"rows": state.n_rows, "saved": args.output}
        out.saved(args.output, f"wrote {args.output}: {state.n_rows:,} rows", found)
    return code


def _rows_of(
    args: argparse.Namespace, out: Output, model: Tree | Forest | RuleSet
) -> tuple[Iterable[MatchedRows], int | None, int]:
    """The rows of DATA in batches, their number if it is known, and the exit code of reading them."""
    from hornbeam.scale.new_rows import MatchedRows, batches_of, source_in_batches
    from hornbeam.scale.predicted_batch import check_kept, kept_values

    source = source_in_batches(args.data, args.format)
    if source is not None:
        names = listed_columns(args.keep, source.names)
        check_kept(model.schema, names, "--keep")
        found = batches_of(model.schema, source, names, option="--keep", na_values=args.na_value)
        return found, source.n_rows, 0
    with out.busy(f"reading {', '.join(args.data)}"):
        raw = raw_of(args, args.data)
    kept = kept_columns(args.keep, raw)
    check_kept(model.schema, [column.name for column in kept], "--keep")
    own = without_columns(raw, [column.name for column in kept if column.name not in model.schema.names])
    table = matched_table(args, out, model.schema, args.data, with_target=False, raw=own)
    return [MatchedRows(table.columns, kept_values(kept), 0)], len(table), code_of(table)


def _progress(report: Callable[[str], None], n_rows: int | None) -> RowProgress:
    """Reports the number of rows done and the remaining time."""
    import time

    from hornbeam.ensembles.progress import duration_text

    start = time.monotonic()

    def progress(done: int, _: int | None) -> None:
        left = "" if not n_rows else f", {duration_text((time.monotonic() - start) / done * (n_rows - done))} left"
        report(f"{done:,} rows done{left}")

    return progress


def _write(
    args: argparse.Namespace,
    state: PredictionRun,
    batches: Iterator[PredictedBatch],
    format_name: str,
    to_file: bool,
    progress: RowProgress,
) -> None:
    """Write the predictions to the file, completely or not at all, or to the standard output."""
    from hornbeam.scale.prediction_files import write_batches
    from hornbeam.tree.file.atomic import open_atomically, system_failures_as

    spreadsheet = args.for_spreadsheet
    if to_file:
        with system_failures_as(args.output, CannotWrite), open_atomically(args.output) as file:
            write_batches(batches, file, format_name, state, progress, for_spreadsheet=spreadsheet)
        return
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    target = io.BytesIO() if stream is None else stream
    write_batches(batches, target, format_name, state, progress, for_spreadsheet=spreadsheet)
    if stream is None:
        sys.stdout.write(target.getvalue().decode("utf-8"))


def _format(args: argparse.Namespace, out: Output, to_file: bool) -> str:
    """The name of the output format; an error if the file cannot be written."""
    from hornbeam.scale.outputs import FORMATS

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


def _model(path: str) -> Tree | Forest | RuleSet:
    from hornbeam.rules.files import load_rules
    from hornbeam.tree.file.files import load

    return load_rules(path) if path.lower().endswith(".rules") else load(path)
