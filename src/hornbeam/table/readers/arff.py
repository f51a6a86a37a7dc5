"""Reads an ARFF file: a header with the names and types of the attributes, then rows.

    % comment
    @relation weather
    @attribute outlook {sunny, 'half sun'}      nominal, levels in this order
    @attribute temperature numeric              also real, integer
    @attribute note string
    @attribute day date "yyyy-MM-dd"            its texts are kept, in ISO form
    @data
    sunny, 21.5, 'dry day', 2024-05-01          a dense row
    {0 'half sun', 2 x}, {0.5}                  a sparse row of weight 0.5: other values are 0 or the first level

`?` is missing; quotes are ' or " with backslash escapes. A relational attribute is an error with its line.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from typing import Any, NoReturn

import numpy as np

from hornbeam.errors import DataFileError, short_repr
from hornbeam.table.column import Kind
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import files

_NUMERIC = ("numeric", "real", "integer")
_TOKEN = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,{}'"%][^\s,{}]*)|([,{}])|(%.*)|(.))""", re.DOTALL
)
_CELL = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,]*?))\s*(?:,|$)""", re.DOTALL)
_WEIGHT = re.compile(r"^(.*\S)\s*,\s*\{\s*([^{},\s]+)\s*\}$", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_DATE_FIELDS = {"yyyy": "%Y", "yy": "%y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S", "MMM": "%b"}
_ISO = "%Y-%m-%dT%H:%M:%S"


@dataclasses.dataclass(frozen=True)
class _Attribute:
    name: str
    type: str  # numeric, nominal, string or date
    levels: tuple[str, ...] = ()
    date_format: str = _ISO


class _Reader:
    """The state while reading one file: path and line, for errors."""

    def __init__(self, path: files.Source) -> None:
        self.path, self.line = path, 0
        self.attributes: list[_Attribute] = []

    def fail(self, reason: str, hint: str = "") -> NoReturn:
        raise files.wrong(self.path, reason, line=self.line, hint=hint)


def raw(path: files.Source, *, encoding: str | None = None) -> RawTable:
    """Read an ARFF file."""
    reader = _Reader(path)
    lines = files.lines(path, encoding)
    start = _header(reader, lines)
    rows: list[list[str | None]] = []
    weights: list[float] = []
    for reader.line, line in enumerate(lines[start:], start=start + 1):
        body = line.strip()
        if body and not body.startswith("%"):
            cells, weight = _row(reader, body)
            rows.append(cells)
            weights.append(weight)
    if not rows:
        raise files.wrong(path, "0 rows after @data")
    columns = zip(*rows, strict=True)
    return RawTable(
        tuple(_column(path, attribute, cells) for attribute, cells in zip(reader.attributes, columns, strict=True)),
        source=files.called(path),
        weights=np.array(weights) if any(weight != 1 for weight in weights) else None,
    )


def _header(reader: _Reader, lines: list[str]) -> int:
    """Read the declarations; returns the number of lines up to and including @data."""
    for reader.line, line in enumerate(lines, start=1):
        body = line.strip()
        keyword = body.split(None, 1)[0].lower() if body else "%"
        if keyword.startswith("%") or keyword == "@relation":
            continue
        if keyword == "@attribute":
            reader.attributes.append(_attribute(reader, body.split(None, 1)[1] if " " in body or "\t" in body else ""))
        elif keyword == "@data":
            if not reader.attributes:
                reader.fail("@data before any @attribute")
            return reader.line
        else:
            reader.fail(f"expected @relation, @attribute or @data, got {short_repr(body)}")
    raise files.wrong(reader.path, "it has no @data line", hint="Check that it is an ARFF file.")


def _tokens(reader: _Reader, text: str) -> list[tuple[str, bool]]:
    """The tokens of a declaration, each with whether it is quoted; braces and commas are tokens."""
    found: list[tuple[str, bool]] = []
    for match in _TOKEN.finditer(text.strip()):
        single, double, bare, mark, comment, other = match.groups()
        if comment is not None:
            break
        if other is not None:
            reader.fail(f"an unclosed quote or unexpected character {short_repr(other)} in the declaration")
        quoted = single if single is not None else double
        found.append((_unescaped(quoted), True) if quoted is not None else (bare if bare is not None else mark, False))
    return found


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text, flags=re.DOTALL)


def _attribute(reader: _Reader, declaration: str) -> _Attribute:
    tokens = _tokens(reader, declaration)
    if len(tokens) < 2:
        reader.fail(f"an attribute must have a name and a type, got {short_repr(declaration)}")
    name, (kind, is_quoted) = tokens[0][0], tokens[1]
    if any(each.name == name for each in reader.attributes):
        reader.fail(f"attribute {short_repr(name)} is declared twice")
    if kind == "{" and not is_quoted:
        return _Attribute(name, "nominal", _levels(reader, name, tokens[2:]))
    lower = kind.lower()
    if lower in _NUMERIC:
        return _Attribute(name, "numeric")
    if lower == "string":
        return _Attribute(name, "string")
    if lower == "date":
        return _Attribute(name, "date", date_format=_date_format(reader, tokens[2][0]) if len(tokens) > 2 else _ISO)
    hint = (
        "Flatten it into plain attributes first."
        if lower == "relational"
        else "Known: numeric, string, date, {levels}."
    )
    reader.fail(f"attribute {short_repr(name)} has the type {short_repr(kind)}, which is not supported", hint)


def _levels(reader: _Reader, name: str, tokens: list[tuple[str, bool]]) -> tuple[str, ...]:
    if not tokens or tokens[-1] != ("}", False):
        reader.fail(f"the levels of {short_repr(name)} do not end with a brace")
    levels: list[str] = []
    joined = False
    for token, is_quoted in tokens[:-1]:
        if not is_quoted and token == ",":
            joined = False
        elif joined:  # an unquoted level of two words, as many files have
            levels[-1] += " " + token
        else:
            levels.append(token)
            joined = True
    duplicates = (
        [level for position, level in enumerate(levels) if level in levels[:position]] if len(levels) < 1000 else []
    )
    if duplicates:
        reader.fail(f"attribute {short_repr(name)} names the level {short_repr(duplicates[0])} twice")
    return tuple(levels)


def _date_format(reader: _Reader, pattern: str) -> str:
    """A Java date pattern as a Python format."""
    tokens = re.split(r"('[^']*'|[A-Za-z]+)", pattern)
    done = []
    for token in tokens:
        if token.startswith("'"):
            done.append(token.strip("'").replace("%", "%%"))
        elif token.isalpha():
            if token not in _DATE_FIELDS:
                reader.fail(f"the date format {short_repr(pattern)} has the unknown field {short_repr(token)}")
            done.append(_DATE_FIELDS[token])
        else:
            done.append(token.replace("%", "%%"))
    return "".join(done)


def _row(reader: _Reader, body: str) -> tuple[list[str | None], float]:
    weight = 1.0
    match = _WEIGHT.match(body)
    if match:
        body = match[1]
        try:
            weight = float(match[2])
        except ValueError:
            reader.fail(f"the weight {short_repr(match[2])} is not a number")
        if not 0 <= weight < float("inf"):
            reader.fail(f"the weight must be at least 0, got {short_repr(match[2])}")
    if body.startswith("{"):
        return _sparse(reader, body), weight
    cells = _cells(reader, body)
    if len(cells) != len(reader.attributes):
        reader.fail(f"{len(cells)} values, but {len(reader.attributes)} attributes are declared")
    return cells, weight


def _cells(reader: _Reader, body: str) -> list[str | None]:
    if "'" not in body and '"' not in body:
        return [None if cell == "?" else cell for cell in map(str.strip, body.split(","))]
    cells: list[str | None] = []
    position = 0
    while True:
        match = _CELL.match(body, position)
        if match is None or (match[3] or "").startswith(("'", '"')):
            reader.fail("an unclosed quote, or text after one")
        quoted = match[1] if match[1] is not None else match[2]
        cells.append(_unescaped(quoted) if quoted is not None else None if match[3] == "?" else match[3])
        position = match.end()
        if body[position - 1 : position] != "," or position == match.start():
            return cells


def _sparse(reader: _Reader, body: str) -> list[str | None]:
    """A row that lists only some values: the default of a number is 0, of a nominal the first level, else missing."""
    if not body.endswith("}"):
        reader.fail("a sparse row does not end with a brace")
    cells = [_default(attribute) for attribute in reader.attributes]
    inner = body[1:-1].strip()
    for entry in re.findall(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,'"])+""", inner) if inner else []:
        pair = entry.strip().split(None, 1)
        if len(pair) != 2 or not pair[0].isdecimal() or int(pair[0]) >= len(cells):
            reader.fail(
                f"a sparse entry must be 'index value' with an index below {len(cells)}, got {short_repr(entry)}"
            )
        (cells[int(pair[0])],) = _cells(reader, pair[1])
    return cells


