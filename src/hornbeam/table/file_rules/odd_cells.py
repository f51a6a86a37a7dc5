"""A column of numbers in which a few cells are other texts: a note names the texts, or an error names the cell.

If at least 99 % of the cells are numbers, the others are probably typing errors, and the user decides; if at least half
are, the column stays text, with a note. `is_requested`: the column must be numeric, so any other cell is an error.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, Set, short_repr
from hornbeam.table.conversion import codes_of
from hornbeam.table.dates import is_in, read_dates
from hornbeam.table.file_rules.missing_texts import is_missing_text
from hornbeam.table.file_rules.numbers import are_numbers_in
from hornbeam.table.file_rules.settings import FileSettings
from hornbeam.table.notes import Note, NoteCode, counted_texts
from hornbeam.table.raw import RawColumn
from hornbeam.table.text_format import TextFormat

_MOSTLY, _HALF = 0.99, 0.5
_SIGN = r"[%$\u20ac\u00a3\u00a5]?"
_ROUGH = re.compile(rf"{_SIGN} ?[+\-\u2212]?[.,]?[0-9][0-9.,' \u00a0\u202f\u2019]*(?:[eE][+-]?[0-9]+)?{_SIGN}")
_MAX_TRIED, _MAX_LISTED = 200, 3


def report_odd_cells(
    raw: RawColumn,
    settings: FileSettings,
    decimals: Callable[[], Collection[str]],
    *,
    is_requested: bool,
    na_values: Sequence[str] = (),
) -> RawColumn:
    """The column with a note about its texts that are no numbers; an error if nearly all cells are numbers.

    `na_values` are the given texts that the column has: a setting that lists further ones repeats them.
    """
    codes = codes_of(raw)
    rows = np.bincount(codes + 1, minlength=len(raw.distinct) + 1)[1:]
    is_like_number = np.fromiter((_ROUGH.fullmatch(text) is not None for text in raw.distinct), np.bool_)
    if not is_requested and int(rows[is_like_number].sum()) < _HALF * int(rows.sum()):
        return raw
    best = max(_formats(settings, decimals()), key=lambda each: int(rows[are_numbers_in(raw.distinct, each)].sum()))
    is_number = are_numbers_in(raw.distinct, best)
    is_odd = ~is_number
    if settings.keep_default_na:
        is_odd &= ~np.fromiter(map(is_missing_text, raw.distinct), np.bool_, len(raw.distinct))
    n_numbers, n_known = int(rows[is_number].sum()), int(rows[is_number | is_odd].sum())
    if is_requested or n_numbers >= _MOSTLY * n_known:
        row = int(np.argmax(np.isin(codes, np.flatnonzero(is_odd))))
        raise _bad_cell(raw, row, n_numbers, n_known, na_values, is_requested)
    return dataclasses.replace(raw, notes=(*raw.notes, _note(raw, rows, is_number, na_values)))


def _note(
    raw: RawColumn, rows: npt.NDArray[np.int64], is_number: npt.NDArray[np.bool_], na_values: Sequence[str]
) -> Note:
    """The note about the texts that are no numbers, or about numbers in several forms."""
    n_numbers, n_known = int(rows[is_number].sum()), int(rows.sum())
    order = np.argsort(-rows[~is_number], kind="stable")
    others = [raw.distinct[code] for code in np.flatnonzero(~is_number)[order]]
    counts = rows[~is_number][order].tolist()
    if n_numbers < _HALF * n_known or all(map(_ROUGH.fullmatch, others)):
        plain = next((text for text, is_plain in zip(raw.distinct, is_number) if is_plain), others[-1])
        text = f"numbers in several forms, such as {short_repr(others[0], 20)} and {short_repr(plain, 20)}"
        return Note(f"{text}: kept as text", NoteCode.ODD_TEXTS)
    few = [*others, *na_values] if len(others) <= _MAX_LISTED else ...
    return Note(
        f"{n_numbers:,} of {n_known:,} cells are numbers, but {counted_texts(zip(others, counts))}; kept as text",
        NoteCode.ODD_TEXTS,
        Set("na_values", few, "reads them as missing"),
    )


def _formats(settings: FileSettings, decimals: Collection[str]) -> list[TextFormat]:
    """The formats to try, the likely ones first."""
    marks = [settings.decimal] if settings.decimal else sorted({".", ","}, key=lambda mark: mark not in decimals)
    found = []
    for mark in marks:
        other = "," if mark == "." else "."
        for thousands in ("", other) if settings.thousands is None else (settings.thousands,):
            if thousands != mark:
                found.append(TextFormat(decimal=mark, thousands=thousands))
    return found


def _bad_cell(
    raw: RawColumn, row: int, n_numbers: int, n_known: int, na_values: Sequence[str], is_requested: bool
) -> InputError:
    value = raw.distinct[codes_of(raw)[row]]
    nominal = () if is_requested else (Set("kinds", {raw.name: "nominal"}),)
    return InputError(
        f"Column {short_repr(raw.name)} is a number in {n_numbers} of {n_known} rows, but row {row} contains "
        f"{short_repr(value)}.",
        fix=(Set("na_values", [value, *na_values], purpose="to count it as missing"), *nominal),
        hint="or correct the value.",
        column=raw.name,
        row=row,
        value=value,
    )


def bad_date(raw: RawColumn, texts: Sequence[str], given: Sequence[str]) -> InputError:
    """The error about the first cell that is no date, or about dates with two readings."""
    reading = None if given else read_dates(texts)
    if reading is not None and not reading.is_certain:
        formats = dict.fromkeys(reading.formats)
        return InputError(
            f"Column {short_repr(raw.name)} contains dates such as {short_repr(texts[0])}, which have more than one "
            "reading.",
            fix=[Set("date_format", each) for each in formats],
            column=raw.name,
        )
    best = given[0] if given else _likely_format(texts)
    wrong = [code for code, text in enumerate(raw.distinct) if text in texts and not (best and is_in(text, best))]
    row = int(np.argmax(np.isin(codes_of(raw), wrong)))
    value = raw.distinct[codes_of(raw)[row]]
    return InputError(
        f"Column {short_repr(raw.name)}, row {row}, must be a date ({best or 'YYYY-MM-DD'}), got {short_repr(value)}.",
        fix=(Set("na_values", [value], purpose="to count it as missing"), Set("date_format")),
        hint="or correct the value.",
        column=raw.name,
        row=row,
        value=value,
    )


def _likely_format(texts: Sequence[str]) -> str:
    """The format of most of the first texts; '' if none is a date."""
    counts: Counter[str] = Counter()
    for text in texts[:_MAX_TRIED]:
        reading = read_dates([text])
        counts.update(reading.formats if reading is not None else ())
    return counts.most_common(1)[0][0] if counts else ""
