"""Converts raw values to numbers or codes of a given kind.

Each conversion either keeps every value or raises an error with the column, the row and the value.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, Set, did_you_mean, short_repr
from hornbeam.table import coding, number_grammar, texts
from hornbeam.table.column import MISSING, Column, Kind
from hornbeam.table.dates import days_of
from hornbeam.table.days import NOTE_DATES, days_of_values
from hornbeam.table.level_values import level_value, with_level_values
from hornbeam.table.notes import Note, NoteCode, has_note, missing_texts_note
from hornbeam.table.raw import RawColumn
from hornbeam.table.remarks import DATES, remarks_on_levels, remarks_on_numbers
from hornbeam.table.text_format import ISO_DATE, ISO_TIME, TextFormat


def first_row(raw: RawColumn, code: int) -> int:
    """The first row with a code."""
    return int(np.argmax(codes_of(raw) == code))


def codes_of(raw: RawColumn) -> npt.NDArray[np.int32]:
    """The codes of a column; empty for a column of numbers."""
    return raw.codes if raw.codes is not None else np.empty(0, dtype=np.int32)


def reject_infinite(column: Column) -> None:
    """Raise an error if a numeric column contains an infinite value."""
    values = column.source
    if len(values) and np.isinf(values).any():
        row = int(np.argmax(np.isinf(values)))
        raise InputError(
            f"Column {short_repr(column.name)}, row {row}, must be finite, got {values[row]}.",
            fix=Set("infinite", "ordered", "to order it beyond all numbers"),
            hint="or replace it with a missing value.",
            column=column.name,
            row=row,
        )


def column_value_type(raw: RawColumn) -> str:
    """The value type of a coded column, '' if all is missing; an error for two types or an unsupported one."""
    types = coding.value_types(raw.distinct)
    if len(types) > 1:
        coding.reject_mixture(raw.name, [raw.distinct[code] if code >= 0 else None for code in codes_of(raw)])
    found = next(iter(types), "")
    if found in ("bytes", "complex") or (found == coding.OTHER and raw.declared is None):
        row = int(np.argmax(codes_of(raw) >= 0))
        value = raw.distinct[codes_of(raw)[row]]
        hint = (
            'Decode it first, for example .str.decode("utf-8").'
            if found == "bytes"
            else "Convert it to numbers or text."
        )
        raise InputError(
            f"Column {short_repr(raw.name)}, row {row}, must be a number, text, true or false, or a date, "
            f"got {short_repr(value)} ({type(value).__name__}).",
            hint=hint,
            column=raw.name,
            row=row,
        )
    return found


def mark_missing(raw: RawColumn, na_values: Collection[str]) -> RawColumn:
    """The column with the cells that are one of `na_values` as missing; a note counts them."""
    if not na_values or raw.codes is None:
        return raw
    missing = frozenset(na_values)
    # Most columns contain none of the texts: test all distinct values at once before testing each.
    strings = [value for value in raw.distinct if isinstance(value, str)]
    if missing.isdisjoint(map(str.strip, strings) if raw.from_text else strings) and missing.isdisjoint(strings):
        return raw
    found = [
        (code, text)
        for code, text in enumerate(raw.distinct)
        if isinstance(text, str) and (text in missing or (raw.from_text and text.strip() in missing))
    ]
    if not found:
        return raw
    for _, text in found:
        if raw.levels is not None and text in raw.levels:
            raise InputError(
                f"Column {short_repr(raw.name)} declares the level {short_repr(text)}, which is also one of na_values.",
                fix=Set("na_values", purpose="without this text"),
                hint="or rename the level.",
                column=raw.name,
                level=text,
            )
    counts = np.bincount(raw.codes + 1, minlength=len(raw.distinct) + 1)[1:]
    removed = {code for code, _ in found}
    lookup = np.full(len(raw.distinct) + 1, MISSING, dtype=np.int32)
    kept = [code for code in range(len(raw.distinct)) if code not in removed]
    lookup[kept] = np.arange(len(kept), dtype=np.int32)
    return dataclasses.replace(
        raw,
        codes=lookup[raw.codes],
        distinct=tuple(raw.distinct[code] for code in kept),
        notes=raw.notes + missing_texts_note((text, int(counts[code])) for code, text in found),
    )


def without_unused_values(raw: RawColumn) -> RawColumn:
    """The column without the distinct values that no row has."""
    codes = codes_of(raw)
    counts = np.bincount(codes + 1, minlength=len(raw.distinct) + 1)[1:] if len(raw.distinct) else np.empty(0)
    if counts.all():
        return raw
    kept = np.flatnonzero(counts)
    lookup = np.full(len(raw.distinct) + 1, MISSING, dtype=np.int32)
    lookup[kept] = np.arange(len(kept), dtype=np.int32)
    return dataclasses.replace(raw, codes=lookup[codes], distinct=tuple(raw.distinct[code] for code in kept.tolist()))


def reject_unstorable(raw: RawColumn) -> None:
    """Raise an error if a text cannot be encoded as UTF-8."""
    text = texts.unstorable(raw.distinct)
    if text is not None:
        row = first_row(raw, raw.distinct.index(text))
        raise InputError(
            f"Column {short_repr(raw.name)}, row {row}, cannot be encoded as UTF-8: {short_repr(ascii(text))}.",
            hint="Decode the source with the correct encoding; the text contains half of a surrogate pair.",
            column=raw.name,
            row=row,
        )


def distinct_numbers(
    raw: RawColumn, value_type: str, decimal: str = ".", *, is_date: bool = False
) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """The distinct values of a column that must be numeric as numbers, and notes; or an error with the row."""
    if not raw.distinct:
        return np.empty(0), ()
    if value_type in (coding.DATE, coding.DURATION):
        return days_of_values(raw.distinct, value_type)
    if value_type in (coding.NUMBER, coding.BOOLEAN):
        return as_float64(raw)
    numbers = days_of(raw.distinct) if is_date else number_grammar.parse_numbers(raw.distinct, decimal)
    if numbers is not None:
        return numbers, (NOTE_DATES,) if is_date else ()
    wrong = [code for code, text in enumerate(raw.distinct) if not _converts(text, decimal, is_date)]
    row = int(np.argmax(np.isin(codes_of(raw), wrong)))
    raise InputError(
        f"Column {short_repr(raw.name)}, row {row}, must be a {'date (YYYY-MM-DD)' if is_date else 'number'}, "
        f"got {short_repr(raw.distinct[codes_of(raw)[row]])}.",
        fix=Set("na_values", purpose="to count it as missing"),
        hint="or correct the value.",
        column=raw.name,
        row=row,
        value=raw.distinct[codes_of(raw)[row]],
    )


def _converts(text: Any, decimal: str, is_date: bool) -> bool:
    if not isinstance(text, str):
        return False
    return (days_of([text]) if is_date else number_grammar.parse_numbers([text], decimal)) is not None


def loses_precision(value: Any) -> bool:
    """Whether an integer changes when it is converted to float64."""
    if isinstance(value, (float, np.floating)) or abs(value) <= number_grammar.LARGEST_EXACT or value != int(value):
        return False
    return abs(value) > 1.7e308 or int(float(value)) != int(value)


def as_float64(raw: RawColumn) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Typed numbers as float64, with a note about lost digits; an error if two numbers become equal."""
    try:
        numbers = np.fromiter(map(float, raw.distinct), np.float64, len(raw.distinct))
    except OverflowError:
        numbers = np.array([np.inf])
    if len(np.unique(numbers)) < len(raw.distinct):
        raise InputError(
            f"Column {short_repr(raw.name)} contains different numbers that are equal as float64 (exact up to 2^53).",
            fix=Set("kinds", {raw.name: "nominal"}),
            hint="or subtract an offset.",
            column=raw.name,
        )
    lost = [v for v, number in zip(raw.distinct, numbers.tolist()) if not isinstance(v, float) and _differs(v, number)]
    if not lost:
        return numbers, ()
    return numbers, (Note(f"rounded to float64: {short_repr(lost[0])} and {len(lost) - 1} more", NoteCode.ROUNDED),)


