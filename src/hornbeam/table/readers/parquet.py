"""Reads a Parquet file: columns of numbers, texts (also dictionaries), booleans, dates and times.

A column of nulls is missing in all rows; nested columns are an error.
"""

from __future__ import annotations

from hornbeam.table.raw import RawTable
from hornbeam.table.readers import files, sql


def raw(path: files.Source) -> RawTable:
    """Read a Parquet file."""
    import duckdb

    with files.uncompressed(path) as local, sql.connected() as connection:
        with local.open("rb") as file:
            if file.read(4) != b"PAR1":
                raise files.wrong(path, "it does not begin with the Parquet signature PAR1")
        try:
            columns = sql.raw_columns(connection, f"read_parquet({sql.file_literal(local)})", path)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise files.wrong(path, f"damaged Parquet ({sql.first_line(error)})") from None
    return RawTable(columns, source=files.called(path))
