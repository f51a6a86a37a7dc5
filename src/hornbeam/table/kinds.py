"""What kind of column is this?  The one routine that decides, for every source alike, and says why.

In this order, the first that applies:

    asked for              kinds={"age": "ordinal"}, or levels in order ["low", "mid", "high"] (as a flag: low<mid<high)
    declared by the source a category dtype, an ARFF nominal, an ordered categorical
    every value missing    numeric, and said
    numbers                numeric; but whole numbers that a double would round stay nominal, and it is said
    true / false           nominal, levels False and True
    dates, lengths of time numeric, in days (since 1970-01-01)
    texts of a text file   numeric if every text is a number and none a code like 007; else nominal
    other text             nominal: text handed over in Python is never parsed

Every distinct value is looked at, never a sample. A text column of at least 99 % numbers is neither: most likely a
slip, so it is an error that names the row, and the user says which of the two it is. Levels are sorted, numbers by
value and texts by code point, unless the order was asked for or declared. Missing words count in texts only; the
words found are counted in the column's notes.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.table import coding, texts
from hornbeam.table.borrowed import BorrowedColumn
from hornbeam.table.column import MISSING, Column, Kind
from hornbeam.table.conversion import (
    codes_of,
    column_value_type,
    column_with_levels,
    doubles_of,
    loses_precision,
    mark_missing,
    numbers_behind,
    numeric_column,
    reject_infinite,
    reject_unstorable,
    without_unused_texts,
)
from hornbeam.table.raw import Extent, RawColumn
from hornbeam.table.remarks import extent_of, remarks_on_numbers

MISSING_WORDS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
WOULD_ROUND = "whole numbers too large for a double"
_MOSTLY = 0.99
_COUNTED = 1000


@dataclasses.dataclass(frozen=True)
class KindRequest:
    """What the user asks of one column."""

    kind: Kind | None = None
    levels: tuple[Any, ...] | None = None
    is_date: bool = False


def requested_kind(name: str, wanted: Kind | str | Sequence[Any] | None) -> KindRequest:
    """The user's wish for a column: a kind by name, `date`, or the levels in order."""
    if wanted is None or isinstance(wanted, Kind):
        return KindRequest(wanted)
    if not isinstance(wanted, str):
        return KindRequest(Kind.ORDINAL, tuple(wanted))
    if "<" in wanted:
        return KindRequest(Kind.ORDINAL, tuple(wanted.split("<")))
    if wanted == "date":
        return KindRequest(Kind.NUMERIC, is_date=True)
    if wanted not in set(Kind):
        known = [str(kind) for kind in Kind] + ["date"]
        raise OptionError(
            f"The kind of column {short_repr(name)} must be one of {', '.join(known)}, or levels in order; "
            f"got {short_repr(wanted)}.",
            hint=did_you_mean(wanted, known),
            option="kinds",
        )
    return KindRequest(Kind(wanted))


def decide_kind(
    raw: RawColumn,
    wanted: Kind | str | Sequence[Any] | None = None,
    na_values: Collection[str] = (),
    *,
    decimal: str = ".",
    infinite: str = "error",
) -> Column:
    """The column with its kind, and in `why` and `notes` what made it so."""
    ask = KindRequest() if wanted is None else requested_kind(raw.name, wanted)
    if raw.numbers is not None:
        extent = raw.extent or extent_of(raw.numbers)
        column = _of_numbers(raw, raw.numbers, ask, extent)
        if column.kind is Kind.NUMERIC and math.isfinite(extent[0]) and math.isfinite(extent[1]):
            return column.known_complete()
    else:
        column = _of_codes(mark_missing(raw, na_values), ask, decimal)
    if infinite == "error" and column.kind is Kind.NUMERIC:
        reject_infinite(column)
    return column


def _of_numbers(raw: RawColumn, numbers: npt.NDArray[Any], ask: KindRequest, extent: Extent) -> Column:
    kind = ask.kind or raw.declared or Kind.NUMERIC
    why = "asked for" if ask.kind else "the source says so" if raw.declared else "every known value is a number"
    if kind is Kind.NUMERIC:
        made = BorrowedColumn if raw.is_borrowed else Column
        return made(raw.name, kind, numbers, (), why, raw.notes + remarks_on_numbers(raw.name, numbers, extent))
    is_known = ~np.isnan(numbers)
    distinct, places = _distinct(numbers if is_known.all() else numbers[is_known])
    codes = np.full(len(numbers), MISSING, dtype=np.int32)
    codes[is_known] = places
    values = tuple(int(value) if value.is_integer() else value for value in distinct.tolist())
    coded = RawColumn(raw.name, codes=codes, texts=values, notes=raw.notes)
    return column_with_levels(coded, kind, ask.levels or raw.levels, why, ())


