"""Reads the files of C4.5: `stem.names` declares the columns, `stem.data` and `stem.test` contain the rows.

    | comment
    play, stay.                       the classes; or the name of the attribute that is the target
    outlook: sunny, overcast, rain.   levels in this order
    temperature: continuous.
    id: ignore.
    town: discrete 20.                levels as in the data, 20 at most

Entries end with a dot or with the line; a backslash escapes the next character; `?` is missing. Rows are comma
separated, with the class last; a dot at the end is allowed.
"""

from __future__ import annotations

import dataclasses
import os
import re
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hornbeam.errors import Set, short_repr
from hornbeam.table.column import Kind
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import files

TARGET = "class"


@dataclasses.dataclass(frozen=True)
class _Entry:
    name: str
    type: str  # continuous, discrete, ignore or levels
    levels: tuple[str, ...] = ()
    max_levels: int = 0


def raw(path: files.Source, *, encoding: str | None = None) -> RawTable:
    """Read `stem.names` and `stem.data`, given the path of either; given `stem.test`, its rows instead."""
    text = files.path_of(path)
    stem, suffix = os.path.splitext(text)
    if suffix.lower() not in (".names", ".data", ".test"):
        stem, suffix = text, ".data"
    rows_path = stem + (".test" if suffix.lower() == ".test" else ".data")
    if suffix.lower() not in (".names", ".test") and Path(text).is_file():
        rows_path = text
    if not Path(stem + ".names").exists() and Path(rows_path).exists():
        raise files.wrong(
            rows_path,
            f"the file {Path(stem).name}.names that declares its columns is missing",
            fix=Set("format", "csv"),
            hint="or write one.",
        )
    entries, target = _names(stem + ".names", encoding)
    cells, lines = _rows(rows_path, len(entries), encoding)
    columns = tuple(
        _column(rows_path, entry, [row[position] for row in cells], lines)
        for position, entry in enumerate(entries)
        if entry.type != "ignore"
    )
    ignored = [entry.name for entry in entries if entry.type == "ignore"]
    notes = (f"ignored as declared in the names file: {', '.join(ignored)}",) if ignored else ()
    return RawTable(columns, source=text, target=target, notes=notes)


def _names(path: str, encoding: str | None) -> tuple[list[_Entry], str]:
    """The entries in the order of the data's fields, the class last, and the name of the target."""
    statements = list(_statements(files.lines(path, encoding)))
    if not statements:
        raise files.wrong(path, "it contains no declarations")
    (first_line, classes), rest = statements[0], statements[1:]
    entries: list[_Entry] = []
    for line, statement in rest:
        name, mark, declared = _partition(statement, ":")
        if not mark:
            raise files.wrong(path, f"expected 'name: values', got {short_repr(statement)}", line=line)
        if any(entry.name == _unescape(name) for entry in entries):
            raise files.wrong(path, f"{short_repr(_unescape(name))} is declared twice", line=line)
        entries.append(_entry(path, line, _unescape(name), declared))
    levels = tuple(_unescape(each) for each in _split(classes, ","))
    if len(levels) == 1 and any(entry.name == levels[0] for entry in entries):
        return entries, levels[0]
    if len(levels) < 2:
        raise files.wrong(path, "the first entry must list the classes or name the target attribute", line=first_line)
    target = TARGET
    while any(entry.name == target for entry in entries):
        target += "_"
    return [*entries, _Entry(target, "levels", levels)], target


def _statements(lines: list[str]) -> list[tuple[int, str]]:
    """The entries with their lines: ended by a dot before white space, or by a line end if the entry is complete."""
    found: list[tuple[int, str]] = []
    pending, begin = "", 1
    for line, content in enumerate(lines, start=1):
        body = _partition(content, "|")[0].strip()
        if not pending:
            begin = line
        pending = f"{pending} {body}".strip()
        ends = re.search(r"(?<!\\)\.$", pending) is not None
        if pending and (ends or not pending.endswith((",", ":"))):
            found.append((begin, pending[:-1].strip() if ends else pending))
            pending = ""
    return [*found, (begin, pending)] if pending else found


