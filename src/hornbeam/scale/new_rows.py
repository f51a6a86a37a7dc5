"""New rows of a model: from a source in batches, or at once.

Large files, streams and iterators are read in batches of some thousand rows; small files and formats that cannot be
read in batches are read at once and are one batch.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from hornbeam.errors import InputError, did_you_mean, short_repr
from hornbeam.scale.csv_rows import CsvRows
from hornbeam.scale.guessed_rows import GuessedRows
from hornbeam.scale.matched_rows import BatchedRows, MatchedRows, check_names, rows_counted_from
from hornbeam.scale.predicted_batch import kept_values
from hornbeam.scale.sources import RowSource
from hornbeam.scale.sources.arrow import arrow_source, is_stream
from hornbeam.scale.sources.database import database_source, is_duckdb
from hornbeam.scale.sources.json_lines import guessed_json_lines, json_lines_source
from hornbeam.scale.sources.parquet import parquet_source
from hornbeam.scale.sources.sqlite import guessed_sqlite, sqlite_source
from hornbeam.table.kinds import DEFAULT_NA_VALUES
from hornbeam.table.match import match_columns
from hornbeam.table.patterns import expand_patterns, is_path
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.sources import format_of, raw_table
from hornbeam.table.table import Schema

BATCH_ROWS = 131_072
# A file up to this size is read at once: the rules for files then see all its cells, and its types are exact.
WHOLE_BYTES = 32 << 20


@dataclasses.dataclass(frozen=True, eq=False)
class TypedRows:
    """New rows from a source of typed columns; `settings` are those of `match_columns`."""

    source: RowSource
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    may_read_again: ClassVar[bool] = False

    @property
    def label(self) -> str:
        """The name of the source in messages."""
        return self.source.label

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return self.source.names

    @property
    def n_rows(self) -> int | None:
        """The number of rows, None if it is unknown before they are read."""
        return self.source.n_rows

    def matched(self, schema: Schema, keep: Sequence[str] = (), option: str = "keep") -> Iterator[MatchedRows]:
        """The rows, matched to the columns of a model."""
        check_names(schema, self, keep, option)
        wanted = [name for name in self.names if name in {*schema.names, *keep}]
        own = [name for name in wanted if name in schema.names]
        first_row = 0
        for table in self.source.batches(wanted, BATCH_ROWS):
            with rows_counted_from(first_row):
                columns = match_columns(schema, raw_table(table.select(own)), warn=False, **self.settings).columns
            yield MatchedRows(columns, {name: table.column(name) for name in keep}, first_row)
            first_row += table.num_rows

    def close(self) -> None:
        """Nothing is open between batches."""


def rows_in_batches(source: Any, format_name: str | None = None, **settings: Any) -> BatchedRows | None:
    """The rows of a source if they are read in batches, None if it is read at once.

    `settings` are those of a text file; of these, na_values applies to other sources too.
    """
    for_types = {name: value for name, value in settings.items() if name == "na_values"}
    paths, found = _large_files(source, format_name)
    if found == "csv":
        return _csv_rows(paths, settings)
    if found in ("jsonl", "database") and len(paths) == 1:
        guess = guessed_json_lines(paths[0]) if found == "jsonl" else guessed_sqlite(paths[0])
        if guess is not None:
            return GuessedRows(guess, lambda: source_in_batches(source, format_name), TypedRows, for_types)
    typed = source_in_batches(source, format_name)
    return None if typed is None else TypedRows(typed, for_types)


def source_in_batches(source: Any, format_name: str | None = None) -> RowSource | None:
    """The source of typed columns if it is read in batches; None for text files and for what is read at once."""
    if not is_path(source):
        return arrow_source(source) if is_stream(source) and _has_pyarrow() else None
    paths, found = _large_files(source, format_name)
    return None if found in (None, "csv") else _typed_source(paths, str(found))


def _large_files(source: Any, format_name: str | None) -> tuple[list[str], str | None]:
    """The files of a source and their format; None if they are small or of several formats."""
    if not is_path(source) or not _has_pyarrow():
        return [], None
    paths = expand_patterns(source)
    if "-" in paths or any(path.startswith("builtin:") for path in paths):
        return paths, None
    formats = {format_name or format_of(path) for path in paths}
    is_large = len(formats) == 1 and sum(_size(path) for path in paths) > WHOLE_BYTES
    return paths, formats.pop() if is_large else None


def _csv_rows(paths: list[str], settings: Mapping[str, Any]) -> CsvRows | None:
    rows = CsvRows(paths, **settings)
    if rows.is_readable():
        return rows
    rows.close()
    return None


def _typed_source(paths: list[str], format_name: str) -> RowSource | None:
    is_packed = any(path.lower().endswith(".gz") for path in paths)
    if format_name == "parquet" and not is_packed:
        return parquet_source(paths)
    if len(paths) > 1:
        return None
    if format_name == "database":
        return database_source(paths[0]) if is_duckdb(paths[0]) else sqlite_source(paths[0])
    return json_lines_source(paths[0]) if format_name == "jsonl" else None


def _size(path: str) -> int:
    with contextlib.suppress(OSError, ValueError):
        return os.path.getsize(os.path.expanduser(path.partition("::")[0]))
    return 0


def _has_pyarrow() -> bool:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return False
    return True


def read_at_once(schema: Schema, source: Any, keep: Sequence[str] = (), **settings: Any) -> MatchedRows:
    """All rows of a source as one batch."""
    given: Any = source
    if is_path(source):
        given = raw_table(source, na_values=DEFAULT_NA_VALUES)
    kept: dict[str, Any] = {}
    if keep:
        raw = raw_table(given)
        found = [_named(raw, name) for name in keep]
        kept = kept_values(found)
        hidden = {name for name in keep if name not in schema.names}
        given = dataclasses.replace(raw, columns=tuple(each for each in raw.columns if each.name not in hidden))
    table = match_columns(schema, given, **settings)
    return MatchedRows(table.columns, kept, 0, table.notes)


def _named(raw: RawTable, name: str) -> RawColumn:
    if name not in raw.names:
        raise InputError(f"keep: unknown column {short_repr(name)}.", hint=did_you_mean(name, raw.names), column=name)
    return raw.columns[raw.names.index(name)]
