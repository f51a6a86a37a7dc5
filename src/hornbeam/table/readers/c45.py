"""What do C4.5's two files hold?  `stem.names` says what the columns are, `stem.data` the rows (`stem.test` more).

    | comment
    play, stay.                       the classes; or the name of the attribute that is the target
    outlook: sunny, overcast, rain.   levels in this order
    temperature: continuous.
    id: ignore.
    town: discrete 20.                levels as met in the data, 20 at most

Entries end with a dot or with the line; a backslash makes the next character plain; `?` is missing. Rows are comma
separated, the class last, a closing dot allowed.
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
    most: int = 0


def raw(path: files.Source, *, encoding: str | None = None) -> RawTable:
    """Read `stem.names` with `stem.data`, given any file of the family; given `.test`, its rows instead."""
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
            f"there is no {Path(stem).name}.names beside it to say what its columns are",
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
    notes = (f"ignored as the names file says: {', '.join(ignored)}",) if ignored else ()
    return RawTable(columns, source=text, target=target, notes=notes)


def _names(path: str, encoding: str | None) -> tuple[list[_Entry], str]:
    """The entries in the order of the data's fields, the class last, and the name of the target."""
    statements = list(_statements(files.lines(path, encoding)))
    if not statements:
        raise files.wrong(path, "it declares nothing")
    (first_line, classes), rest = statements[0], statements[1:]
    entries: list[_Entry] = []
    for line, statement in rest:
        name, mark, declared = _cut(statement, ":")
        if not mark:
            raise files.wrong(path, f"expected 'name: values', got {short_repr(statement)}", line=line)
        if any(entry.name == _plain(name) for entry in entries):
            raise files.wrong(path, f"{short_repr(_plain(name))} is declared twice", line=line)
        entries.append(_entry(path, line, _plain(name), declared))
    levels = tuple(_plain(each) for each in _split(classes, ","))
    if len(levels) == 1 and any(entry.name == levels[0] for entry in entries):
        return entries, levels[0]
    if len(levels) < 2:
        raise files.wrong(path, "the first entry must list the classes or name the target attribute", line=first_line)
    target = TARGET
    while any(entry.name == target for entry in entries):
        target += "_"
    return [*entries, _Entry(target, "levels", levels)], target


def _statements(lines: list[str]) -> list[tuple[int, str]]:
    """The entries with their lines: ended by a dot before white space, or by a line end when the entry is complete."""
    found: list[tuple[int, str]] = []
    held, begin = "", 1
    for line, content in enumerate(lines, start=1):
        body = _cut(content, "|")[0].strip()
        if not held:
            begin = line
        held = f"{held} {body}".strip()
        ends = re.search(r"(?<!\\)\.$", held) is not None
        if held and (ends or not held.endswith((",", ":"))):
            found.append((begin, held[:-1].strip() if ends else held))
            held = ""
    return [*found, (begin, held)] if held else found


def _cut(text: str, mark: str) -> tuple[str, str, str]:
    """Like str.partition, but a mark after a backslash does not count."""
    match = re.search(rf"(?<!\\){re.escape(mark)}", text)
    return (text[: match.start()], mark, text[match.end() :]) if match else (text, "", "")


def _split(text: str, mark: str) -> list[str]:
    return re.split(rf"(?<!\\){re.escape(mark)}", text)


def _plain(text: str) -> str:
    """Without escapes and with single spaces, as C4.5 reads names."""
    return re.sub(r"\\(.)", r"\1", re.sub(r"\s+", " ", text.strip()))


def _entry(path: str, line: int, name: str, declared: str) -> _Entry:
    words = declared.split()
    if words == ["continuous"] or words == ["ignore"]:
        return _Entry(name, words[0])
    if words and words[0] == "discrete":
        if len(words) != 2 or not words[1].isdecimal():
            raise files.wrong(
                path, f"{short_repr(name)}: discrete needs a number of values, got {short_repr(declared)}", line=line
            )
        return _Entry(name, "discrete", most=int(words[1]))
    levels = tuple(_plain(each) for each in _split(declared, ","))
    if not words or "" in levels or len(set(levels)) < len(levels):
        raise files.wrong(
            path, f"{short_repr(name)} needs distinct values between commas, got {short_repr(declared)}", line=line
        )
    return _Entry(name, "levels", levels)


def _rows(path: str, width: int, encoding: str | None) -> tuple[list[list[str]], list[int]]:
    rows, lines = [], []
    for line, content in enumerate(files.lines(path, encoding), start=1):
        body = _cut(content, "|")[0].strip()
        if not body:
            continue
        cells = [_plain(cell) for cell in _split(re.sub(r"(?<!\\)\.$", "", body), ",")]
        if len(cells) != width:
            raise files.wrong(path, f"{len(cells)} values where the names file declares {width}", line=line)
        rows.append(cells)
        lines.append(line)
    if not rows:
        raise files.wrong(path, "0 rows")
    return rows, lines


def _column(path: str, entry: _Entry, cells: list[str], lines: list[int]) -> RawColumn:
    if entry.type == "continuous":
        return RawColumn(entry.name, numbers=_numbers(path, entry, cells, lines), declared=Kind.NUMERIC)
    known = entry.levels or tuple(dict.fromkeys(cell for cell in cells if cell != "?"))
    if entry.most and len(known) > entry.most:
        raise files.wrong(
            path, f"{short_repr(entry.name)} is declared discrete {entry.most} but has {len(known)} values"
        )
    code = {level: position for position, level in enumerate(known)} | {"?": -1}
    codes = np.fromiter((code.get(cell, -2) for cell in cells), np.int32, len(cells))
    if (codes == -2).any():
        row = int(np.argmax(codes == -2))
        reason = f"{short_repr(cells[row])} is not a declared value of {short_repr(entry.name)}"
        raise files.wrong(path, reason, line=lines[row], hint="Write '?' for a missing value.")
    return RawColumn(entry.name, codes=codes, texts=known, declared=Kind.NOMINAL, levels=known)


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
