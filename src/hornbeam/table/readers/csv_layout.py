"""How is a text file of rows laid out?  What separates fields, is there a header, which columns look like numbers?

    delimiter   comma, semicolon, tab or pipe: the one that cuts every record at the head of the file into as many
                fields as the first; two that do are refused, and so is a first record that looks like data
    header      the first record, unless `header=False`; names must be there and differ
    decimal     a column of 1,5 and 2,25 has a decimal comma; 1,234 alone could be a thousand, so it stays text

The head of the file only suggests; whether a column really holds numbers is checked later on every row.
"""

from __future__ import annotations

import codecs
import csv
import dataclasses
import io
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from hornbeam.errors import OptionError, Set, short_repr
from hornbeam.table.names import default_names
from hornbeam.table.readers import csv_faults
from hornbeam.table.readers.files import OTHER_ENCODING, Source, wrong

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
# at most 15 digits before the point and two in the exponent: every such text is a finite, unrounded double
PLAIN = r"-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?"
COMMA = r"-?(0|[1-9][0-9]{0,14})(,[0-9]+)?"
_THOUSAND = re.compile(r"-?[1-9][0-9]{0,2},[0-9]{3}")
_HEAD = 1 << 16
_MOST_HEAD = 1 << 24


@dataclasses.dataclass(frozen=True)
class Layout:
    """What DuckDB must be told: delimiter, header, names; and each column's likely decimal mark ('' = text)."""

    delimiter: str
    has_header: bool
    names: tuple[str, ...]
    decimals: tuple[str, ...]
    clean: tuple[bool, ...]  # plain numbers with no missing word among them, as far as the head shows
    notes: tuple[str, ...] = ()
    column_notes: tuple[tuple[str, ...], ...] = ()


def find_layout(
    path: Source,
    local: Path,
    *,
    delimiter: str | None,
    header: bool | None,
    decimal: str | None,
    na_values: Sequence[str],
) -> Layout:
    """The layout of a UTF-8 text file, from its head and what was asked for."""
    _check_options(delimiter, decimal)
    head, is_whole = _head(path, local)
    if not head.strip():
        raise wrong(path, "0 rows: the file is empty")
    chosen = delimiter or _delimiter(path, head, is_whole)
    records = _records(head, chosen, is_whole)
    first, rest = records[0], records[1:]
    has_header = header if header is not None else not _looks_like_data(path, first, rest)
    width = _n_fields(records)
    names = _names(path, first[:width]) if has_header else default_names(width)
    body = rest if has_header else records
    cells = [[record[position] for record in body if position < len(record)] for position in range(len(names))]
    words = set(na_values) - {""}
    decimals, column_notes = _decimals(cells, decimal, words | {""})
    has_number_words = any(re.fullmatch(PLAIN, word) for word in words)
    clean = tuple(
        mark == "." and not has_number_words and words.isdisjoint(column)
        for mark, column in zip(decimals, cells, strict=True)
    )
    said = chosen if delimiter is None and len(names) > 1 else ","
    notes = _notes(said, has_header, decimals if decimal is None else ())
    return Layout(chosen, has_header, names, decimals, clean, notes, column_notes)


def _check_options(delimiter: str | None, decimal: str | None) -> None:
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise OptionError(
            f"delimiter must be a single character such as ',', ';' or a tab; got {short_repr(delimiter)}.",
            option="delimiter",
        )
    if decimal not in (None, ".", ","):
        raise OptionError(f"decimal must be '.' or ','; got {short_repr(decimal)}.", option="decimal")


def _head(path: Source, local: Path) -> tuple[str, bool]:
    """The head of the file, at least a few lines of it, and whether that is all of it. A name must be UTF-8 too."""
    size, wanted = local.stat().st_size, _HEAD
    with local.open("rb") as file:
        data = file.read(wanted)
        while data.count(b"\n") < 3 and len(data) < min(size, _MOST_HEAD):
            data += file.read(wanted)
            wanted *= 2
    is_whole = len(data) >= size
    if len(data) > csv_faults.LONGEST_LINE and data.find(b"\n", 0, csv_faults.LONGEST_LINE) < 0:
        raise csv_faults.too_long(path, 1)
    try:
        # A character that the end of the head cuts in two is left to the reading of the whole file.
        return codecs.getincrementaldecoder("utf-8-sig")().decode(data, final=is_whole), is_whole
    except UnicodeDecodeError as error:
        place = error.start + (len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0)
        raise wrong(
            path,
            f"byte {place} (0x{data[place]:02x}) is not UTF-8",
            line=data.count(b"\n", 0, place) + 1,
            fix=OTHER_ENCODING,
        ) from None