def _default(attribute: _Attribute) -> str | None:
    if attribute.type == "nominal":
        return attribute.levels[0] if attribute.levels else None
    return "0" if attribute.type == "numeric" else None


def _column(path: files.Source, attribute: _Attribute, cells: tuple[str | None, ...]) -> RawColumn:
    if attribute.type == "numeric":
        try:
            numbers = np.array([np.nan if cell is None else float(cell) for cell in cells])
        except ValueError:
            raise _bad_cell(path, attribute, cells, _is_number, "a number") from None
        return RawColumn(attribute.name, numbers=numbers, declared=Kind.NUMERIC)
    if attribute.type == "date":
        cells = tuple(None if cell is None else _iso(path, attribute, cell) for cell in cells)
    known = attribute.levels or tuple(dict.fromkeys(cell for cell in cells if cell is not None))
    code: dict[str | None, int] = {level: position for position, level in enumerate(known)} | {None: -1}
    try:
        codes = np.fromiter(map(code.__getitem__, cells), np.int32, len(cells))
    except KeyError:
        raise _bad_cell(path, attribute, cells, code.__contains__, "one of its declared levels") from None
    if attribute.type == "nominal":
        return RawColumn(attribute.name, codes=codes, distinct=known, declared=Kind.NOMINAL, levels=known)
    return RawColumn(attribute.name, codes=codes, distinct=known)


def _is_number(cell: str | None) -> bool:
    try:
        float(cell or 0)
    except ValueError:
        return False
    return True


def _bad_cell(
    path: files.Source, attribute: _Attribute, cells: tuple[str | None, ...], accepts: Any, expected: str
) -> DataFileError:
    row = next(row for row, cell in enumerate(cells) if not accepts(cell))
    return files.wrong(
        path,
        f"row {row}, attribute {short_repr(attribute.name)}: {short_repr(cells[row])} is not {expected}",
        hint="Write '?' for a missing value.",
    )


def _iso(path: files.Source, attribute: _Attribute, cell: str) -> str:
    try:
        moment = datetime.datetime.strptime(cell, attribute.date_format)
    except ValueError:
        raise files.wrong(
            path, f"attribute {short_repr(attribute.name)}: {short_repr(cell)} is not a date of the declared format"
        ) from None
    return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat()
