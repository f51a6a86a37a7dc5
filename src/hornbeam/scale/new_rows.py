"""New rows of a model in batches: read from a source, matched to the columns of the model.

A large file, a stream or an iterator is read in batches of some thousand rows; small files and formats that cannot be
read in batches are read at once and are one batch.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import HornbeamError, InputError, did_you_mean, short_repr
from hornbeam.scale.patterns import expand_patterns, is_path
from hornbeam.scale.predicted_batch import kept_values
from hornbeam.scale.sources import RowSource
from hornbeam.scale.sources.arrow import arrow_source, is_stream
from hornbeam.scale.sources.database import database_source, is_duckdb
from hornbeam.scale.sources.parquet import parquet_source
from hornbeam.table.column import Column
from hornbeam.table.concat import concatenate
from hornbeam.table.match import match_columns
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.sources import format_of, raw_table
from hornbeam.table.table import Schema

BATCH_ROWS = 131_072
# A file up to this size is read at once: the rules for files then see all its cells, and its types are exact.
WHOLE_BYTES = 32 << 20


@dataclasses.dataclass(frozen=True, eq=False)
class MatchedRows:
    """Consecutive rows as the columns of a model, and the kept columns of the source as they are."""

    columns: tuple[Column, ...]
    kept: Mapping[str, Any]
    first_row: int
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0


def source_in_batches(source: Any, format_name: str | None = None) -> RowSource | None:
    """The source if its rows are read in batches, None if it is read at once."""
    if not is_path(source):
        return arrow_source(source) if is_stream(source) and _has_pyarrow() else None
    paths = expand_patterns(source)
    if "-" in paths or any(path.startswith("builtin:") for path in paths) or not _has_pyarrow():
        return None
    formats = {format_name or format_of(path) for path in paths}
    if sum(_size(path) for path in paths) <= WHOLE_BYTES:
        return None
    if formats == {"parquet"} and not any(path.lower().endswith(".gz") for path in paths):
        return parquet_source(paths)
    if formats == {"database"} and len(paths) == 1 and is_duckdb(paths[0]):
        return database_source(paths[0])
    return None


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


def batches_of(
    schema: Schema, source: RowSource, keep: Sequence[str] = (), *, option: str = "keep", **settings: Any
) -> Iterator[MatchedRows]:
    """The rows of a source in batches, matched to the columns of a model; `settings` are those of `match_columns`."""
    for name in keep:
        if name not in source.names:
            raise InputError(
                f"{option}: unknown column {short_repr(name)} in {short_repr(source.label, 200)}.",
                hint=did_you_mean(name, source.names),
                column=name,
                path=source.label,
            )
    _check_names(schema, source.names, keep)
    wanted = [name for name in source.names if name in {*schema.names, *keep}]
    first_row = 0
    for table in source.batches(wanted, BATCH_ROWS):
        raw = raw_table(table.select([name for name in wanted if name in schema.names]))
        with rows_counted_from(first_row):
            columns = match_columns(schema, raw, warn=False, **settings).columns
        yield MatchedRows(columns, {name: table.column(name) for name in keep}, first_row)
        first_row += table.num_rows


def _check_names(schema: Schema, names: Sequence[str], keep: Sequence[str]) -> None:
    """Raise an error about columns of the model that the source lacks, warn of columns that the model lacks."""
    shown = [name for name in names if name in schema.names or name not in keep]
    with_levels = {spec.name for spec in schema.columns if spec.has_levels}
    no_codes, no_numbers = np.empty(0, dtype=np.int32), np.empty(0)
    columns = [
        RawColumn(name, codes=no_codes) if name in with_levels else RawColumn(name, numbers=no_numbers)
        for name in shown
    ]
    match_columns(schema, RawTable(tuple(columns)))


@contextlib.contextmanager
def rows_counted_from(first_row: int) -> Iterator[None]:
    """Let errors about a row of a batch name the row of the whole source."""
    try:
        yield
    except HornbeamError as error:
        row = error.details.get("row")
        if row is None or not first_row:
            raise
        message = error.message.replace(f"row {row}", f"row {row + first_row}")
        details = {**error.details, "row": row + first_row}
        raise type(error)(message, **error.remedy, **details) from None


def read_at_once(schema: Schema, source: Any, keep: Sequence[str] = (), **settings: Any) -> MatchedRows:
    """All rows of a source as one batch."""
    given: Any = source
    if is_path(source):
        raws = [raw_table(path) for path in expand_patterns(source)]
        given = raws[0] if len(raws) == 1 else concatenate(raws)
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
