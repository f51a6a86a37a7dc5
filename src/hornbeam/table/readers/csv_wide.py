"""Reads small files, and files with very many columns, where one SQL statement per column would take hours.

    numbers   columns whose cells are plain numbers, cast row by row
    codes     all other columns: their distinct texts, numbered

The rules are those of `csv.py`: what a plain number is, what is missing, which rows are wrong.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from hornbeam.errors import short_repr
from hornbeam.table.memory import require_memory
from hornbeam.table.notes import skipped_rows_note
from hornbeam.table.raw import RawColumn
from hornbeam.table.readers import csv_faults
from hornbeam.table.readers.csv_layout import COMMA, PLAIN, Layout
from hornbeam.table.readers.files import Source

_FEWEST = 256
_BYTES_A_CELL = 150


def is_wide(n_columns: int, size: int) -> bool:
    """Whether a file of `size` bytes is read faster here: SQL takes a time that grows with the square of columns."""
    return n_columns >= _FEWEST and size < 100 * n_columns**2


def columns(
    path: Source, local: Path, layout: Layout, *, skips: bool, na_values: Sequence[str]
) -> tuple[tuple[RawColumn, ...], tuple[str, ...]]:
    """The columns of a file, and what is said of rows that were skipped."""
    require_memory(local.stat().st_size // 2 * _BYTES_A_CELL, f"Reading {short_repr(str(local), 300)}")
    skipped: list[int] = []
    rows = list(_rows(path, local, layout, skips, skipped))
    made = []
    for position, name in enumerate(layout.names):
        texts = [row[position] for row in rows]
        made.append(_column(name, texts, layout, position, tuple(na_values)))
    return tuple(made), skipped_rows_note(skipped)


def _rows(path: Source, local: Path, layout: Layout, skips: bool, skipped: list[int]) -> Iterator[list[str]]:
    width = len(layout.names)
    wanted = not layout.has_header
    longest = csv.field_size_limit(csv_faults.LONGEST_LINE + 1)
    try:
        for line, text, fault in csv_faults.records(path, local, layout.delimiter, width):
            row = [] if fault else next(csv.reader([text], delimiter=layout.delimiter))
            if not wanted:
                wanted = True
            elif fault is None:
                yield row[:width]
            elif skips:
                skipped.append(line)
            else:
                raise fault
    finally:
        csv.field_size_limit(longest)


def _column(name: str, texts: list[str], layout: Layout, position: int, words: tuple[str, ...]) -> RawColumn:
    """Numbers when all of it but missing words is, else codes."""
    mark, notes = layout.decimals[position], layout.column_notes[position]
    code = {text: place for place, text in enumerate(dict.fromkeys(text for text in texts if text))}
    codes = np.fromiter((code.get(text, -1) for text in texts), np.int32, len(texts))
    if mark:
        is_number = re.compile(PLAIN if mark == "." else COMMA).fullmatch
        left = [text for text in code if text in words or not is_number(text)]
        if set(left) <= set(words):
            known = [np.nan if text in left else float(text.replace(",", ".")) for text in code]
            values = np.array([*known, np.nan])[codes]
            counts = np.bincount(codes[codes >= 0], minlength=len(code))
            said: tuple[str, ...] = ("written with a decimal comma",) if mark == "," else ()
            found = ", ".join(f"{counts[code[text]]} by {short_repr(text)}" for text in sorted(left))
            said += (f"read as missing: {found}",) if found else ()
            return RawColumn(name, numbers=values, from_text=True, notes=(*notes, *said))
    order = sorted(code)
    place = np.empty(len(code) + 1, dtype=np.int32)
    place[[code[text] for text in order]] = np.arange(len(order))
    place[-1] = -1
    return RawColumn(name, codes=place[codes], texts=tuple(order), from_text=True, notes=notes)