def _records(head: str, delimiter: str, is_whole: bool) -> list[list[str]]:
    """The records of the head; a last one that may be cut is left out."""
    longest = csv.field_size_limit(len(head) + 1)
    try:
        records = [record for record in csv.reader(io.StringIO(head, newline=""), delimiter=delimiter) if record]
    finally:
        csv.field_size_limit(longest)
    return records if is_whole or len(records) < 2 else records[:-1]


def _n_fields(records: list[list[str]]) -> int:
    """The fields of the first record; one less when every record ends with a delimiter that closes it."""
    first = len(records[0])
    closed = first > 1 and all(record[-1] == "" and len(record) == first for record in records)
    return first - 1 if closed else first


def _delimiter(path: Source, head: str, is_whole: bool) -> str:
    probabilities: dict[str, float] = {}
    single = []
    for each in DELIMITERS:
        records = _records(head, each, is_whole)
        first = len(records[0])
        share = sum(len(record) == first for record in records) / len(records)
        if first > 1:
            probabilities[each] = share
        elif share == 1:
            single.append(each)
    whole = [each for each, share in probabilities.items() if share == 1]
    if len(whole) > 1:
        raise wrong(
            path,
            f"it could be cut at every {' or at every '.join(DELIMITERS[each] for each in whole)}",
            fix=[Set("delimiter", each) for each in whole],
        )
    if probabilities:
        return max(probabilities, key=lambda each: probabilities[each])
    return single[0] if single else ","


def _looks_like_data(path: Source, first: list[str], rest: list[list[str]]) -> bool:
    """False for names; a first record with a number over a column of numbers is an error that asks for the option."""
    for position, text in enumerate(first):
        below = [record[position] for record in rest if position < len(record) and record[position]]
        if re.fullmatch(PLAIN, text) and (not rest or all(re.fullmatch(PLAIN, each) for each in below[:50])):
            raise wrong(
                path,
                f"there seems to be no header: the first record holds {short_repr(text)}",
                line=1,
                fix=(Set("header", False, "if the first line is data"), Set("header", True, "if it has the names")),
            )
    return False


def _names(path: Source, record: list[str]) -> tuple[str, ...]:
    names = [name.strip() for name in record]
    fix = Set("header", False, "if that line is data")
    empty = [position for position, name in enumerate(names) if not name]
    if empty:
        raise wrong(
            path,
            f"the header has no name for column {', '.join(map(str, empty[:5]))}",
            line=1,
            fix=fix,
            hint="or name every column once in the first line.",
        )
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise wrong(
            path,
            f"the header repeats {', '.join(map(short_repr, twice[:5]))}",
            line=1,
            fix=fix,
            hint="or name every column once in the first line.",
        )
    return tuple(names)


def _decimals(
    cells: list[list[str]], asked: str | None, words: set[str]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The likely decimal mark of each column, '' for text, and what to say of a column that could be either."""
    known = [[text for text in column if text not in words] for column in cells]
    marks = [_mark(column, asked) for column in known]
    sure = asked == "," or any(
        mark == "," and any("," in text and not _THOUSAND.fullmatch(text) for text in column)
        for mark, column in zip(marks, known, strict=True)
    )
    if sure:
        return tuple(marks), tuple(() for _ in marks)
    doubt = "could be thousands or a decimal comma: kept as text; say decimal=',' for numbers"
    notes = tuple((doubt,) if mark == "," else () for mark in marks)
    return tuple("" if mark == "," else mark for mark in marks), notes


def _mark(texts: list[str], asked: str | None) -> str:
    plain, comma = re.compile(PLAIN), re.compile(COMMA)
    if asked != "," and all(map(plain.fullmatch, texts)):
        return "."
    return "," if asked != "." and all(map(comma.fullmatch, texts)) else ""


def _notes(delimiter: str, has_header: bool, decimals: tuple[str, ...]) -> tuple[str, ...]:
    notes = []
    if delimiter != ",":
        notes.append(f"fields are separated by {DELIMITERS[delimiter]}s")
    if not has_header:
        notes.append("no header: columns are named by position")
    if "," in decimals:
        notes.append("numbers are written with a decimal comma")
    return tuple(notes)
