"""The data of a command: DATA and the flags that control how it is read.

    patients.csv   'ward-*.csv'   a.csv b.csv   -   clinic.db::visits   patients.arff.gz   builtin:penguins

Several files are concatenated and must have the same columns. A path that exists is used literally, otherwise as a
pattern. `--kind COLUMN=KIND` accepts numeric, ordinal, nominal, date, or the levels in order: 'stage=T1<T2<T3'.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hornbeam.cli.columns import listed_columns
from hornbeam.cli.command import Usage
from hornbeam.cli.output import Output
from hornbeam.errors import InputError, available, did_you_mean, short_repr

if TYPE_CHECKING:
    from hornbeam.scale.matched_rows import BatchedRows
    from hornbeam.table.raw import RawTable
    from hornbeam.table.table import Schema, Table

DATA_HELP = (
    "one or more files, a quoted pattern, - for the standard input, file.db::table, book.xlsx::sheet or builtin:NAME"
)


def add_reading(parser: argparse.ArgumentParser, *, target: bool = True) -> None:
    """Add the flags that control how data is read."""
    group = parser.add_argument_group("data")
    if target:
        group.add_argument("--target", metavar="COLUMN", help="column to predict")
        group.add_argument("--weights", metavar="COLUMN", help="column with the weight of each row")
        group.add_argument(
            "--columns", metavar="A,B,...", action="append", help="columns to use (default: all); may be repeated"
        )
        group.add_argument("--drop", metavar="A,B,...", action="append", help="columns to exclude; may be repeated")
        group.add_argument(
            "--kind",
            metavar="COLUMN=KIND",
            action="append",
            help="numeric, nominal, ordinal, date, or the levels in order (T1<T2<T3); may be repeated",
        )
        group.add_argument(
            "--keep-ids", action="store_true", help="keep columns that look like ids or free text (default: excluded)"
        )
    group.add_argument(
        "--na-value",
        metavar="TEXT",
        action="append",
        help="cell text that means missing, in addition to the default texts ('', ?, NA, ...); may be repeated",
    )
    group.add_argument(
        "--no-default-na", action="store_true", help="no cell text means missing, except those of --na-value"
    )
    group.add_argument(
        "--format",
        metavar="NAME",
        help="csv, parquet, jsonl, arff, c45, database or excel (default: determined by the suffix)",
    )
    group.add_argument("--delimiter", metavar="TEXT", help="delimiter of a text file (default: detected)")
    group.add_argument("--decimal", metavar="TEXT", help="decimal separator of a text file (default: detected)")
    group.add_argument(
        "--thousands", metavar="TEXT", help="thousands separator of a text file, '' for none (default: detected)"
    )
    group.add_argument(
        "--date-format",
        metavar="FORMAT",
        action="append",
        help="format of dates such as d.m.Y or %%d.%%m.%%Y, or COLUMN=FORMAT (default: detected); may be repeated",
    )
    group.add_argument(
        "--keep-blanks", action="store_true", help="keep blanks around the cells of a text file (default: removed)"
    )
    group.add_argument(
        "--encoding",
        metavar="NAME",
        help="encoding of a text file (default: its byte order mark, UTF-8, or cp1252 if it is not UTF-8)",
    )
    group.add_argument("--no-header", action="store_true", help="treat the first line of a text file as data")
    group.add_argument(
        "--skip-bad-rows",
        action="store_true",
        help="skip rows with too few or too many cells; the exit code is then 1",
    )


def add_division(parser: argparse.ArgumentParser) -> None:
    """Add the flags that divide the rows wherever rows are held out."""
    group = parser.add_argument_group("held-out rows")
    group.add_argument("--group", metavar="COLUMN", help="column whose rows stay together, such as a patient")
    group.add_argument("--time", metavar="COLUMN", help="column by which training rows precede held-out rows")


def table_of(
    args: argparse.Namespace,
    out: Output,
    data: Sequence[str],
    *,
    needs_target: bool = True,
    drop_unusable: bool = False,
) -> Table:
    """The table that the flags describe; its notes are printed.

    `drop_unusable` leaves out columns of unsupported types, with a note.
    """
    from hornbeam.table.raw import usable_columns
    from hornbeam.table.read import read

    with out.busy(f"reading {', '.join(data)}"):
        raw = raw_of(args, data)
        if drop_unusable:
            raw = usable_columns(raw)
        dropped, used = listed_columns(args.drop, raw.names), listed_columns(args.columns, raw.names)
        check_columns(raw, "--drop", dropped)
        check_columns(raw, "--columns", used)
        check_columns(raw, "--target", [args.target] if args.target else ())
        check_columns(raw, "--weights", [args.weights] if args.weights else ())
        division = division_of(args, raw)
        target = args.target if args.target else raw.target
        if needs_target and target is None:
            raise Usage("No target is given.", hint=f"Pass --target COLUMN. {available(raw.names)}", option="--target")
        table = read(
            raw,
            target,
            kinds=requested_kinds(args.kind or (), raw),
            weights=args.weights,
            columns=used or None,
            drop=dropped,
            keep_ids=args.keep_ids,
            **division,
            **_file_settings(args, raw),
        )
    print_notes(table, out)
    return table


def print_notes(table: Table, out: Output) -> None:
    """Print the notes of a table and of its columns."""
    from hornbeam.table.notes import Note

    for note in table.notes:
        out.note(note)
    for column in (*table.columns, *([table.target] if table.target is not None else ())):
        for note in column.notes:
            out.note(note.about_column(column.name) if isinstance(note, Note) else f"column {column.name}: {note}")


def _file_settings(args: argparse.Namespace, raw: RawTable) -> dict[str, Any]:
    """The settings of the rules for files."""
    return {
        "na_values": args.na_value,
        "keep_default_na": not args.no_default_na,
        "decimal": args.decimal,
        "thousands": args.thousands,
        "date_format": date_formats(args.date_format or (), raw),
        "keep_blanks": args.keep_blanks,
    }


def date_formats(given: Sequence[str], raw: RawTable) -> str | dict[str, str] | None:
    """The formats given by --date-format: one for all columns, or one per column."""
    formats: dict[str, str] = {}
    for each in given:
        name, is_named, date_format = each.rpartition("=")
        if not is_named:
            if len(given) > 1:
                raise Usage("--date-format must be COLUMN=FORMAT if it is repeated.", option="--date-format", got=each)
            return each
        check_columns(raw, "--date-format", [name])
        formats[name] = date_format
    return formats or None


def matched_table(
    args: argparse.Namespace,
    out: Output,
    schema: Schema,
    data: Sequence[str],
    *,
    with_target: bool,
    raw: RawTable | None = None,
) -> Table:
    """New rows, matched to the columns of a model; `raw` are the rows if they have been read already."""
    import dataclasses

    from hornbeam.table.divide import divide
    from hornbeam.table.match import match_columns

    with out.busy(f"reading {', '.join(data)}"):
        raw = raw_of(args, data) if raw is None else raw
        division = _columns_of_division(args, raw, schema)
        names = {column.name for column in division.values()}
        rest = dataclasses.replace(raw, columns=tuple(each for each in raw.columns if each.name not in names))
        table = match_columns(schema, rest, with_target=with_target, **_file_settings(args, raw))
        if getattr(args, "weights", None):
            table = _weighted(args, table, raw)
        table = divide(table, **division)
    for note in table.notes:
        out.note(note)
    return _with_known_target(table, out) if with_target else table


def division_of(args: argparse.Namespace, raw: RawTable) -> dict[str, Any]:
    """The columns that --group and --time name, as arguments of `read`."""
    given = {"groups": ("--group", getattr(args, "group", None)), "times": ("--time", getattr(args, "time", None))}
    for flag, name in given.values():
        check_columns(raw, flag, [name] if name else ())
    return {setting: name for setting, (_, name) in given.items() if name}


def _columns_of_division(args: argparse.Namespace, raw: RawTable, schema: Schema) -> dict[str, Any]:
    """The columns that --group and --time name, as arguments of `divide`; an input of the model is an error."""
    from hornbeam.table.read import read

    found: dict[str, Any] = {}
    for setting, name in division_of(args, raw).items():
        if name in schema.names:
            raise Usage(
                f"Column {short_repr(name)} is an input of the model, so it cannot divide the rows.",
                hint="Grow the model again with the same flag, or without the column.",
                option="--group" if setting == "groups" else "--time",
            )
        settings = {"na_values": args.na_value, "keep_default_na": not args.no_default_na, "decimal": args.decimal}
        found[setting] = read(raw, columns=[name], **settings).columns[0]
    return found


def _weighted(args: argparse.Namespace, table: Table, raw: RawTable) -> Table:
    """The table with the weights of the column that --weights names."""
    from hornbeam.table.read import read
    from hornbeam.table.weights import checked_weights

    check_columns(raw, "--weights", [args.weights])
    column = read(raw, columns=[args.weights], **_file_settings(args, raw)).columns[0]
    return dataclasses.replace(table, weights=checked_weights(column.values, len(table)))


def _with_known_target(table: Table, out: Output) -> Table:
    """The rows with a target; a class that the model does not have is an error."""
    target = table.target
    if target is None:
        raise InputError("The model has no target, so its predictions cannot be evaluated.")
    unknown = (target.values < -1).nonzero()[0].tolist() if target.levels else []
    if unknown:
        row = unknown[0]
        raise InputError(
            f"{len(unknown)} rows have a class of {short_repr(target.name)} that the model lacks, first row {row}.",
            hint=available([str(level) for level in target.levels]),
            column=target.name,
            row=row,
        )
    is_missing = target.is_missing
    if not is_missing.any():
        return table
    if is_missing.all():
        raise InputError(f"The target {short_repr(target.name)} is missing in every row.", column=target.name)
    out.note(f"{int(is_missing.sum())} row(s) with a missing target are excluded")
    return table.take(~is_missing)


def raw_of(args: argparse.Namespace, data: Sequence[str]) -> RawTable:
    """The raw table of DATA."""
    from hornbeam.table.kinds import DEFAULT_NA_VALUES
    from hornbeam.table.sources import raw_table

    words = (*(() if args.no_default_na else DEFAULT_NA_VALUES), *(args.na_value or ()))
    settings = {"decimal": args.decimal, "thousands": args.thousands, "na_values": words, **_layout_settings(args)}
    return raw_table(expand_patterns(data), args.format, **settings)


def _layout_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The settings of the reader of a text file that are given."""
    settings: dict[str, Any] = {}
    for name in ("delimiter", "encoding"):
        if getattr(args, name) is not None:
            settings[name] = getattr(args, name).replace("\\t", "\t") if name == "delimiter" else getattr(args, name)
    if args.no_header:
        settings["header"] = False
    if args.skip_bad_rows:
        settings["bad_rows"] = "skip"
    return settings


