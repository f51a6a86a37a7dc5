"""Reads one table of a DuckDB or SQLite file, given as `file.db::table`.

DuckDB columns are typed. SQLite types single values, not columns: a column is numeric if every value is a number, else
its distinct values are kept unchanged; blobs are an error.

Files may be untrusted, and a view is a program: files are opened read-only, views cannot read other files, and the size
of the rows is limited while they are read, so that an infinite view is an error. Ctrl-C stops a query.
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.errors import DataFileError, MemoryLimitError, OptionError, available, did_you_mean, short_repr
from hornbeam.table.memory import available_bytes, format_bytes
from hornbeam.table.number_grammar import LARGEST_EXACT
from hornbeam.table.raw import RawColumn, RawTable, column_or_error
from hornbeam.table.readers import files, sql
from hornbeam.table.readers.waiting import interruptible

MARK = "::"
_ROW_BYTES, _CELL_BYTES = 120, 60  # approximate
_MAX_VALUE_BYTES = 16 << 20


def raw(path: files.Source) -> RawTable:
    """Read one table of a database file, `file.db::table`; the name of the only table may be omitted."""
    file_name, _, table = files.path_of(path).partition(MARK)
    found = files.checked(file_name)
    with found.open("rb") as file:
        head = file.read(16)
    if head.startswith(b"SQLite format 3"):
        columns = _from_sqlite(found, file_name, table)
    elif head[8:12] == b"DUCK":
        columns = _from_duckdb(found, file_name, table)
    else:
        raise files.wrong(file_name, "it is neither a DuckDB nor a SQLite file")
    return RawTable(columns, source=files.called(path))


def chosen(file_name: str, table: str, known: list[str], noun: str = "table") -> str:
    """The table (or sheet) with the given name, or the only one."""
    if table in known:
        return table
    if not table and len(known) == 1:
        return known[0]
    if not table:
        raise OptionError(
            f"{short_repr(file_name)} contains {len(known)} {noun}s; one must be named.",
            hint=f"Write {file_name}{MARK}{noun.upper()}. {available(known)}",
        )
    raise DataFileError(
        f"Unknown {noun} {short_repr(table)} in {short_repr(file_name)}.",
        hint=did_you_mean(table, known),
        path=file_name,
    )


def _from_duckdb(found: Path, file_name: str, table: str) -> tuple[RawColumn, ...]:
    import duckdb

    try:
        with sql.connected(str(found)) as connection:
            return sql.raw_columns(connection, table_identifier(connection, file_name, table), file_name)
    except duckdb.Error as error:
        raise files.wrong(file_name, sql.first_line(error)) from None


def table_identifier(connection: sql.Connection, file_name: str, table: str) -> str:
    """The quoted name of a table of a DuckDB file; the name of the only table may be empty."""
    listed = connection.rows(
        "SELECT table_schema, table_name FROM information_schema.tables "
        "WHERE table_catalog = current_database() ORDER BY 1, 2"
    )
    names = {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in listed}
    schema, name = names[chosen(file_name, table, list(names))]
    return f"{sql.identifier(schema)}.{sql.identifier(name)}"


def _from_sqlite(found: Path, file_name: str, table: str) -> tuple[RawColumn, ...]:
    try:
        with sqlite_connected(str(found)) as connection:
            names, rows = interruptible(lambda: _sqlite_rows(connection, file_name, table), connection.interrupt)
    except sqlite3.Error as error:
        raise files.wrong(file_name, f"SQLite error: {error}") from None
    cells: list[tuple[Any, ...]] = list(zip(*rows, strict=True)) if rows else [() for _ in names]
    return tuple(
        column_or_error(each, len(values), functools.partial(_sqlite_column, each, values, file_name))
        for each, values in zip(names, cells, strict=True)
    )


@contextlib.contextmanager
def sqlite_connected(path: str) -> Iterator[sqlite3.Connection]:
    """A read-only connection to a SQLite file, which may be untrusted."""
    address = f"{Path(path).absolute().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(address, uri=True, check_same_thread=False)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA query_only = ON")
        yield connection


def sqlite_table(connection: sqlite3.Connection, file_name: str, table: str) -> str:
    """The name of the table or view with this name, or of the only one."""
    listed = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY 1"
    )
    return chosen(file_name, table, [row[0] for row in listed])


def _sqlite_rows(connection: sqlite3.Connection, file_name: str, table: str) -> tuple[list[str], list[Any]]:
    """The names of the columns and all rows; an error if they exceed half of the free memory."""
    name = sqlite_table(connection, file_name, table)
    result = connection.execute(f"SELECT * FROM {sql.identifier(name)}")
    names = [each[0] for each in result.description]
    limit = available_bytes() // 2
    rows: list[Any] = []
    size = 0
    for row in result:
        rows.append(row)
        # The rows are also stored as columns; a text counts with its length.
        size += _ROW_BYTES + sum(
            [_CELL_BYTES + len(cell) if isinstance(cell, (str, bytes)) else _CELL_BYTES for cell in row]
        )
        if size > limit:
            raise MemoryLimitError(
                f"Reading {short_repr(name)} of {short_repr(file_name)} requires more than the available "
                f"{format_bytes(limit)}; stopped after {len(rows)} rows.",
                hint="Read a smaller table, or create a smaller view of it.",
                limit=limit,
            )
    return names, rows


def _sqlite_column(name: str, values: tuple[Any, ...], file_name: str) -> RawColumn:
    types = set(map(type, values)) - {type(None)}
    if bytes in types:
        raise files.wrong(file_name, f"column {short_repr(name)} contains blobs, which are neither number nor text")
    if types <= {int, float} and not (int in types and any(_inexact(value) for value in values)):
        return RawColumn(name, numbers=np.array(values, dtype=np.float64))
    # 1 and 1.0 are equal but different values, so the type is part of the key.
    kept = sorted({(str(type(value)), value) for value in values if value is not None})
    code = {key: position for position, key in enumerate(kept)}
    codes = np.fromiter((code.get((str(type(value)), value), -1) for value in values), np.int32, len(values))
    return RawColumn(name, codes=codes, distinct=tuple(value for _, value in kept))


def _inexact(value: Any) -> bool:
    return isinstance(value, int) and abs(value) > LARGEST_EXACT
