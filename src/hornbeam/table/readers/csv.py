"""What do rows of text hold?  Fields between commas, semicolons, tabs or pipes; one scan by DuckDB, every row looked at.

    file --scan--> cells:  the number, for a column of clean numbers at the head of the file, all checked while cast
                           the text, for any other column
    numbers  <- a column of texts that are plain numbers and missing words
    codes    <- the others: distinct texts numbered in SQL

A plain number is `-?digits[.digits][e+-digits]` without leading zeros and with at most 15 digits before the point; what is
written otherwise (+5, 007, ' 5 ', 12345678901234567) is left as text for the one routine that decides kinds. If clean numbers
turn out not to be, further down, they are read again as text: nothing is guessed from a sample only.
An empty cell, quoted or not, is missing. Line ends may be LF, CRLF, CR or mixed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, shown
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import csv_faults, csv_layout, files, sql

_BLOCK = 1 << 22
_FEW = 1000


@dataclasses.dataclass(frozen=True)
class _Scan:
    """One file under one layout, ready to be read by SQL."""

    connection: Any
    local: Path
    layout: csv_layout.Layout
    skips: bool
    missing_words: tuple[str, ...]

    def quick(self) -> list[int]:
        """The columns that look like clean numbers, to be cast while they are read."""
        return [position for position, is_clean in enumerate(self.layout.clean) if is_clean]

    def source(self) -> str:
        """The table function that yields every cell as text, named c0, c1, ..."""
        columns = ", ".join(f"'c{position}': 'VARCHAR'" for position in range(len(self.layout.names)))
        skip = ", store_rejects=true" if self.skips else ""
        return (
            f"read_csv({sql.file_literal(self.local)}, auto_detect=false, header={str(self.layout.has_header).lower()}, "
            f"delim={sql.literal(self.layout.delimiter)}, quote='\"', escape='\"', strict_mode=true, null_padding=false, "
            f"max_line_size={csv_faults.LONGEST_LINE}, columns={{{columns}}}{skip})"
        )


def raw(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    bad_rows: str = "error",
    missing_words: Sequence[str] = (),
) -> RawTable:
    """Read a CSV file; settings left out are found in the file and said in the notes."""
    import duckdb

    if bad_rows not in ("error", "skip"):
        raise OptionError(f"bad_rows must be 'error' or 'skip'; got {shown(bad_rows)}.", option="bad_rows")
    with _as_utf8(path, encoding) as local, sql.connected() as connection:
        layout = csv_layout.found(
            path, local, delimiter=delimiter, header=header, decimal=decimal, missing_words=missing_words
        )
        scan = _Scan(connection, local, layout, bad_rows == "skip", tuple(missing_words))
        try:
            skipped = _scanned(scan)
            columns = _columns(scan)
        except duckdb.Error as error:
            reason = sql.first_line(error)
            raise csv_faults.fault(path, local, layout.delimiter, len(layout.names), reason) from None
    if len(columns[0]) == 0:
        raise files.wrong(path, "0 rows: there is only a header")
    return RawTable(columns, source=os.fspath(path), notes=(*layout.notes, *skipped))


@contextlib.contextmanager
def _as_utf8(path: str | os.PathLike[str], encoding: str | None) -> Iterator[Path]:
    """The file as UTF-8 with one sort of line end; written again to a temporary file only when it is not so already."""
    with files.plain(path) as local:
        files.check_memory(path, local.stat().st_size)
        name = files.encoding_of(path, local, encoding)
        is_utf8 = name.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig", "ascii")
        if is_utf8 and _has_even_line_ends(path, local):
            yield local
            return
        with files.temporary() as copy:
            files.transcoded(path, local, "utf-8-sig" if is_utf8 else name, copy)
            if not is_utf8:
                _has_even_line_ends(path, copy)
            yield copy


def _has_even_line_ends(path: str | os.PathLike[str], local: Path) -> bool:
    """Whether all line ends are LF, or all CRLF; a NUL byte on the way is an error."""
    lines = returns = pairs = done = 0
    last = b""
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
            last = block[-1:]
            done += len(block)
    return returns == 0 or returns == pairs == lines


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
    check = " AND ".join(f"coalesce({_is_plain(f'c{position}')}, true)" for position in quick) or "true"
    scan.connection.execute(f"CREATE TEMP TABLE cells AS SELECT {', '.join(parts)}, {check} AS plain FROM {scan.source()}")
    if not scan.skips:
        return ()
    lines = [row[0] for row in scan.connection.execute("SELECT DISTINCT line FROM reject_errors ORDER BY 1").fetchall()]
    some = ", ".join(map(str, lines[:10])) + (", ..." if len(lines) > 10 else "")
    return (f"skipped bad rows: {len(lines)} (lines {some})",) if lines else ()


def _is_plain(cell: str) -> str:
    """Whether a cell is a plain number, by ranges of texts (faster than a pattern): first character, leading zero, size."""
    return (
        f"(TRY_CAST({cell} AS DOUBLE) BETWEEN {1 - sql.EXACT} AND {sql.EXACT - 1} AND {cell} BETWEEN '-' AND ':' "
        f"AND NOT {cell} BETWEEN '00' AND '0:' AND NOT {cell} BETWEEN '-00' AND '-0:' AND NOT contains({cell}, '_'))"
    )


def _columns(scan: _Scan) -> tuple[RawColumn, ...]:
    connection, layout = scan.connection, scan.layout
    quick = scan.quick()
    again = []
    if not connection.execute("SELECT bool_and(plain) FROM cells").fetchall()[0][0]:
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


def _numbers(connection: Any, positions: list[int]) -> dict[int, Any]:
    if not positions:
        return {}
    found = connection.execute("SELECT " + ", ".join(f"n{each}" for each in positions) + " FROM cells").fetchnumpy()
    return {each: np.ascontiguousarray(sql.as_doubles(found[f"n{each}"])) for each in positions}


def _looked_at(scan: _Scan, position: int, table: str) -> RawColumn:
    """A column kept as text: numbers when all of it but missing words is, else codes."""
    name, mark, notes = scan.layout.names[position], scan.layout.decimals[position], scan.layout.column_notes[position]
    cell = f"t{position}"
    if mark:
        words = ", ".join(map(sql.literal, scan.missing_words)) or "NULL"
        pattern = csv_layout.PLAIN if mark == "." else csv_layout.COMMA
        plain = f"(regexp_full_match({cell}, '{pattern}') AND coalesce({cell} NOT IN ({words}), true))"
        left = scan.connection.execute(
            f"SELECT {cell}, count(*) FROM {table} WHERE {cell} IS NOT NULL AND NOT {plain} GROUP BY 1 LIMIT {_FEW}"
        ).fetchall()
        if {word for word, _ in left} <= set(scan.missing_words):
            point = f"replace({cell}, ',', '.')" if mark == "," else cell
            values = sql.numbers(scan.connection, table, f"CASE WHEN {plain} THEN {point} END")
            said = ("written with a decimal comma",) if mark == "," else ()
            said += tuple(f"{shown(word)} read as missing: {count}" for word, count in sorted(left))
            return RawColumn(name, numbers=values, from_text=True, notes=(*notes, *said))
    codes, texts = sql.coded(scan.connection, table, cell)
    return RawColumn(name, codes=codes, texts=texts, from_text=True, notes=notes)