def _partition(text: str, mark: str) -> tuple[str, str, str]:
    """Like str.partition, but ignores a mark after a backslash."""
    match = re.search(rf"(?<!\\){re.escape(mark)}", text)
    return (text[: match.start()], mark, text[match.end() :]) if match else (text, "", "")


def _split(text: str, mark: str) -> list[str]:
    return re.split(rf"(?<!\\){re.escape(mark)}", text)


def _unescape(text: str) -> str:
    """The text without escapes and with single spaces, as C4.5 reads names."""
    return re.sub(r"\\(.)", r"\1", re.sub(r"\s+", " ", text.strip()))


def _entry(path: str, line: int, name: str, declared: str) -> _Entry:
    tokens = declared.split()
    if tokens == ["continuous"] or tokens == ["ignore"]:
        return _Entry(name, tokens[0])
    if tokens and tokens[0] == "discrete":
        if len(tokens) != 2 or not tokens[1].isdecimal():
            raise files.wrong(
                path,
                f"{short_repr(name)}: discrete must be followed by the number of values, got {short_repr(declared)}",
                line=line,
            )
        return _Entry(name, "discrete", max_levels=int(tokens[1]))
    levels = tuple(_unescape(each) for each in _split(declared, ","))
    if not tokens or "" in levels or len(set(levels)) < len(levels):
        raise files.wrong(
            path,
            f"{short_repr(name)} must have distinct values separated by commas, got {short_repr(declared)}",
            line=line,
        )
    return _Entry(name, "levels", levels)


def _rows(path: str, width: int, encoding: str | None) -> tuple[list[list[str]], list[int]]:
    rows, lines = [], []
    for line, content in enumerate(files.lines(path, encoding), start=1):
        body = _partition(content, "|")[0].strip()
        if not body:
            continue
        cells = [_unescape(cell) for cell in _split(re.sub(r"(?<!\\)\.$", "", body), ",")]
        if len(cells) != width:
            raise files.wrong(path, f"{len(cells)} values, but the names file declares {width}", line=line)
        rows.append(cells)
        lines.append(line)
    if not rows:
        raise files.wrong(path, "0 rows")
    return rows, lines


def _column(path: str, entry: _Entry, cells: list[str], lines: list[int]) -> RawColumn:
    if entry.type == "continuous":
        return RawColumn(entry.name, numbers=_numbers(path, entry, cells, lines), declared=Kind.NUMERIC)
    known = entry.levels or tuple(dict.fromkeys(cell for cell in cells if cell != "?"))
    if entry.max_levels and len(known) > entry.max_levels:
        raise files.wrong(
            path, f"{short_repr(entry.name)} is declared discrete {entry.max_levels} but has {len(known)} values"
        )
    code = {level: position for position, level in enumerate(known)} | {"?": -1}
    codes = np.fromiter((code.get(cell, -2) for cell in cells), np.int32, len(cells))
    if (codes == -2).any():
        row = int(np.argmax(codes == -2))
        reason = f"{short_repr(cells[row])} is not a declared value of {short_repr(entry.name)}"
        raise files.wrong(path, reason, line=lines[row], hint="Write '?' for a missing value.")
    return RawColumn(entry.name, codes=codes, distinct=known, declared=Kind.NOMINAL, levels=known)


def _numbers(path: str, entry: _Entry, cells: list[str], lines: list[int]) -> npt.NDArray[np.float64]:
    numbers = np.empty(len(cells))
    for row, cell in enumerate(cells):
        try:
            numbers[row] = np.nan if cell == "?" else float(cell)
        except ValueError:
            raise files.wrong(
                path,
                f"{short_repr(entry.name)}: {short_repr(cell)} is not a number",
                line=lines[row],
                hint="Write '?' for a missing value.",
            ) from None
    return numbers
