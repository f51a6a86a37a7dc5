"""Predict the rows of DATA with a saved model and write CSV, JSON lines, Parquet or Arrow.

The columns are row (from 0), the columns of --keep, prediction, node (the leaf of the row; for rules, the rule that
applies), and one probability_CLASS per class. The format is given by the suffix of FILE or by --as. Columns of DATA are
matched by name; the target is not needed. Large files (Parquet, CSV, JSON lines, DuckDB, SQLite) are read in batches,
so that the memory stays small. FILE is written completely or not at all. Text is written unchanged; --for-spreadsheet
puts a ' before text that a spreadsheet would evaluate as a formula (it starts with = + - @ or a tab).
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from hornbeam.cli.columns import kept_columns, listed_columns, without_columns
from hornbeam.cli.command import Usage, add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_reading, batched_rows_of, code_of, inputs_of, matched_table, raw_of
from hornbeam.cli.output import CannotWrite, Output, check_free, check_suffix

if TYPE_CHECKING:
    from hornbeam.rules.rule import RuleSet
    from hornbeam.scale.matched_rows import BatchedRows, MatchedRows
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
    from hornbeam.scale.predicted_batch import check_kept
    from hornbeam.scale.prediction_files import predict_batches

    format_name = _format(args, out, _is_file(args))
    model = _model(args.model)
    source = batched_rows_of(args)
    codes = [0]
    with contextlib.closing(source) if source is not None else contextlib.nullcontext():
        if source is not None:
            check_kept(model.schema, listed_columns(args.keep, source.names), "--keep")
            for note in getattr(source, "notes", ()):
                out.note(note)
        state = predict_batches(
            model, source, lambda: _rows_at_once(args, out, model, codes), _Writer(args, out, model, format_name).write
        )
    if state.n_unseen:
        out.note(state.unseen_text())
    if _is_file(args):
        found = {"rows": state.n_rows, "saved": args.output}
        out.saved(args.output, f"wrote {args.output}: {state.n_rows:,} rows", found)
    return codes[0]


def _is_file(args: argparse.Namespace) -> bool:
    return args.output not in (None, "-")


def _rows_at_once(
    args: argparse.Namespace, out: Output, model: Tree | Forest | RuleSet, codes: list[int]
) -> MatchedRows:
    """All rows of DATA; `codes` receives the exit code of reading them."""
    from hornbeam.scale.matched_rows import MatchedRows
    from hornbeam.scale.predicted_batch import check_kept, kept_values

    with out.busy(f"reading {', '.join(args.data)}"):
        raw = raw_of(args, args.data)
    kept = kept_columns(args.keep, raw)
    check_kept(model.schema, [column.name for column in kept], "--keep")
    own = without_columns(raw, [column.name for column in kept if column.name not in model.schema.names])
    table = matched_table(args, out, model.schema, args.data, with_target=False, raw=own)
    codes[0] = code_of(table)
    return MatchedRows(table.columns, kept_values(kept), 0)


def _progress(report: Callable[[str], None], n_rows: int | None) -> RowProgress:
    """Reports the number of rows done and the remaining time."""
    import time

    from hornbeam.ensembles.progress import duration_text

    start = time.monotonic()

    def progress(done: int, _: int | None) -> None:
        left = max((n_rows or 0) - done, 0)
        text = "" if not n_rows else f", {duration_text((time.monotonic() - start) / done * left)} left"
        report(f"{done:,} rows done{text}")

    return progress


@dataclasses.dataclass(frozen=True)
class _Writer:
    """Writes predictions to the file, completely or not at all, or to the standard output."""

    args: argparse.Namespace
    out: Output
    model: Tree | Forest | RuleSet
    format_name: str

    def write(self, run: PredictionRun, found: BatchedRows | MatchedRows) -> None:
        """Predict and write rows."""
        from hornbeam.scale.matched_rows import MatchedRows
        from hornbeam.tree.file.atomic import open_atomically, system_failures_as

        if isinstance(found, MatchedRows):
            batches: Iterable[MatchedRows] = [found]
            n_rows: int | None = len(found)
        else:
            names = listed_columns(self.args.keep, found.names)
            batches, n_rows = found.matched(self.model.schema, names, "--keep"), found.n_rows
        with self.out.busy("predicting" if n_rows is None else f"predicting {n_rows:,} rows") as report:
            predicted = run.predicted(batches, self.args.threads)
            progress = _progress(report, n_rows)
            if _is_file(self.args):
                with system_failures_as(self.args.output, CannotWrite), open_atomically(self.args.output) as file:
                    self._write(predicted, file, run, progress)
            elif getattr(found, "may_read_again", False):
                with tempfile.TemporaryFile() as file:
                    self._write(predicted, file, run, progress)
                    file.seek(0)
                    with _printed() as target:
                        shutil.copyfileobj(file, target)
            else:
                with _printed() as target:
                    self._write(predicted, target, run, progress)

    def _write(self, predicted: Any, file: BinaryIO, run: PredictionRun, progress: RowProgress) -> None:
        from hornbeam.scale.prediction_files import write_batches

        settings = {"for_spreadsheet": self.args.for_spreadsheet}
        write_batches(predicted, file, self.format_name, run, progress, **settings)


@contextlib.contextmanager
def _printed() -> Iterator[BinaryIO]:
    """The standard output as a binary file."""
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is not None:
        yield stream
        return
    target = io.BytesIO()
    yield target
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