def _differs(value: Any, number: float) -> bool:
    if type(value).__name__ == "Decimal":
        return bool(type(value)(repr(number)) != value)
    return bool(value != number)


def numeric_column(
    raw: RawColumn, numbers: npt.NDArray[np.float64], why: str, notes: tuple[str, ...], is_date: bool = False
) -> Column:
    """A numeric column from the numbers of its distinct values."""
    values = np.append(numbers, np.nan)[codes_of(raw)]
    text_format = None
    if is_date:
        has_time = bool((numbers != np.floor(numbers)).any())
        text_format = TextFormat(date=ISO_TIME if has_time else ISO_DATE)
    notes = raw.notes + notes + remarks_on_numbers(raw.name, values)
    return Column(raw.name, Kind.NUMERIC, values, (), why, notes, text_format=text_format)


def column_with_levels(
    raw: RawColumn, kind: Kind, order: tuple[Any, ...] | None, why: str, notes: tuple[str, ...]
) -> Column:
    """A column with levels, in the order given or sorted."""
    raw = with_level_values(raw)
    lookup = np.full(len(raw.distinct) + 1, MISSING, dtype=np.int32)
    if order is None:
        order_of = sorted_level_order(raw.distinct)
        levels = tuple([raw.distinct[index] for index in order_of])
        lookup[order_of] = np.arange(len(order_of), dtype=np.int32)
    else:
        levels = tuple(map(level_value, order))
        lookup[:-1] = _level_codes(raw, levels)
    codes = lookup[codes_of(raw)]
    remarks = remarks_on_levels(raw.name, raw.distinct, int((codes >= 0).sum()), len(codes))
    if has_note(raw.notes, NoteCode.LOOKS_LIKE_DATES):  # the note of the file names the settings
        remarks = tuple(each for each in remarks if each != DATES)
    return Column(raw.name, kind, codes, levels, why, raw.notes + notes + remarks)


def _level_codes(raw: RawColumn, levels: tuple[Any, ...]) -> list[int]:
    """The code of each distinct value in the given levels."""
    codes = {level: code for code, level in enumerate(levels)}
    if len(codes) < len(levels):
        raise InputError(f"Column {short_repr(raw.name)} repeats a level in {short_repr(levels)}.", column=raw.name)
    for code, value in enumerate(raw.distinct):
        if value not in codes:
            row = first_row(raw, code)
            raise InputError(
                f"Column {short_repr(raw.name)}, row {row}, must be one of its levels {short_repr(levels)}, "
                f"got {short_repr(value)}.",
                hint=did_you_mean(str(value), map(str, levels)),
                column=raw.name,
                row=row,
            )
    return [codes[value] for value in raw.distinct]


def sorted_level_order(values: Sequence[Any]) -> list[int]:
    """The indices that sort the values: numbers by value, texts by code point, texts that are all numbers by value."""
    if set(map(type, values)) <= {str}:
        numbers = number_grammar.parse_numbers(values)
        if numbers is not None:
            keys = list(zip(numbers.tolist(), values))
            return sorted(range(len(values)), key=keys.__getitem__)
    try:
        return sorted(range(len(values)), key=values.__getitem__)
    except TypeError:
        return sorted(range(len(values)), key=lambda index: (type(values[index]).__name__, repr(values[index])))
