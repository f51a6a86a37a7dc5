"""Reads a Parquet file: columns of numbers, texts (also dictionaries), booleans, dates and times.

A column of nulls is missing in all rows; nested columns are an error.
"""

from __future__ import annotations

from pathlib import Path

from hornbeam.table.memory import require_memory
from hornbeam.table.raw import RawTable
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
