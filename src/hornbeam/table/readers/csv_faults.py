"""Finds the first fault of a text file that DuckDB rejected, with its line.

Reads record by record and records the line on which each begins. The faults:

    undecodable byte, unclosed quote (the line where it opened), text after a closing quote,
    too few or too many fields, a line beyond the limit
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hornbeam.errors import DataFileError, Set, short_repr
from hornbeam.table.readers.files import OTHER_ENCODING, Source, wrong

MAX_RECORD_BYTES = 16 << 20


def fault(path: Source, local: Path, delimiter: str, n_fields: int, otherwise: str) -> DataFileError:
    """The error for the first fault in the file; with the reason `otherwise` if none is found here."""
    found = first_fault(path, local, delimiter, n_fields)
    return found if found is not None else wrong(path, otherwise)


def too_long(path: Source, line: int) -> DataFileError:
    """The error for a record beyond the limit."""
    size = f"{MAX_RECORD_BYTES >> 20} MB" if MAX_RECORD_BYTES >= 1 << 20 else f"{MAX_RECORD_BYTES} bytes"
    return wrong(path, f"a record is longer than the limit of {size}", line=line)


def records(
    path: Source, local: Path, delimiter: str, n_fields: int
) -> Iterator[tuple[int, str, DataFileError | None]]:
    """Every record that is not blank: the line on which it begins, its text, and the error if it has a fault."""
    for line, record in _records(local):
        if record is None:
            raise too_long(path, line)
        try:
            text = record.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _undecodable(path, local, line, record, error) from None
        if not text.strip("\r\n"):
            continue
        found = _record_fault(text, delimiter, n_fields)
        at = line + text.count("\n", 0, found[1]) if found else line
        yield line, text, wrong(path, found[0], line=at, **found[2]) if found else None


def first_fault(path: Source, local: Path, delimiter: str, n_fields: int) -> DataFileError | None:
    """The error for the first fault in the file, or None."""
    try:
        return next((found for _, _, found in records(path, local, delimiter, n_fields) if found is not None), None)
    except DataFileError as error:
        return error


def _records(local: Path) -> Iterator[tuple[int, bytes | None]]:
    """Records with the line on which they begin: lines are joined while a quote is open; None if one is too long."""
    with local.open("rb") as file:
        begin, quotes, size, line = 1, 0, 0, 0
        open_lines: list[bytes] = []
        while part := file.readline(MAX_RECORD_BYTES + 1):
            line += 1
            if not open_lines:
                begin, quotes, size = line, 0, 0
                part = part.removeprefix(codecs.BOM_UTF8) if line == 1 else part
            open_lines.append(part)
            size += len(part)
            if size > MAX_RECORD_BYTES:
                # an unclosed quote extends to the end of the file: yield its beginning
                yield begin, None if quotes % 2 == 0 else b"".join(open_lines)[:MAX_RECORD_BYTES]
                return
            quotes += part.count(b'"')
            if quotes % 2 == 0:
                yield begin, b"".join(open_lines)
                open_lines = []
        if open_lines:
            yield begin, b"".join(open_lines)


def _undecodable(path: Source, local: Path, line: int, record: bytes, error: UnicodeDecodeError) -> DataFileError:
    with local.open("rb") as file:
        before = sum(len(file.readline()) for _ in range(line - 1))
        mark = 3 if line == 1 and file.read(3) == codecs.BOM_UTF8 else 0
    return wrong(
        path,
        f"byte {before + mark + error.start} (0x{record[error.start]:02x}) is not UTF-8",
        line=line + record.count(b"\n", 0, error.start),
        fix=OTHER_ENCODING,
    )


def _record_fault(text: str, delimiter: str, n_fields: int) -> tuple[str, int, dict[str, Any]] | None:
    """The fault of one record, its offset and a hint; None if there is no fault."""
    body = text.rstrip("\r\n")
    if not body:
        return None
    fields, position = 1, 0
    while True:
        start = position
        while position < len(body) and body[position] == " ":
            position += 1
        if position < len(body) and body[position] == '"':
            closing = _closing(body, position)
            if closing < 0:
                return (
                    "a quote that opens here is never closed",
                    position,
                    {"hint": "Close it, or double a quote that belongs to the text."},
                )
            position = closing + 1
            end = body.find(delimiter, position)
            after = body[position : end if end >= 0 else len(body)]
            if after.strip(" "):
                return (
                    f"text after a closing quote: {short_repr(after)}",
                    position,
                    {"hint": "Double a quote inside quotes."},
                )
        position = body.find(delimiter, max(position, start))
        if position < 0:
            break
        fields, position = fields + 1, position + 1
    is_closed = fields == n_fields + 1 and body.endswith(delimiter)
    if fields != n_fields and not is_closed:
        return (f"{_count(fields)}, but the first line has {n_fields}", 0, _remedy(fields, n_fields))
    return None


def _closing(body: str, opening: int) -> int:
    position = opening + 1
    while True:
        position = body.find('"', position)
        if position < 0 or body[position + 1 : position + 2] != '"':
            return position
        position += 2


def _count(fields: int) -> str:
    return "1 field" if fields == 1 else f"{fields} fields"


def _remedy(fields: int, n_fields: int) -> dict[str, Any]:
    skip = Set("bad_rows", "skip")
    if fields > n_fields:
        hint = "or quote fields that contain the delimiter (a decimal comma?)."
        return {"fix": (skip, Set("delimiter")), "hint": hint}
    return {"fix": skip, "hint": "or complete the line."}
