"""Reads JSON lines or a JSON array of objects: one object per row, one key per column, in order of first appearance.

    {"age": 61, "lesion": true}          [{"age": 61, "lesion": true},
    {"age": 55, "lesion": null}           {"age": 55, "lesion": null}]

The type of a column depends on all rows: numbers only if every value is a number. Texts stay texts (dates are not
inferred). A key that a row lacks is missing there. Values of mixed types are read as text, with a note. Values that are
objects or arrays are an error if they are used.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

from hornbeam.errors import DataFileError, short_repr
from hornbeam.table.raw import RawColumn, RawTable, UnusableColumn
from hornbeam.table.readers import files, sql

_MAX_OBJECT_BYTES = 16 << 20
_NO_OBJECTS = "it contains no objects with keys"
NESTED = "NESTED"  # the type of objects and arrays
_TYPES = {"NULL": "VARCHAR", "JSON": "VARCHAR", NESTED: "VARCHAR"}


def raw(path: files.Source) -> RawTable:
    """Read JSON lines or a JSON array of objects."""
    import duckdb

    with files.uncompressed(path) as local, sql.connected() as connection:
        files.encoding_of(path, local)
        files.check_memory(path, local.stat().st_size)
        try:
            structure, _ = types_of(connection, path, local)
            columns = _columns(connection, local, structure, path)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise fault(path, local, sql.first_line(error)) from None
    return RawTable(columns, source=files.called(path))


def types_of(
    connection: sql.Connection, path: files.Source, local: Path, *, fits_memory: bool = True
) -> tuple[dict[str, str], int]:
    """The type of every key, from all rows, and the number of rows; see `_structure` for `fits_memory`."""
    import duckdb

    try:
        structure, n_rows = _structure(connection, local, fits_memory)
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        raise fault(path, local, sql.first_line(error)) from None
    if not isinstance(structure, dict) or not structure:
        raise fault(path, local, _NO_OBJECTS)
    return {name: kind if isinstance(kind, str) else NESTED for name, kind in structure.items()}, n_rows


def nested_error(path: files.Source, name: str) -> DataFileError:
    """The error if values that are objects or arrays are used."""
    return files.wrong(
        path,
        f"the values of column {short_repr(name)} are objects or arrays",
        hint="Flatten them into simple keys first, or drop it.",
    )


def _form(local: Path) -> str:
    with local.open("rb") as file:
        head = file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()
    return "array" if head.startswith(b"[") else "auto"


def _options(local: Path) -> str:
    return f"{sql.file_literal(local)}, format='{_form(local)}', maximum_object_size={_MAX_OBJECT_BYTES}"


def _structure(connection: sql.Connection, local: Path, fits_memory: bool) -> tuple[Any, int]:
    """The structure of all rows and their number.

    DuckDB holds all rows for this; if they do not fit into memory, it gets one row of every structure that rows have.
    """
    source = f"read_json_objects({_options(local)})"
    query = f"SELECT json_group_structure(json), count(*) FROM {source}"
    if not fits_memory:
        rows = f"SELECT any_value(json) AS json, count(*) AS n FROM {source} GROUP BY json_structure(json)"
        query = f"SELECT json_group_structure(json), sum(n) FROM ({rows})"
    text, n_rows = connection.rows(query)[0]
    return (json.loads(text) if text else None), int(n_rows or 0)


def typed_source(local: Path, structure: dict[str, str]) -> str:
    """The table function that yields the keys as typed columns."""
    types = ", ".join(f"{sql.literal(name)}: '{_TYPES.get(kind, kind)}'" for name, kind in structure.items())
    return f"read_json({_options(local)}, columns={{{types}}})"


def _columns(
    connection: sql.Connection, local: Path, structure: dict[str, str], path: files.Source
) -> tuple[RawColumn, ...]:
    simple = {name: kind for name, kind in structure.items() if kind != NESTED}
    if not simple:
        raise nested_error(path, next(iter(structure)))
    columns = sql.raw_columns(connection, typed_source(local, simple), path)
    found = {column.name: column for column in columns}
    mixed = ("mixed numbers, texts or booleans are read as text",)
    for name, kind in structure.items():
        if kind == "JSON":
            found[name] = dataclasses.replace(found[name], notes=(*found[name].notes, *mixed))
        elif kind == NESTED:
            found[name] = UnusableColumn(name, nested_error(path, name), len(columns[0]))
    return tuple(found[name] for name in structure)


def fault(path: files.Source, local: Path, reason: str) -> DataFileError:
    """The error for a file that DuckDB rejected: the first line that is not an object, else DuckDB's reason."""
    with local.open("r", encoding="utf-8-sig", errors="replace") as file:
        if _form(local) == "array":
            try:
                rows = json.load(file)
            except ValueError as error:
                return files.wrong(path, f"not JSON ({_message(error)})", line=getattr(error, "lineno", None))
            wrong = next((row for row, each in enumerate(rows) if not isinstance(each, dict)), None)
            return files.wrong(path, reason if wrong is None else f"element {wrong} of the array is not an object")
        for line, text in enumerate(file, start=1):
            try:
                if text.strip() and not isinstance(json.loads(text), dict):
                    return files.wrong(path, f"expected an object, got {short_repr(text.strip())}", line=line)
            except ValueError as error:
                return files.wrong(path, f"not a JSON object ({_message(error)})", line=line)
    return files.wrong(path, "0 rows" if reason == _NO_OBJECTS else reason)


def _message(error: ValueError) -> str:
    return getattr(error, "msg", str(error))
