"""Detects the layout of a text file: delimiter, header, and the columns that look like numbers.

    delimiter   comma, semicolon, tab or pipe: the one that splits every record at the head of the file into as many
                fields as the first; an error if several do, or if the first record looks like data
    header      the first record, unless `header=False`; names must not be empty and must differ
    decimal     a column of 1,5 and 2,25 has a decimal comma, one of 0.5 a decimal point; 1.234 and 1,234 alone could be
                thousands, so such a column is read as text, and `file_rules` decides

The head of the file is only a suggestion; whether a column contains numbers is checked later on every row.
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
from hornbeam.table.notes import Note, NoteCode
from hornbeam.table.number_grammar import SIMPLE_NUMBER, simple_pattern
from hornbeam.table.readers import csv_faults
from hornbeam.table.readers.files import OTHER_ENCODING, Source, wrong

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
DECIMAL_COMMA = Note("written with a decimal comma", NoteCode.NUMBER_FORMAT, Set("decimal", ".", "keeps the text"))
# A pattern that Python's `re` and DuckDB's regular expressions read alike.
POINT_OR_THOUSAND = r"-?[1-9][0-9]{0,2}\.[0-9]{3}"
_POINT_THOUSAND = re.compile(POINT_OR_THOUSAND)
_COMMA_THOUSAND = re.compile(r"-?[1-9][0-9]{0,2},[0-9]{3}")
UNNAMED = "unnamed_0"
_HEAD = 1 << 16
_MAX_HEAD = 1 << 24


@dataclasses.dataclass(frozen=True)
class Layout:
    """Delimiter, header and names, and the likely decimal mark of each column ('' = text).

    `has_point`: the head shows a point that cannot separate thousands, or the user excludes it.
    """

    delimiter: str
    has_header: bool
    names: tuple[str, ...]
    decimals: tuple[str, ...]
    is_simple: tuple[bool, ...]  # simple numbers without missing texts, as far as the head shows
    has_point: tuple[bool, ...] = ()
    notes: tuple[str, ...] = ()


def find_layout(
    path: Source,
    local: Path,
    *,
    delimiter: str | None,
    header: bool | None,
    decimal: str | None,
    thousands: str | None,
    na_values: Sequence[str],
) -> Layout:
    """The layout of a UTF-8 text file, from its head and the given settings."""
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
    missing = set(na_values) - {""}
    known = [[text for text in column if text not in missing and text] for column in cells]
    decimals = tuple(_mark(column, decimal) for column in known)
    is_point_certain = decimal == "." or thousands not in (None, ".")
    has_point = tuple(is_point_certain or (thousands != "." and _has_point(column)) for column in known)
    is_number_missing = any(re.fullmatch(SIMPLE_NUMBER, text) for text in missing)
    is_simple = tuple(
        mark == "." and not is_number_missing and missing.isdisjoint(column) and (certain or not _has_dot(column))
        for mark, column, certain in zip(decimals, cells, has_point, strict=True)
    )
    noted = chosen if delimiter is None and len(names) > 1 else ","
    notes = _notes(noted, has_header)
    if has_header and names[0] == UNNAMED and not first[0].strip():
        notes += (f"the header has no name for the first column: named {UNNAMED!r}",)
    return Layout(chosen, has_header, names, decimals, is_simple, has_point, notes)


def _check_options(delimiter: str | None, decimal: str | None) -> None:
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise OptionError(
            f"delimiter must be a single character such as ',', ';' or a tab, got {short_repr(delimiter)}.",
            option="delimiter",
        )
    if decimal not in (None, ".", ","):
        raise OptionError(f"decimal must be '.' or ',', got {short_repr(decimal)}.", option="decimal")


def _head(path: Source, local: Path) -> tuple[str, bool]:
    """The head of the file, at least a few lines, and whether it is the whole file."""
    size, n_bytes = local.stat().st_size, _HEAD
    with local.open("rb") as file:
        data = file.read(n_bytes)
        while data.count(b"\n") < 3 and len(data) < min(size, _MAX_HEAD):
            data += file.read(n_bytes)
            n_bytes *= 2
    is_whole = len(data) >= size
    if len(data) > csv_faults.MAX_RECORD_BYTES and data.find(b"\n", 0, csv_faults.MAX_RECORD_BYTES) < 0:
        raise csv_faults.too_long(path, 1)
    try:
        # A character that is incomplete at the end of the head is checked when the whole file is read.
        return codecs.getincrementaldecoder("utf-8-sig")().decode(data, final=is_whole), is_whole
    except UnicodeDecodeError as error:
        offset = error.start + (len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0)
        raise wrong(
            path,
            f"byte {offset} (0x{data[offset]:02x}) is not UTF-8",
            line=data.count(b"\n", 0, offset) + 1,
            fix=OTHER_ENCODING,
        ) from None


def _records(head: str, delimiter: str, is_whole: bool) -> list[list[str]]:
    """The records of the head, without the last one if it may be incomplete."""
    old_limit = csv.field_size_limit(len(head) + 1)
    try:
        records = [record for record in csv.reader(io.StringIO(head, newline=""), delimiter=delimiter) if record]
    finally:
        csv.field_size_limit(old_limit)
    return records if is_whole or len(records) < 2 else records[:-1]


def _n_fields(records: list[list[str]]) -> int:
    """The number of fields of the first record; one less if every record ends with a delimiter."""
    first = len(records[0])
    closed = first > 1 and all(record[-1] == "" and len(record) == first for record in records)
    return first - 1 if closed else first


def _delimiter(path: Source, head: str, is_whole: bool) -> str:
    fractions: dict[str, float] = {}
    single = []
    for each in DELIMITERS:
        records = _records(head, each, is_whole)
        first = len(records[0])
        fraction = sum(len(record) == first for record in records) / len(records)
        if first > 1:
            fractions[each] = fraction
        elif fraction == 1:
            single.append(each)
    consistent = [each for each, fraction in fractions.items() if fraction == 1]
    if len(consistent) > 1:
        raise wrong(
            path,
            f"the delimiter could be {' or '.join(DELIMITERS[each] for each in consistent)}",
            fix=[Set("delimiter", each) for each in consistent],
        )
    if fractions:
        return max(fractions, key=lambda each: fractions[each])
    return single[0] if single else ","


def _looks_like_data(path: Source, first: list[str], rest: list[list[str]]) -> bool:
    """False for names; an error if the first record has a number above a column of numbers."""
    for position, text in enumerate(first):
        below = [record[position] for record in rest if position < len(record) and record[position]]
        if re.fullmatch(SIMPLE_NUMBER, text) and (
            not rest or all(re.fullmatch(SIMPLE_NUMBER, each) for each in below[:50])
        ):
            raise wrong(
                path,
                f"the header seems to be missing: the first record contains {short_repr(text)}",
                line=1,
                fix=(Set("header", False, "if the first line is data"), Set("header", True, "if it has the names")),
            )
    return False


def _names(path: Source, record: list[str]) -> tuple[str, ...]:
    names = [name.strip() for name in record]
    if len(names) > 1 and not names[0] and all(names[1:]) and UNNAMED not in names:
        names[0] = UNNAMED  # the index of a data frame that was written with its index
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
    duplicates = [name for name, times in Counter(names).items() if times > 1]
    if duplicates:
        raise wrong(
            path,
            f"the header repeats {', '.join(map(short_repr, duplicates[:5]))}",
            line=1,
            fix=fix,
            hint="or name every column once in the first line.",
        )
    return tuple(names)


def _mark(texts: list[str], decimal: str | None) -> str:
    """The decimal mark of a column of simple numbers; '' for text and where a comma could separate thousands."""
    if decimal in (None, ".") and all(map(re.compile(simple_pattern(".")).fullmatch, texts)):
        return "."
    if decimal in (None, ",") and all(map(re.compile(simple_pattern(",")).fullmatch, texts)):
        return "," if decimal or any("," in text and not _COMMA_THOUSAND.fullmatch(text) for text in texts) else ""
    return ""


def _has_dot(texts: list[str]) -> bool:
    return any("." in text for text in texts)


def _has_point(texts: list[str]) -> bool:
    """Whether a text has a point that cannot separate thousands."""
    return any("." in text and not _POINT_THOUSAND.fullmatch(text) for text in texts)


def _notes(delimiter: str, has_header: bool) -> tuple[str, ...]:
    notes = []
    if delimiter != ",":
        notes.append(f"fields are separated by {DELIMITERS[delimiter]}s")
    if not has_header:
        notes.append("no header: columns are named by position")
    return tuple(notes)
