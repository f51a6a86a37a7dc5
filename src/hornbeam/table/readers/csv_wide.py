"""Reads small files, and files with very many columns, for which one SQL statement per column would take hours.

    numbers   columns whose cells are simple numbers
    codes     all other columns: their distinct texts, numbered

The rules for numbers, missing values and bad rows are those of `csv.py`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from hornbeam.errors import short_repr
from hornbeam.table.memory import require_memory
from hornbeam.table.notes import missing_texts_note, skipped_rows_note
from hornbeam.table.number_grammar import simple_pattern
from hornbeam.table.raw import RawColumn
from hornbeam.table.readers import csv_faults
from hornbeam.table.readers.csv_layout import DECIMAL_COMMA, POINT_OR_THOUSAND, Layout
from hornbeam.table.readers.files import Source
from hornbeam.table.text_format import TextFormat

_MIN_COLUMNS = 256
_BYTES_PER_CELL = 150
_AMBIGUOUS = TextFormat(decimal="?")


def is_wide(n_columns: int, size: int) -> bool:
    """Whether a file of `size` bytes is read faster here: the time of SQL is quadratic in the number of columns."""
    return n_columns >= _MIN_COLUMNS and size < 100 * n_columns**2


def columns(
    path: Source, local: Path, layout: Layout, *, skips: bool, na_values: Sequence[str]
) -> tuple[tuple[RawColumn, ...], tuple[str, ...]]:
    """The columns of a file, and the notes about skipped rows."""
    require_memory(local.stat().st_size // 2 * _BYTES_PER_CELL, f"Reading {short_repr(str(local), 300)}")
    skipped: list[int] = []
    rows = list(_rows(path, local, layout, skips, skipped))
    found = []
    for position, name in enumerate(layout.names):
        texts = [row[position] for row in rows]
        found.append(_column(name, texts, layout, position, tuple(na_values)))
    return tuple(found), skipped_rows_note(skipped)


def _rows(path: Source, local: Path, layout: Layout, skips: bool, skipped: list[int]) -> Iterator[list[str]]:
    width = len(layout.names)
    is_past_header = not layout.has_header
    old_limit = csv.field_size_limit(csv_faults.MAX_RECORD_BYTES + 1)
    try:
        for line, text, fault in csv_faults.records(path, local, layout.delimiter, width):
            row = [] if fault else next(csv.reader([text], delimiter=layout.delimiter))
            if not is_past_header:
                is_past_header = True
            elif fault is None:
                yield row[:width]
            elif skips:
                skipped.append(line)
            else:
                raise fault
    finally:
        csv.field_size_limit(old_limit)


def _text_format(mark: str, has_point: bool, texts: Iterable[str]) -> TextFormat | None:
    """The format of simple numbers: None for integers, and _AMBIGUOUS where every point could separate thousands."""
    if mark == "," or has_point:
        return TextFormat(decimal=mark)
    pointed = [text for text in texts if "." in text]
    if not pointed:
        return None
    is_thousand = re.compile(POINT_OR_THOUSAND).fullmatch
    return _AMBIGUOUS if all(map(is_thousand, pointed)) else TextFormat()


def _column(name: str, texts: list[str], layout: Layout, position: int, missing: tuple[str, ...]) -> RawColumn:
    """Numbers if all but the missing values are simple numbers, else codes."""
    mark = layout.decimals[position]
    code = {text: index for index, text in enumerate(dict.fromkeys(text for text in texts if text))}
    codes = np.fromiter((code.get(text, -1) for text in texts), np.int32, len(texts))
    if mark:
        is_number = re.compile(simple_pattern(mark)).fullmatch
        others = [text for text in code if text in missing or not is_number(text)]
        text_format = _text_format(mark, layout.has_point[position], code)
        if set(others) <= set(missing) and text_format is not _AMBIGUOUS:
            known = [np.nan if text in others else float(text.replace(",", ".")) for text in code]
            values = np.array([*known, np.nan])[codes]
            counts = np.bincount(codes[codes >= 0], minlength=len(code))
            notes: tuple[str, ...] = (DECIMAL_COMMA,) if mark == "," else ()
            notes += missing_texts_note((text, int(counts[code[text]])) for text in sorted(others))
            return RawColumn(name, numbers=values, from_text=True, notes=notes, text_format=text_format)
    order = sorted(code)
    lookup = np.empty(len(code) + 1, dtype=np.int32)
    lookup[[code[text] for text in order]] = np.arange(len(order))
    lookup[-1] = -1
    return RawColumn(name, codes=lookup[codes], distinct=tuple(order), from_text=True)