def _distinct(numbers: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[Any]]:
    """The distinct numbers in order, and the place of each among them; small whole numbers are counted, not sorted."""
    if len(numbers) and numbers.min() >= 0 and numbers.max() <= _COUNTED:
        whole = numbers.astype(np.int32)
        if (whole == numbers).all():
            is_there = np.zeros(_COUNTED + 1, dtype=bool)
            is_there[whole] = True
            return np.flatnonzero(is_there).astype(np.float64), (np.cumsum(is_there, dtype=np.int32) - 1)[whole]
    return np.unique(numbers, return_inverse=True)


def _of_codes(raw: RawColumn, ask: KindRequest, decimal: str) -> Column:
    raw = without_unused_texts(raw)
    sort = column_value_type(raw)
    if sort == coding.TEXT:
        reject_unstorable(raw)
    kind = ask.kind or raw.declared
    why = "asked for" if ask.kind else "the source says so" if raw.declared else ""
    if kind is Kind.NUMERIC:
        numbers, notes = numbers_behind(raw, sort, decimal, is_date=ask.is_date)
        return numeric_column(raw, numbers, why, notes)
    if kind is not None:
        return column_with_levels(raw, kind, ask.levels or raw.levels, why, ())
    if not raw.texts:
        return numeric_column(raw, np.empty(0), "every value is missing", ())
    return _guessed(raw, sort, decimal)


def _guessed(raw: RawColumn, sort: str, decimal: str) -> Column:
    """The kind that follows from the values alone."""
    if sort == coding.TRUTH:
        return column_with_levels(raw, Kind.NOMINAL, (False, True), "true or false", ())
    if sort in (coding.MOMENT, coding.LENGTH):
        numbers, notes = numbers_behind(raw, sort, decimal)
        return numeric_column(raw, numbers, "a " + sort, notes)
    if sort == coding.NUMBER:
        rounded = next((value for value in raw.texts if loses_precision(value)), None)
        if rounded is None:
            numbers, notes = doubles_of(raw)
            return numeric_column(raw, numbers, "every known value is a number", notes)
        return _kept_whole(raw, rounded)
    if sort != coding.TEXT or not raw.from_text:
        return column_with_levels(raw, Kind.NOMINAL, raw.levels, "text", ())
    return _from_file_text(raw, decimal)


def _from_file_text(raw: RawColumn, decimal: str) -> Column:
    numbers = texts.numbers_of(raw.texts, decimal)
    if numbers is None:
        why = _why_no_numbers(raw, decimal)
        return column_with_levels(raw, Kind.NOMINAL, raw.levels, why, ())
    code = texts.first_code(raw.texts)
    if code is not None:
        why = f"{short_repr(code)} starts with a zero: a code, not a number"
        return column_with_levels(raw, Kind.NOMINAL, raw.levels, why, ())
    rounded = texts.first_inexact(raw.texts)
    if rounded is not None:
        return _kept_whole(raw, rounded)
    return numeric_column(raw, numbers, "every known value is a number", ())


def _kept_whole(raw: RawColumn, rounded: Any) -> Column:
    note = f"{WOULD_ROUND} ({short_repr(rounded)}) are kept as levels; subtract an offset to use them as numbers"
    return column_with_levels(raw, Kind.NOMINAL, raw.levels, WOULD_ROUND, (note,))


def _why_no_numbers(raw: RawColumn, decimal: str) -> str:
    """Why a text column is nominal; an error when nearly all of it is numbers."""
    are_numbers = texts.are_numbers(raw.texts, decimal)
    if not are_numbers.any():
        return "text"
    other = int(np.argmin(are_numbers))
    rows = np.bincount(codes_of(raw) + 1, minlength=len(raw.texts) + 1)[1:]
    row = int(np.argmax(np.isin(codes_of(raw), np.flatnonzero(~are_numbers))))
    other = int(codes_of(raw)[row])
    n_numbers, n_known = int(rows[are_numbers].sum()), int(rows.sum())
    if n_numbers >= _MOSTLY * n_known:
        raise InputError(
            f"Column {short_repr(raw.name)} is a number in {n_numbers} of {n_known} rows, but row {row} has "
            f"{short_repr(raw.texts[other])}.",
            fix=(Set("na_values", purpose="to count it as missing"), Set("kinds", {raw.name: "nominal"})),
            hint="or correct the value.",
            column=raw.name,
            row=row,
            value=raw.texts[other],
        )
    return f"{short_repr(raw.texts[other])} in row {row} is not a number"
