"""Reads JSON lines or a JSON array of objects: one object per row, one key per column, in order of first appearance.

    {"age": 61, "lesion": true}          [{"age": 61, "lesion": true},
    {"age": 55, "lesion": null}           {"age": 55, "lesion": null}]

The type of a column depends on all rows: numbers only if every value is a number. Texts stay texts (dates are not
inferred). A key that a row lacks is missing there. Values of mixed types are read as text, with a note. Values that are
objects or arrays are an error.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

from hornbeam.errors import DataFileError, short_repr
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import files, sql

_MAX_OBJECT_BYTES = 16 << 20
_NO_OBJECTS = "it contains no objects with keys"
_TYPES = {"NULL": "VARCHAR", "JSON": "VARCHAR"}


def raw(path: files.Source) -> RawTable:
    """Read JSON lines or a JSON array of objects."""
    import duckdb

    with files.uncompressed(path) as local, sql.connected() as connection:
        files.encoding_of(path, local)
        files.check_memory(path, local.stat().st_size)
        form = _form(local)
        try:
            structure = _structure(connection, local, form)
            if not isinstance(structure, dict) or not structure:
                raise _fault(path, local, form, _NO_OBJECTS)
            columns = _columns(connection, local, form, structure, path)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise _fault(path, local, form, sql.first_line(error)) from None
    return RawTable(columns, source=files.called(path))


def _form(local: Path) -> str:
    with local.open("rb") as file:
        head = file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()
    return "array" if head.startswith(b"[") else "auto"


def _options(local: Path, form: str) -> str:
    return f"{sql.file_literal(local)}, format='{form}', maximum_object_size={_MAX_OBJECT_BYTES}"


def _structure(connection: Any, local: Path, form: str) -> Any:
    query = f"SELECT json_group_structure(json) FROM read_json_objects({_options(local, form)})"
    text = connection.rows(query)[0][0]
    return json.loads(text) if text else None


def _columns(
    connection: Any, local: Path, form: str, structure: dict[str, Any], path: files.Source
) -> tuple[RawColumn, ...]:
    for name, kind in structure.items():
        if not isinstance(kind, str):
            raise files.wrong(
                path,
                f"the values of {short_repr(name)} are objects or arrays",
                hint="Flatten them into simple keys first.",
            )
    types = ", ".join(f"{sql.literal(name)}: '{_TYPES.get(kind, kind)}'" for name, kind in structure.items())
    source = f"read_json({_options(local, form)}, columns={{{types}}})"
    columns = sql.raw_columns(connection, source, path)
    mixed = ("mixed numbers, texts or booleans are read as text",)
    return tuple(
        dataclasses.replace(column, notes=(*column.notes, *mixed)) if kind == "JSON" else column
        for column, kind in zip(columns, structure.values(), strict=True)
    )


def _fault(path: files.Source, local: Path, form: str, reason: str) -> DataFileError:
    """The error for a file that DuckDB rejected: the first line that is not an object, else DuckDB's reason."""
    with local.open("r", encoding="utf-8-sig", errors="replace") as file:
        if form == "array":
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
