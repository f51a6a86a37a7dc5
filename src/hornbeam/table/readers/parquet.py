"""What does a Parquet file hold?  Typed columns: numbers, texts (dictionaries too), truth values, dates and times.

A column of nulls is all missing; nested columns are refused by name.
"""

from __future__ import annotations

from hornbeam.table.raw import RawTable
from hornbeam.table.readers import files, sql


def raw(path: files.Source) -> RawTable:
    """Read a Parquet file."""
    import duckdb

    with files.plain(path) as local, sql.connected() as connection:
        with local.open("rb") as file:
            if file.read(4) != b"PAR1":
                raise files.wrong(path, "it does not start as a Parquet file does (PAR1)")
        try:
            columns = sql.raw_columns(connection, f"read_parquet({sql.file_literal(local)})", path)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise files.wrong(path, f"damaged Parquet ({sql.first_line(error)})") from None
    return RawTable(columns, source=files.called(path))
