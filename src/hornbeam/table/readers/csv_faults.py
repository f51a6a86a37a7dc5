"""Which line of a text file is wrong, and how?  Asked only after DuckDB has refused the file.

A slow and plain walk, record by record, keeping the line on which each began:

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

LONGEST_LINE = 16 << 20


def fault(path: Source, local: Path, delimiter: str, n_fields: int, otherwise: str) -> DataFileError:
    """The error for the first fault in the file; `otherwise` when none is found here."""
    found = _first(path, local, delimiter, n_fields)
    return found if found is not None else wrong(path, otherwise)


def too_long(path: Source, line: int) -> DataFileError:
    """The error for a record beyond the limit."""
    size = f"{LONGEST_LINE >> 20} MB" if LONGEST_LINE >= 1 << 20 else f"{LONGEST_LINE} bytes"
    return wrong(path, f"a record is longer than {size}, the limit", line=line)


def records(
    path: Source, local: Path, delimiter: str, n_fields: int
) -> Iterator[tuple[int, str, DataFileError | None]]:
    """Every record that is not blank: the line it begins on, its text, and what is wrong with it, if anything is."""
    for line, record in _records(local):
        if record is None:
            raise too_long(path, line)
        try:
            text = record.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _undecodable(path, local, line, record, error) from None
        if not text.strip("\r\n"):
            continue
        trouble = _trouble(text, delimiter, n_fields)
        at = line + text.count("\n", 0, trouble[1]) if trouble else line
        yield line, text, wrong(path, trouble[0], line=at, **trouble[2]) if trouble else None


def _first(path: Source, local: Path, delimiter: str, n_fields: int) -> DataFileError | None:
    try:
        return next((found for _, _, found in records(path, local, delimiter, n_fields) if found is not None), None)
    except DataFileError as error:
        return error


def _records(local: Path) -> Iterator[tuple[int, bytes | None]]:
    """Records with the line they begin on: lines are joined while a quote is open. None is one too long."""
    with local.open("rb") as file:
        begin, quotes, size, line = 1, 0, 0, 0
        held: list[bytes] = []
        while part := file.readline(LONGEST_LINE + 1):
            line += 1
            if not held:
                begin, quotes, size = line, 0, 0
                part = part.removeprefix(codecs.BOM_UTF8) if line == 1 else part
            held.append(part)
            size += len(part)
            if size > LONGEST_LINE:
                # an unclosed quote swallows the rest of the file: show its beginning
                yield begin, None if quotes % 2 == 0 else b"".join(held)[:LONGEST_LINE]
                return
            quotes += part.count(b'"')
            if quotes % 2 == 0:
                yield begin, b"".join(held)
                held = []
        if held:
            yield begin, b"".join(held)


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


def _trouble(text: str, delimiter: str, n_fields: int) -> tuple[str, int, dict[str, Any]] | None:
    """What is wrong with one record, where in it, and what to do; None when nothing is."""
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
                    "a quote opens here and never closes",
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
        return (f"{_count(fields)} where the first line has {n_fields}", 0, _remedy(fields, n_fields))
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