def batched_rows_of(args: argparse.Namespace) -> BatchedRows | None:
    """The rows of DATA if they are read in batches, None if they are read at once."""
    from hornbeam.scale.new_rows import rows_in_batches
    from hornbeam.table.raw import RawTable

    if any("=" in each for each in args.date_format or ()):
        return None  # formats of single columns
    no_columns = RawTable(())
    return rows_in_batches(args.data, args.format, **_file_settings(args, no_columns), **_layout_settings(args))


def expand_patterns(data: Sequence[str]) -> list[str]:
    """The sources of DATA; patterns are replaced by the files that match, in order."""
    from hornbeam.table import patterns

    found = patterns.expand_patterns(data)
    if found.count("-") > 1:
        raise Usage("The standard input can be read only once.", hint="Pass - once.")
    return found


def requested_kinds(given: Sequence[str], raw: RawTable) -> dict[str, Any]:
    """The kinds given by --kind; the name of the column ends at the first '=' that makes it a column."""
    found: dict[str, Any] = {}
    for each in given:
        names = [each[:index] for index, character in enumerate(each) if character == "="]
        if not names:
            raise Usage(f"--kind must be COLUMN=KIND, got {short_repr(each)}.", option="--kind", got=each)
        name = next((name for name in names if name in raw.names), names[0])
        check_columns(raw, "--kind", [name])
        kind = each[len(name) + 1 :]
        found[name] = kind.split("<") if "<" in kind else kind
    return found


def code_of(table: Table) -> int:
    """The exit code of a job on a table: 1 if bad rows were skipped, so that a script notices."""
    from hornbeam.table.notes import NoteCode, has_note

    return 1 if has_note(table.notes, NoteCode.SKIPPED_ROWS) else 0


def inputs_of(data: Sequence[str]) -> list[str]:
    """The files of DATA, so that none of them is overwritten."""
    return [each for each in expand_patterns(data) if each != "-"]


def check_columns(raw: RawTable, flag: str, names: Sequence[str]) -> None:
    """Raise an error about a flag if the data lacks a column."""
    for name in names:
        if name not in raw.names:
            raise InputError(
                f"{flag}: unknown column {short_repr(name)} in {short_repr(raw.source, 200)}.",
                hint=did_you_mean(name, raw.names),
                column=name,
                path=raw.source,
            )
