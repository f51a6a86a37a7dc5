"""A table of a DuckDB file, read in batches through a read-only connection with limited memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from hornbeam.scale.sources.arrow_types import simple_types
from hornbeam.table.readers import database, files, sql


@dataclasses.dataclass(frozen=True)
class DatabaseSource:
    """One table or view of a DuckDB file."""

    label: str
    path: str
    table: str
    names: tuple[str, ...]
    n_rows: int

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names."""
        import duckdb
        import pyarrow as pa

        columns = ", ".join(map(sql.identifier, names))
        try:
            with sql.connected(self.path) as connection:
                for batch in connection.batches(f"SELECT {columns} FROM {self.table}", n_rows):
                    yield simple_types(pa.Table.from_batches([batch]), self.label)
        except duckdb.Error as error:
            raise files.wrong(self.path, sql.first_line(error)) from None


def is_duckdb(path: str) -> bool:
    """Whether a path, without its table, is a DuckDB file."""
    found = files.checked(path.partition(database.MARK)[0])
    with found.open("rb") as file:
        return file.read(12)[8:] == b"DUCK"


def database_source(path: str) -> DatabaseSource:
    """The source of `file.duckdb::table`; the name of the only table may be omitted."""
    import duckdb

    file_name, _, table = path.partition(database.MARK)
    found = files.checked(file_name)
    try:
        with sql.connected(str(found)) as connection:
            name = database.table_identifier(connection, file_name, table)
            described = connection.rows(f"DESCRIBE SELECT * FROM {name}")
            n_rows = connection.rows(f"SELECT count(*) FROM {name}")[0][0]
    except duckdb.Error as error:
        raise files.wrong(file_name, sql.first_line(error)) from None
    return DatabaseSource(path, str(found), name, tuple(row[0] for row in described), int(n_rows))
