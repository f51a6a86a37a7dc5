"""What do rows of text hold?  Fields between commas, semicolons, tabs or pipes; one scan by DuckDB, every row is seen.

    file --scan--> cells:  the number, for a column of clean numbers at the head of the file, all checked while cast
                           the text, for any other column
    numbers  <- a column of texts that are plain numbers and missing words
    codes    <- the others: distinct texts numbered in SQL

A plain number is `-?digits[.digits][e+-digits]` without leading zeros and with at most 15 digits before the point; what
is written otherwise (+5, 007, ' 5 ', 12345678901234567) is left as text for the one routine that decides kinds. If
clean numbers turn out not to be, further down, they are read again as text: nothing is guessed from a sample only.
Small files and files of very many columns are read by `csv_wide.py`, by the same rules.
An empty cell, quoted or not, is missing. Line ends may be LF, CRLF, CR or mixed.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.table.notes import skipped_rows_note
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import csv_faults, csv_layout, csv_wide, files, sql

_BLOCK = 1 << 22
_FEW = 1000
SMALL_FILE = 1 << 16  # bytes; a file up to this size is read before DuckDB is imported


@dataclasses.dataclass(frozen=True)
class _Scan:
    """One file under one layout, ready to be read by SQL."""

    connection: sql.Connection
    local: Path
    layout: csv_layout.Layout
    skips: bool
    na_values: tuple[str, ...]
    has_underscores: bool

    def quick(self) -> list[int]:
        """The columns that look like clean numbers, to be cast while they are read."""
        return [position for position, is_clean in enumerate(self.layout.clean) if is_clean]

    def source(self) -> str:
        """The table function that yields every cell as text, named c0, c1, ..."""
        columns = ", ".join(f"'c{position}': 'VARCHAR'" for position in range(len(self.layout.names)))
        skip = ", store_rejects=true" if self.skips else ""
        header = str(self.layout.has_header).lower()
        return (
            f"read_csv({sql.file_literal(self.local)}, auto_detect=false, header={header}, "
            f"delim={sql.literal(self.layout.delimiter)}, quote='\"', escape='\"', strict_mode=true, "
            f"null_padding=false, max_line_size={csv_faults.LONGEST_LINE}, columns={{{columns}}}{skip})"
        )


def raw(
    path: files.Source,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    bad_rows: str = "error",
    na_values: Sequence[str] = (),
) -> RawTable:
    """Read a CSV file; settings left out are found in the file and said in the notes."""
    if bad_rows not in ("error", "skip"):
        raise OptionError(f"bad_rows must be 'error' or 'skip'; got {short_repr(bad_rows)}.", option="bad_rows")
    with _as_utf8(path, encoding) as (local, has_underscores):
        layout = csv_layout.find_layout(
            path, local, delimiter=delimiter, header=header, decimal=decimal, na_values=na_values
        )
        size, skips = local.stat().st_size, bad_rows == "skip"
        if size <= SMALL_FILE or csv_wide.is_wide(len(layout.names), size):
            columns, skipped = csv_wide.columns(path, local, layout, skips=skips, na_values=na_values)
        else:
            with sql.connected() as connection:
                scan = _Scan(connection, local, layout, skips, tuple(na_values), has_underscores)
                columns, skipped = _read_by_sql(path, scan)
    if len(columns[0]) == 0:
        raise files.wrong(path, "0 rows: there is only a header")
    return RawTable(columns, source=files.called(path), notes=(*layout.notes, *skipped))


def _read_by_sql(path: files.Source, scan: _Scan) -> tuple[tuple[RawColumn, ...], tuple[str, ...]]:
    """The columns of a file and the note about skipped rows; an error of DuckDB becomes one with line and reason."""
    import duckdb

    try:
        skipped = _scanned(scan)
        return _columns(scan), skipped
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        layout, reason = scan.layout, sql.first_line(error)
        raise csv_faults.fault(path, scan.local, layout.delimiter, len(layout.names), reason) from None


@contextlib.contextmanager
def _as_utf8(path: files.Source, encoding: str | None) -> Iterator[tuple[Path, bool]]:
    """The file as UTF-8 with one sort of line end, written again if need be; and whether it has underscores."""
    with files.plain(path) as local:
        files.check_memory(path, local.stat().st_size)
        name = files.encoding_of(path, local, encoding)
        is_utf8 = name.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig", "ascii")
        if is_utf8:
            is_even, has_underscores = _surveyed(path, local)
            if is_even:
                yield local, has_underscores
                return
        with files.temporary() as copy:
            files.transcoded(path, local, "utf-8-sig" if is_utf8 else name, copy)
            yield copy, _surveyed(path, copy)[1]


def _surveyed(path: files.Source, local: Path) -> tuple[bool, bool]:
    """Whether all line ends are LF, or all CRLF; and whether there are underscores. A NUL byte is an error."""
    lines = returns = pairs = done = 0
    last, has_underscores = b"", False
    with local.open("rb") as file:
        while block := file.read(_BLOCK):
            if b"\0" in block:
                offset = done + block.index(0)
                raise files.wrong(path, f"byte {offset} is NUL: it is not text", line=_lines_before(local, offset) + 1)
            if returns or last == b"\r" or b"\r" in block:
                returns += block.count(b"\r")
                pairs += block.count(b"\r\n") + (last == b"\r" and block.startswith(b"\n"))
                lines += block.count(b"\n")
            else:
                lines += b"\n" in block  # one is enough to know that a later return makes the ends uneven
            has_underscores = has_underscores or b"_" in block
            last = block[-1:]
            done += len(block)
    return returns == 0 or returns == pairs == lines, has_underscores


def _lines_before(local: Path, offset: int) -> int:
    with local.open("rb") as file:
        return file.read(offset).count(b"\n")


def _scanned(scan: _Scan) -> tuple[str, ...]:
    """Read the file once into the table `cells`; says what was skipped."""
    quick = scan.quick()
    parts = [
        f"TRY_CAST(c{position} AS DOUBLE) AS n{position}" if position in quick else f"c{position} AS t{position}"
        for position in range(len(scan.layout.names))
    ]
    # a null cell makes the whole null, never false, and bool_and passes over it
    check = " AND ".join(_is_plain(f"c{position}", scan.has_underscores) for position in quick) or "true"
    scan.connection.execute(
        f"CREATE TEMP TABLE cells AS SELECT {', '.join(parts)}, {check} AS plain FROM {scan.source()}"
    )
    if not scan.skips:
        return ()
    lines = [row[0] for row in scan.connection.rows("SELECT DISTINCT line FROM reject_errors ORDER BY 1")]
    return skipped_rows_note(lines)


def _is_plain(cell: str, has_underscores: bool) -> str:
    """Whether a cell is a plain number or null, by ranges of texts, which is faster than a pattern.

    DuckDB also casts ` 5`, `+5`, `nan` and `1_000`: hence a minus or digit first, a size (NaN has none), no underscore.
    """
    return (
        f"coalesce(abs(TRY_CAST({cell} AS DOUBLE)) < {sql.EXACT}, {cell} IS NULL) AND {cell} >= '-' "
        f"AND ({cell} < '00' OR {cell} >= '0:') AND ({cell} < '-00' OR {cell} >= '-0:')"
        + (f" AND NOT contains({cell}, '_')" if has_underscores else "")
    )


def _columns(scan: _Scan) -> tuple[RawColumn, ...]:
    connection, layout = scan.connection, scan.layout
    quick = scan.quick()
    again = []
    if not connection.rows("SELECT coalesce(bool_and(plain), true) FROM cells")[0][0]:
        again, quick = quick, []
    if again:
        texts = ", ".join(f"c{position} AS t{position}" for position in again)
        connection.execute(f"CREATE TEMP TABLE again AS SELECT {texts} FROM {scan.source()}")
    numbers = _numbers(connection, quick)
    columns = []
    for position, name in enumerate(layout.names):
        if position in numbers:
            columns.append(RawColumn(name, numbers=numbers[position], from_text=True))
        else:
            columns.append(_looked_at(scan, position, "again" if position in again else "cells"))
    return tuple(columns)


def _numbers(connection: sql.Connection, positions: list[int]) -> dict[int, Any]:
    if not positions:
        return {}
    found = connection.arrays("SELECT " + ", ".join(f"n{each}" for each in positions) + " FROM cells")
    return {each: np.ascontiguousarray(sql.as_doubles(found[f"n{each}"])) for each in positions}


def _looked_at(scan: _Scan, position: int, table: str) -> RawColumn:
    """A column kept as text: numbers when all of it but missing words is, else codes."""
    name, mark, notes = scan.layout.names[position], scan.layout.decimals[position], scan.layout.column_notes[position]
    cell = f"t{position}"
    if mark:
        words = ", ".join(map(sql.literal, scan.na_values)) or "NULL"
        pattern = csv_layout.PLAIN if mark == "." else csv_layout.COMMA
        plain = f"(regexp_full_match({cell}, '{pattern}') AND coalesce({cell} NOT IN ({words}), true))"
        left = scan.connection.rows(
            f"SELECT {cell}, count(*) FROM {table} WHERE {cell} IS NOT NULL AND NOT {plain} GROUP BY 1 LIMIT {_FEW}"
        )
        if {word for word, _ in left} <= set(scan.na_values):
            point = f"replace({cell}, ',', '.')" if mark == "," else cell
            values = sql.numbers(scan.connection, table, f"CASE WHEN {plain} THEN {point} END")
            said: tuple[str, ...] = ("written with a decimal comma",) if mark == "," else ()
            found = ", ".join(f"{count} by {short_repr(word)}" for word, count in sorted(left))
            said += (f"read as missing: {found}",) if found else ()
            return RawColumn(name, numbers=values, from_text=True, notes=(*notes, *said))
    codes, texts = sql.coded(scan.connection, table, cell)
    return RawColumn(name, codes=codes, texts=texts, from_text=True, notes=notes)
