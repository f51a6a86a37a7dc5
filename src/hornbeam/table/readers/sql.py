"""Converts the columns of a DuckDB table to raw columns, without a Python loop over the cells.

    numbers          cast to double in SQL; integers beyond 2^53 stay integers, as distinct values
    other values     the distinct values are numbered in SQL and joined to the rows: codes and distinct values

The connection is private and never downloads an extension. For text files and Parquet it is in memory and spills to the
temporary folder of the system. A DuckDB file is opened read-only, its views cannot read other files, and they may use a
limited fraction of the free memory: an infinite view is an error. Ctrl-C stops a query.
"""

from __future__ import annotations

import contextlib
import datetime
import glob
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import DataFileError, MemoryLimitError, short_repr
from hornbeam.table.memory import available_bytes
from hornbeam.table.number_grammar import LARGEST_EXACT
from hornbeam.table.raw import RawColumn, UnusableColumn
from hornbeam.table.readers.files import Source, wrong
from hornbeam.table.readers.waiting import interruptible

_INTEGERS = {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")} | {
    "INTEGER",
    "UINTEGER",
}
_FLOATS = {"FLOAT", "DOUBLE", "REAL", "DECIMAL", "NULL"}
_ZONED = "TIMESTAMP WITH TIME ZONE"
_CODED = {"BOOLEAN", "VARCHAR", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", _ZONED}
_CODED_AS_TEXT = {"UUID", "JSON", "ENUM"}
_NESTED = {"STRUCT", "MAP", "UNION", "LIST"}
# The fraction of the free memory that reading a DuckDB file may use, and the minimum that DuckDB requires.
_MEMORY_FRACTION, _MIN_MEMORY = 0.5, 64 << 20


class Connection:
    """A DuckDB connection whose queries Ctrl-C stops."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._is_busy = False

    def execute(self, query: str) -> None:
        """Run a query."""
        self._run(lambda: self._inner.execute(query))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        found: list[tuple[Any, ...]] = self._run(lambda: self._inner.execute(query).fetchall())
        return found

    def arrays(self, query: str) -> dict[str, Any]:
        """The columns of a query as arrays."""
        found: dict[str, Any] = self._run(lambda: self._inner.execute(query).fetchnumpy())
        return found

    def batches(self, query: str, n_rows: int) -> Iterator[Any]:
        """The result of a query as Arrow record batches; requires pyarrow."""
        reader = self._run(lambda: self._reader(query, n_rows))
        while (batch := self._run(lambda: next(reader, None))) is not None:
            yield batch

    def _reader(self, query: str, n_rows: int) -> Any:
        relation = self._inner.sql(query)
        read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
        return iter(read(n_rows))

    def close(self) -> None:
        """Close the connection, unless a query that does not stop is still running: closing would wait for its end."""
        if not self._is_busy:
            self._inner.close()

    def _run(self, work: Callable[[], Any]) -> Any:
        def run() -> Any:
            self._is_busy = True
            try:
                return work()
            finally:
                self._is_busy = False

        return interruptible(run, self._inner.interrupt)


@contextlib.contextmanager
def connected(
    database: str | None = None, *, memory_limit: int | None = None, folder: str | None = None
) -> Iterator[Connection]:
    """A private connection: in memory, or read-only to a DuckDB file and without access to other files.

    In memory, tables beyond `memory_limit` (bytes) are stored in `folder`, by default the temporary one of the system.
    """
    import duckdb

    settings = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    if database is None:
        own = os.path.join(folder or tempfile.gettempdir(), f"hornbeam-duckdb-{os.getpid()}")
        settings |= {"temp_directory": own}
        if memory_limit is not None:
            settings |= {"memory_limit": f"{max(memory_limit, _MIN_MEMORY)}B", "threads": "1"}
    else:
        limit = max(int(available_bytes() * _MEMORY_FRACTION), _MIN_MEMORY)
        settings |= {"enable_external_access": "false", "temp_directory": "", "memory_limit": f"{limit}B"}
        # One thread: with more, DuckDB does not always stop an infinite query.
        settings |= {"lock_configuration": "true", "threads": "1"}
    connection = Connection(duckdb.connect(database or ":memory:", read_only=database is not None, config=settings))
    try:
        yield connection
    except duckdb.OutOfMemoryException as error:
        raise MemoryLimitError(
            f"Reading {short_repr(database or 'the file')} requires too much memory: {first_line(error)}.",
            hint="Read a smaller table, or create a smaller view of it.",
        ) from None
    finally:
        connection.close()


def identifier(name: str) -> str:
    """A name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def file_literal(path: Path) -> str:
    """A path as an SQL literal, with escaped wildcards."""
    return literal(glob.escape(str(path.absolute())))


def first_line(error: Exception) -> str:
    """The message of a DuckDB error, without its class and its advice."""
    text = str(error).split("\n")[0]
    return text.split("Error: ", 1)[-1].rstrip(". ")


def raw_columns(connection: Connection, source: str, path: Source) -> tuple[RawColumn, ...]:
    """Every column of a typed source (a table or a query in parentheses), in order."""
    described = [(row[0], row[1]) for row in connection.rows(f"DESCRIBE SELECT * FROM {source}")]
    errors = [_type_error(name, type_name, path) for name, type_name in described]
    # Columns are renamed, so that none can hide the row number.
    renamed = [f"c{position}" for position in range(len(described))]
    used = [column for column, error in zip(renamed, errors) if error is None]
    if not used:
        raise errors[0]  # type: ignore[misc]
    connection.execute(f"CREATE TEMP TABLE cells AS SELECT {', '.join(used)} FROM {source} AS s({', '.join(renamed)})")
    n_rows = connection.rows("SELECT count(*) FROM cells")[0][0]
    return tuple(
        _raw_column(connection, name, type_name, column) if error is None else UnusableColumn(name, error, n_rows)
        for (name, type_name), column, error in zip(described, renamed, errors)
    )


def _type_error(name: str, type_name: str, path: Source) -> DataFileError | None:
    """The error if the type of a column cannot be used."""
    base = type_name.split("(")[0].strip('"')
    if type_name.endswith("]") or base in _NESTED:
        return wrong(
            path,
            f"column {short_repr(name)} is nested ({short_repr(type_name)})",
            hint="Flatten it into simple columns, or drop it.",
        )
    if base not in _INTEGERS | _FLOATS | _CODED | _CODED_AS_TEXT:
        return wrong(
            path, f"column {short_repr(name)} has the type {type_name}, which is neither number nor text nor date"
        )
    return None


def _raw_column(connection: Connection, name: str, type_name: str, column: str) -> RawColumn:
    base = type_name.split("(")[0].strip('"')
    if base == "NULL":
        n_rows = connection.rows("SELECT count(*) FROM cells")[0][0]
        return RawColumn(name, numbers=np.full(n_rows, np.nan), notes=("the source contains only nulls",))
    if base in _INTEGERS or (base == "DECIMAL" and type_name.endswith(",0)")):
        return _integers(connection, name, column)
    if base in _FLOATS:
        return RawColumn(name, numbers=numbers(connection, "cells", column))
    levels: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    if base == "ENUM":
        found = connection.rows(f"SELECT enum_range(any_value({column})) FROM cells")[0][0]
        levels = tuple(found) if found else None
    expression = f"{column}::VARCHAR" if base in _CODED_AS_TEXT else column
    if base == _ZONED:
        expression, notes = f"make_timestamp(epoch_us({column}))", ("times with a time zone are converted to UTC",)
    codes, distinct = coded(connection, "cells", expression)
    return RawColumn(name, codes=codes, distinct=distinct, levels=levels, notes=notes)


def _integers(connection: Connection, name: str, column: str) -> RawColumn:
    low, high = connection.rows(f"SELECT min({column}), max({column}) FROM cells")[0]
    if low is not None and (int(low) < -LARGEST_EXACT or int(high) > LARGEST_EXACT):
        codes, distinct = coded(connection, "cells", column)
        return RawColumn(name, codes=codes, distinct=tuple(int(each) for each in distinct))
    return RawColumn(name, numbers=numbers(connection, "cells", column))


def numbers(connection: Connection, table: str, column: str) -> npt.NDArray[np.float64]:
    """A column as float64, nulls as NaN."""
    return as_float64(connection.arrays(f"SELECT {column}::DOUBLE AS v FROM {table}")["v"])


def as_float64(values: Any) -> npt.NDArray[np.float64]:
    """An array of DuckDB as float64, masked values as NaN."""
    if isinstance(values, np.ma.MaskedArray):
        return np.where(np.ma.getmaskarray(values), np.nan, np.asarray(values.data, dtype=np.float64))
    return np.asarray(values, dtype=np.float64)


def coded(connection: Connection, table: str, column: str) -> tuple[npt.NDArray[np.int32], tuple[Any, ...]]:
    """Codes (null -1) and the sorted distinct values."""
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE level AS SELECT v, (row_number() OVER (ORDER BY v) - 1)::INTEGER AS code "
        f"FROM (SELECT DISTINCT {column} AS v FROM {table}) WHERE v IS NOT NULL"
    )
    found = connection.arrays(
        f"SELECT r, coalesce(code, -1)::INTEGER AS c FROM (SELECT rowid AS r, {column} AS v FROM {table}) "
        "LEFT JOIN level USING (v)"
    )
    # The join may return the rows in any order.
    codes = np.empty(len(found["r"]), dtype=np.int32)
    codes[np.asarray(found["r"])] = np.asarray(found["c"])
    return codes, _values(connection)


def _values(connection: Connection) -> tuple[Any, ...]:
    query = "SELECT v FROM level ORDER BY code"
    if connection.rows("SELECT typeof(v) FROM level LIMIT 1") == [("VARCHAR",)]:
        return tuple(connection.arrays(query)["v"].tolist())
    return tuple(_simple(row[0]) for row in connection.rows(query))


def _simple(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime.time) else value
