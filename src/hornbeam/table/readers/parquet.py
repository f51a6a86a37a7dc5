"""Reads a Parquet file: columns of numbers, texts (also dictionaries), booleans, dates and times.

A column of nulls is missing in all rows; nested columns are an error. Durations are integers in the file; the schema
that Arrow stores in it distinguishes them.
"""

from __future__ import annotations

import base64
from pathlib import Path

from hornbeam.table.days import NOTE_DURATIONS, days_from_microseconds
from hornbeam.table.memory import require_memory
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import files, sql

_CELL_BYTES = 16


def raw(path: files.Source) -> RawTable:
    """Read a Parquet file."""
    import duckdb

    with files.uncompressed(path) as local, sql.connected() as connection:
        with local.open("rb") as file:
            if file.read(4) != b"PAR1":
                raise files.wrong(path, "it does not begin with the Parquet signature PAR1")
        try:
            _check_memory(connection, local, path)
            columns = sql.raw_columns(connection, f"read_parquet({sql.file_literal(local)})", path)
            units = _duration_units(connection, local)
            columns = tuple([_with_days(connection, place, each, units) for place, each in enumerate(columns)])
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise files.wrong(path, f"damaged Parquet ({sql.first_line(error)})") from None
    return RawTable(columns, source=files.called(path))


def _check_memory(connection: sql.Connection, local: Path, path: files.Source) -> None:
    """Raise an error if the table of a file would not fit into memory: DuckDB and the table have a copy each."""
    source = sql.file_literal(local)
    n_rows = connection.rows(f"SELECT num_rows FROM parquet_file_metadata({source})")[0][0]
    n_columns = len(connection.rows(f"DESCRIBE SELECT * FROM read_parquet({source})"))
    require_memory(n_rows * n_columns * _CELL_BYTES, f"Reading {files.called(path)}", hint=files.TOO_LARGE)


def _duration_units(connection: sql.Connection, local: Path) -> dict[str, int]:
    """The columns that Arrow wrote as durations, with the number of their units per second."""
    source = sql.file_literal(local)
    if not any(row[1] == "BIGINT" for row in connection.rows("DESCRIBE cells")):
        return {}
    stored = dict(connection.rows(f"SELECT key, value FROM parquet_kv_metadata({source})"))
    schema, of_pandas = stored.get(b"ARROW:schema"), stored.get(b"pandas")
    if schema is None or (of_pandas is not None and b"timedelta" not in of_pandas):
        return {}
    try:
        import pyarrow as pa
    except ImportError:
        return {}
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
    try:
        fields = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(schema)))
    except (ValueError, OSError, pa.ArrowException):
        return {}
    return {field.name: per_second[field.type.unit] for field in fields if pa.types.is_duration(field.type)}


def _with_days(connection: sql.Connection, place: int, column: RawColumn, units: dict[str, int]) -> RawColumn:
    """A column of durations in days; any other column unchanged."""
    if column.name not in units:
        return column
    per_second = units[column.name]
    microseconds = f"c{place} // {per_second // 10**6}" if per_second > 10**6 else f"c{place} * {10**6 // per_second}"
    numbers = sql.numbers(connection, "cells", f"({microseconds})")
    return RawColumn(column.name, days_from_microseconds(numbers), notes=(NOTE_DURATIONS,))
