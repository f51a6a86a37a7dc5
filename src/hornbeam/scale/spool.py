"""Writes a source that cannot be read twice, or only slowly, to one Parquet file in the work folder.

Arrow streams, DuckDB and SQLite tables are copied. The cells of CSV files are read by the rules for files
(`csv_spool.py`). The file stores the key of its source, so that a kept work folder is used again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hornbeam.errors import DataFileError, InputError, OutputError, short_repr
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.memory_limit import batch_rows_within
from hornbeam.scale.sources import RowSource
from hornbeam.scale.sources.arrow import arrow_source
from hornbeam.scale.sources.arrow_types import checked_schema, unusable_types
from hornbeam.scale.sources.database import database_source, is_duckdb
from hornbeam.scale.sources.parquet import ParquetSource, opened, parquet_source
from hornbeam.scale.sources.sqlite import sqlite_source
from hornbeam.scale.work_folder import WorkFolder
from hornbeam.table.text_format import TextFormat

_KEY = b"hornbeam"
_GROUP_ROWS = 131_072
Spooled = tuple[ParquetSource, dict[str, TextFormat], tuple[str, ...]]


def spooled(
    dataset: Dataset, folder: WorkFolder, memory_limit: int, report: Callable[[str], Any] | None = None
) -> Spooled:
    """The rows of a dataset as a Parquet source, the text formats of its columns, and notes."""
    path = folder.path / "rows.parquet"
    key = _key(dataset)
    if not (key and path.exists() and _stored(path).get("key") == key):
        (report or (lambda text: None))(f"writing the columns of {dataset.label} to disk")
        folder.require_space(sum(os.path.getsize(_file(each)) for each in dataset.paths()), "Writing the columns")
        before = _states(dataset)
        _write(dataset, folder, path, key, memory_limit)
        _check_unchanged(before, _states(dataset), path)
    found = _stored(path)
    formats = {name: TextFormat(**values) for name, values in found["formats"].items()}
    source = parquet_source([str(path)], dataset.label)
    source = dataclasses.replace(source, types=source.types | found.get("unusable", {}))
    return source, formats, tuple(found["notes"])


def _file(path: str) -> str:
    return os.path.expanduser(path.partition("::")[0])


def _states(dataset: Dataset) -> dict[str, tuple[int, int]]:
    """The size and the time of the last change of every file."""
    states = {path: os.stat(_file(path)) for path in dataset.paths()}
    return {path: (state.st_size, state.st_mtime_ns) for path, state in states.items()}


def _check_unchanged(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]], copied: Path) -> None:
    """Raise an error that names a file that changed while it was copied; the copy is removed."""
    changed = next((path for path in before if before[path] != after[path]), None)
    if changed is not None:
        copied.unlink(missing_ok=True)
        raise DataFileError(
            f"{short_repr(changed, 200)} has changed while it was read.",
            hint="Start again; the source must not change while it is used.",
            path=changed,
        )


def _key(dataset: Dataset) -> str:
    """A digest of the files and the settings of a source; empty for a stream, which cannot be recognized."""
    paths = dataset.paths()
    if not paths:
        return ""
    states = [(path, *state) for path, state in _states(dataset).items()]
    kinds = {name: repr(kind) for name, kind in dataset.kinds.items()}
    values = (states, sorted(kinds.items()), repr(dataset.na_values), sorted(map(repr, dataset.settings.items())))
    return hashlib.sha256(repr(values).encode()).hexdigest()


def _stored(path: Path) -> dict[str, Any]:
    with opened(str(path)) as file:
        found: dict[str, Any] = json.loads((file.schema_arrow.metadata or {}).get(_KEY, b"{}"))
    return found


def _write(dataset: Dataset, folder: WorkFolder, path: Path, key: str, memory_limit: int) -> None:
    if dataset.format() == "csv":
        from hornbeam.scale.csv_spool import csv_columns

        with csv_columns(dataset, folder, memory_limit // 2) as columns:
            extra = {"formats": columns.formats, "notes": columns.notes}
            write_parquet(
                path, columns.batches(batch_rows_within(memory_limit, len(columns.names))), {"key": key} | extra
            )
        return
    source = _source(dataset)
    rows = batch_rows_within(memory_limit, len(source.names))
    write_parquet(path, source.batches(source.names, rows), {"key": key, "formats": {}, "notes": []})


def _source(dataset: Dataset) -> RowSource:
    paths = dataset.paths()
    if not paths:
        return arrow_source(dataset.source)
    if is_duckdb(paths[0]):
        return database_source(paths[0])
    found = sqlite_source(paths[0])
    if found is None:
        raise InputError(
            f"{short_repr(paths[0], 200)} has no SQLite table whose columns have one type each.",
            hint="Convert it to Parquet or DuckDB, or grow without memory=.",
        )
    return found


def write_parquet(path: Path, batches: Iterator[Any], values: Mapping[str, Any]) -> None:
    """Write Arrow tables to a Parquet file, which appears under its name when it is complete.

    Columns of types that cannot be used are left out; the file states their types.
    """
    import pyarrow.parquet as pq

    partial = path.with_name(f"{path.name}.partial")
    writer: Any = None
    unusable: dict[str, str] = {}
    try:
        for table in batches:
            if writer is None:
                unusable = unusable_types(checked_schema(table.schema, str(path)))
                stored = {_KEY: json.dumps({**values, "unusable": unusable}).encode()}
                schema = table.drop_columns(list(unusable)).schema.with_metadata(stored)
                writer = pq.ParquetWriter(partial, schema, compression="zstd", compression_level=1)
            usable = table.drop_columns(list(unusable)).replace_schema_metadata(stored)
            writer.write_table(usable, row_group_size=_GROUP_ROWS)
        if writer is None:
            raise InputError("The source has no rows.")
        writer.close()
        os.replace(partial, path)
    except OSError as error:
        raise OutputError(
            f"Cannot write the columns to {short_repr(str(path.parent), 200)}: {error.strerror or error}.",
            hint="Free some disk space, or pass another folder as work=.",
            path=str(path),
        ) from None
    finally:
        if partial.exists():
            if writer is not None:
                with contextlib.suppress(OSError):
                    writer.close()
            partial.unlink()
