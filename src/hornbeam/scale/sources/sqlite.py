"""A table of a SQLite file, read in batches through a read-only connection.

SQLite types single values. A column is read in batches if all its values are numbers or all are texts, which one query
finds out (SqliteSource); a table with other columns is read at once. GuessedSqlite takes the types of the first rows
and saves the query, which takes as long as the reading.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hornbeam.scale.guessed_rows import WrongGuess
from hornbeam.table.number_grammar import LARGEST_EXACT
from hornbeam.table.readers import database, files, sql
from hornbeam.table.readers.waiting import interruptible

_MAX_ROWS = 32_768  # of a batch: its values are Python objects


@dataclasses.dataclass(frozen=True)
class SqliteSource:
    """One table or view of a SQLite file, with the type of every column: number, text or null."""

    label: str
    path: str
    table: str
    types: dict[str, str]
    n_rows: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self.types)

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names."""
        import pyarrow as pa

        kinds = {"number": pa.float64(), "integer": pa.int64(), "text": pa.string(), "null": pa.null()}
        schema = pa.schema([(name, kinds[self.types[name]]) for name in names])
        try:
            yield from _tables(self.path, self.table, schema, n_rows, pa.array)
        except sqlite3.Error as error:
            raise files.wrong(self.path, f"SQLite error: {error}") from None


def _tables(path: str, table: str, schema: Any, n_rows: int, array: Callable[[Any, Any], Any]) -> Iterator[Any]:
    """Arrow tables of the columns of a schema; `array` converts the cells of a column to its type."""
    import pyarrow as pa

    columns = ", ".join(map(sql.identifier, schema.names))
    with database.sqlite_connected(path) as connection:
        result = connection.execute(f"SELECT {columns} FROM {sql.identifier(table)}")
        while rows := interruptible(lambda: result.fetchmany(min(n_rows, _MAX_ROWS)), connection.interrupt):
            arrays = [array(cells, field.type) for cells, field in zip(zip(*rows), schema)]
            yield pa.Table.from_arrays(arrays, schema=schema)


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16).startswith(b"SQLite format 3")


def sqlite_source(path: str) -> SqliteSource | None:
    """The source of `file.sqlite::table`; None if a column has values of several types, or none that can be used."""
    file_name, _, table = path.partition(database.MARK)
    found = files.checked(file_name)
    if not _is_sqlite(found):
        return None
    with contextlib.suppress(sqlite3.Error), database.sqlite_connected(str(found)) as connection:
        name = database.sqlite_table(connection, file_name, table)
        types, n_rows = interruptible(lambda: _types(connection, name), connection.interrupt)
        return SqliteSource(path, str(found), name, types, n_rows) if types else None
    return None  # the reader of whole tables states the error


def _types(connection: sqlite3.Connection, table: str) -> tuple[dict[str, str], int]:
    """The types of the columns and the number of rows; no types if a column has several."""
    source = sql.identifier(table)
    names = [row[0] for row in connection.execute(f"SELECT * FROM {source} LIMIT 0").description]
    counts = []
    for name in map(sql.identifier, names):
        is_large = f"typeof({name}) = 'integer' AND abs({name}) > {LARGEST_EXACT}"
        counts += [f"sum(typeof({name}) = '{kind}')" for kind in ("integer", "real", "text", "blob")]
        counts += [f"coalesce(sum({is_large}), 0)"]
    n_rows, *found = connection.execute(f"SELECT count(*), {', '.join(counts)} FROM {source}").fetchone()
    types = {}
    for position, name in enumerate(names):
        integers, reals, texts, blobs, large = [each or 0 for each in found[5 * position : 5 * position + 5]]
        if blobs or large or (texts and (integers or reals)):
            return {}, n_rows
        types[name] = "text" if texts else "number" if reals else "integer" if integers else "null"
    return types, n_rows


@dataclasses.dataclass(frozen=True)
class GuessedSqlite:
    """One table or view of a SQLite file with the Arrow types of its first rows."""

    label: str
    path: str
    table: str
    schema: Any
    n_rows: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self.schema.names)

    def batches(self, names: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Arrow tables of the columns with these names."""
        import pyarrow as pa

        schema = pa.schema([self.schema.field(name) for name in names])
        try:
            yield from _tables(self.path, self.table, schema, n_rows, _typed)
        except (sqlite3.Error, pa.ArrowException):
            raise WrongGuess from None


def guessed_sqlite(path: str) -> GuessedSqlite | None:
    """The source of `file.sqlite::table` by its first rows; None if these have columns of several types."""
    import pyarrow as pa

    file_name, _, table = path.partition(database.MARK)
    found = files.checked(file_name)
    if not _is_sqlite(found):
        return None
    with contextlib.suppress(sqlite3.Error, pa.ArrowException), database.sqlite_connected(str(found)) as connection:
        name = database.sqlite_table(connection, file_name, table)
        source = sql.identifier(name)
        result = connection.execute(f"SELECT * FROM {source} LIMIT {_MAX_ROWS}")
        names = [row[0] for row in result.description]
        rows = interruptible(result.fetchall, connection.interrupt)
        n_rows = interruptible(
            lambda: connection.execute(f"SELECT count(*) FROM {source}").fetchone()[0], connection.interrupt
        )
        kinds = [pa.array(cells).type for cells in zip(*rows)]
        if rows and all(kind in (pa.int64(), pa.float64(), pa.string(), pa.null()) for kind in kinds):
            return GuessedSqlite(path, str(found), name, pa.schema(list(zip(names, kinds, strict=True))), n_rows)
    return None


def _typed(cells: Sequence[Any], kind: Any) -> Any:
    """The cells of a column as an array of a type; WrongGuess if they have another one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    array = pa.array(cells)
    if array.type == pa.int64() and kind in (pa.int64(), pa.float64()):
        extent = pc.min_max(array).as_py()
        if extent["min"] is not None and max(-extent["min"], extent["max"]) > LARGEST_EXACT:
            raise WrongGuess
    if array.type != kind and not pa.types.is_null(array.type) and (array.type, kind) != (pa.int64(), pa.float64()):
        raise WrongGuess
    return array.cast(kind)
