"""Reads delimited text (comma, semicolon, tab or pipe) with DuckDB, in one scan of all rows.

    file --scan--> cells:  the number, for a column that has only simple numbers at the head of the file
                           the text, for any other column
    numbers  <- a column of texts that are simple numbers or missing values
    codes    <- the others: the distinct texts, numbered in SQL

`number_grammar.py` defines simple numbers; other texts (+5, 007, ' 5 ', 12345678901234567) are left as text for
`kinds.py`, which decides per column. If a later row of a column of simple numbers is not one, the column is read again
as text: no decision depends on a sample only.
Small files and files with very many columns are read by `csv_wide.py`, by the same
rules. An empty cell, quoted or not, is missing. Line ends may be LF, CRLF, CR or mixed.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, Set, short_repr
from hornbeam.table.notes import Note, NoteCode, missing_texts_note, skipped_rows_note
from hornbeam.table.number_grammar import UNUSUAL_BYTES, is_simple_sql, simple_pattern
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import csv_faults, csv_layout, csv_wide, files, sql
from hornbeam.table.text_format import TextFormat

_BLOCK = 1 << 22
_MAX_OTHER_TEXTS = 1000
_CP1252 = Note("the text is not UTF-8: read as cp1252", NoteCode.ENCODING, Set("encoding", purpose="sets another"))
SMALL_FILE = 1 << 16  # bytes; a file up to this size is read before DuckDB is imported


@dataclasses.dataclass(frozen=True)
class Scan:
    """One file with its layout, as SQL reads it."""

    connection: sql.Connection
    local: Path
    layout: csv_layout.Layout
    skips: bool
    na_values: tuple[str, ...]
    has_unusual_bytes: bool

    def cast_columns(self) -> list[int]:
        """The columns of simple numbers, as far as the head of the file shows; they are cast in the scan."""
        return [position for position, is_simple in enumerate(self.layout.is_simple) if is_simple]

    def source(self) -> str:
        """The table function that yields every cell as text, named c0, c1, ..."""
        columns = ", ".join(f"'c{position}': 'VARCHAR'" for position in range(len(self.layout.names)))
        skip = ", store_rejects=true" if self.skips else ""
        header = str(self.layout.has_header).lower()
        return (
            f"read_csv({sql.file_literal(self.local)}, auto_detect=false, header={header}, "
            f"delim={sql.literal(self.layout.delimiter)}, quote='\"', escape='\"', strict_mode=true, "
            f"null_padding=false, max_line_size={csv_faults.MAX_RECORD_BYTES}, columns={{{columns}}}{skip})"
        )


def raw(
    path: files.Source,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    bad_rows: str = "error",
    na_values: Sequence[str] = (),
) -> RawTable:
    """Read a CSV file; settings that are None are detected, with a note."""
    if bad_rows not in ("error", "skip"):
        raise OptionError(f"bad_rows must be one of error, skip, got {short_repr(bad_rows)}.", option="bad_rows")
    with as_utf8(path, encoding) as (local, has_unusual_bytes, encoding_notes):
        layout = csv_layout.find_layout(
            path,
            local,
            delimiter=delimiter,
            header=header,
            decimal=decimal,
            thousands=thousands,
            na_values=na_values,
        )
        size, skips = local.stat().st_size, bad_rows == "skip"
        if size <= SMALL_FILE or csv_wide.is_wide(len(layout.names), size):
            columns, skipped = csv_wide.columns(path, local, layout, skips=skips, na_values=na_values)
        else:
            with sql.connected() as connection:
                scan = Scan(connection, local, layout, skips, tuple(na_values), has_unusual_bytes)
                columns, skipped = _read_by_sql(path, scan)
    if len(columns[0]) == 0:
        raise files.wrong(path, "0 rows, only a header")
    return RawTable(columns, source=files.called(path), notes=(*encoding_notes, *layout.notes, *skipped))


def _read_by_sql(path: files.Source, scan: Scan) -> tuple[tuple[RawColumn, ...], tuple[str, ...]]:
    """The columns of a file and the note about skipped rows; an error of DuckDB becomes one with line and reason."""
    import duckdb

    try:
        skipped = _scan_file(scan)
        return _columns(scan), skipped
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        layout, reason = scan.layout, sql.first_line(error)
        raise csv_faults.fault(path, scan.local, layout.delimiter, len(layout.names), reason) from None


@contextlib.contextmanager
def as_utf8(
    path: files.Source, encoding: str | None, *, fits_memory: bool = True
) -> Iterator[tuple[Path, bool, tuple[Note, ...]]]:
    """The file as UTF-8 with uniform line ends (a temporary copy if necessary), whether it has unusual bytes, notes.

    A file that is not UTF-8 is read as cp1252, with a note, unless an encoding is given. `fits_memory`: raise an error
    if the table of the file would not fit into memory.
    """
    with files.uncompressed(path) as local:
        if fits_memory:
            files.check_memory(path, local.stat().st_size)
        name = files.encoding_of(path, local, encoding)
        is_utf8 = name.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig", "ascii")
        notes: tuple[Note, ...] = ()
        if is_utf8:
            is_uniform, has_unusual_bytes, is_cp1252 = _inspect_bytes(path, local)
            if is_cp1252 and encoding is None:
                is_utf8, name, notes = False, "cp1252", (_CP1252,)
            elif is_uniform:
                yield local, has_unusual_bytes, ()
                return
        with files.temporary() as copy:
            files.transcode(path, local, "utf-8-sig" if is_utf8 else name, copy)
            yield copy, _inspect_bytes(path, copy)[1], notes


def _inspect_bytes(path: files.Source, local: Path) -> tuple[bool, bool, bool]:
    """Whether all line ends are LF or all are CRLF, whether there are unusual bytes, whether the text is cp1252.

    A NUL byte is an error.
    """
    lines = returns = pairs = done = 0
    last, has_unusual_bytes, encoding = b"", False, files.EncodingCheck()
    with local.open("rb") as file:
        while block := file.read(_BLOCK):
            if b"\0" in block:
                offset = done + block.index(0)
                raise files.wrong(
                    path, f"byte {offset} is NUL, so the file is not text", line=_lines_before(local, offset) + 1
                )
            if returns or last == b"\r" or b"\r" in block:
                returns += block.count(b"\r")
                pairs += block.count(b"\r\n") + (last == b"\r" and block.startswith(b"\n"))
                lines += block.count(b"\n")
            else:
                lines += b"\n" in block  # one is enough to know that a later return makes the ends differ
            has_unusual_bytes = has_unusual_bytes or any(each in block for each in UNUSUAL_BYTES)
            encoding.add(block)
            last = block[-1:]
            done += len(block)
    return returns == 0 or returns == pairs == lines, has_unusual_bytes, encoding.is_cp1252


def _lines_before(local: Path, offset: int) -> int:
    with local.open("rb") as file:
        return file.read(offset).count(b"\n")


def _scan_file(scan: Scan) -> tuple[str, ...]:
    """Read the file once into the table `cells`; the notes about skipped rows."""
    cast = scan.cast_columns()
    expressions = [
        f"TRY_CAST(c{position} AS DOUBLE) AS n{position}" if position in cast else f"c{position} AS t{position}"
        for position in range(len(scan.layout.names))
    ]
    # A null cell makes the conjunction null, not false, and bool_and ignores nulls.
    checks = [is_simple_sql(f"c{position}", scan.has_unusual_bytes) for position in cast]
    # Where the head shows integers only, a later point could separate thousands: the column is then read as text.
    checks += [f"NOT contains(c{position}, '.')" for position in cast if not scan.layout.has_point[position]]
    check = " AND ".join(checks) or "true"
    scan.connection.execute(
        f"CREATE TEMP TABLE cells AS SELECT {', '.join(expressions)}, {check} AS is_simple FROM {scan.source()}"
    )
    if not scan.skips:
        return ()
    return skipped_rows_note(
        [row[0] for row in scan.connection.rows("SELECT DISTINCT line FROM reject_errors ORDER BY 1")]
    )


def _columns(scan: Scan) -> tuple[RawColumn, ...]:
    connection, layout = scan.connection, scan.layout
    cast = scan.cast_columns()
    again = []
    if not connection.rows("SELECT coalesce(bool_and(is_simple), true) FROM cells")[0][0]:
        again, cast = cast, []
    if again:
        texts = ", ".join(f"c{position} AS t{position}" for position in again)
        connection.execute(f"CREATE TEMP TABLE again AS SELECT {texts} FROM {scan.source()}")
    numbers = _numbers(connection, cast)
    columns = []
    for position, name in enumerate(layout.names):
        if position in numbers:
            text_format = TextFormat() if layout.has_point[position] else None
            columns.append(RawColumn(name, numbers=numbers[position], from_text=True, text_format=text_format))
        else:
            columns.append(_column_of_texts(scan, position, "again" if position in again else "cells"))
    return tuple(columns)


def _numbers(connection: sql.Connection, positions: list[int]) -> dict[int, Any]:
    if not positions:
        return {}
    found = connection.arrays("SELECT " + ", ".join(f"n{each}" for each in positions) + " FROM cells")
    return {each: np.ascontiguousarray(sql.as_float64(found[f"n{each}"])) for each in positions}


def _column_of_texts(scan: Scan, position: int, table: str) -> RawColumn:
    """A column of texts: numbers if all but the missing values are simple numbers, else codes."""
    name = scan.layout.names[position]
    found = number_expression(scan, position, table)
    if found is not None:
        values = sql.numbers(scan.connection, table, found.sql)
        return RawColumn(name, numbers=values, from_text=True, notes=found.notes, text_format=found.text_format)
    codes, distinct = sql.coded(scan.connection, table, f"t{position}")
    return RawColumn(name, codes=codes, distinct=distinct, from_text=True)


@dataclasses.dataclass(frozen=True)
class NumberExpression:
    """SQL for the numbers of a column of texts, and what is known about them."""

    sql: str
    notes: tuple[str, ...]
    text_format: TextFormat


def number_expression(scan: Scan, position: int, table: str) -> NumberExpression | None:
    """The numbers of a column of texts if all but the missing values are simple numbers, else None."""
    mark, cell = scan.layout.decimals[position], f"t{position}"
    if not mark:
        return None
    missing = ", ".join(map(sql.literal, scan.na_values)) or "NULL"
    matches = f"regexp_full_match({cell}, '{simple_pattern(mark)}')"
    is_number = f"({matches} AND coalesce({cell} NOT IN ({missing}), true))"
    others = scan.connection.rows(
        f"SELECT {cell}, count(*) FROM {table} WHERE {cell} IS NOT NULL AND NOT {is_number} "
        f"GROUP BY 1 LIMIT {_MAX_OTHER_TEXTS}"
    )
    if not {text for text, _ in others} <= set(scan.na_values) or _is_ambiguous(scan, position, table, is_number):
        return None
    point = f"replace({cell}, ',', '.')" if mark == "," else cell
    notes: tuple[str, ...] = (csv_layout.DECIMAL_COMMA,) if mark == "," else ()
    notes += missing_texts_note(sorted(others))
    return NumberExpression(f"CASE WHEN {is_number} THEN {point} END", notes, TextFormat(decimal=mark))


def _is_ambiguous(scan: Scan, position: int, table: str, is_number: str) -> bool:
    """Whether every point of a column could separate thousands."""
    if scan.layout.decimals[position] == "," or scan.layout.has_point[position]:
        return False
    cell = f"t{position}"
    other = f"contains({cell}, '.') AND NOT regexp_full_match({cell}, '{csv_layout.POINT_OR_THOUSAND}')"
    has_dot, has_point = scan.connection.rows(
        f"SELECT bool_or(contains({cell}, '.')), bool_or({other}) FROM {table} WHERE {is_number}"
    )[0]
    return bool(has_dot) and not has_point
