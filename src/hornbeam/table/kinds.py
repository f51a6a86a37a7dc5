"""Decides the kind of a column, for all sources by the same rules, and records the reason.

The first rule that applies:

    requested              kinds={"age": "ordinal"}, or levels in order ["low", "mid", "high"] (as a flag: low<mid<high)
    declared by the source a category dtype, an ARFF nominal, an ordered categorical
    every value missing    numeric
    numbers                numeric; nominal, with a note, if float64 would round integers
    true / false           nominal, levels False and True
    dates, durations       numeric, in days (since 1970-01-01)
    texts of a text file   numeric if every text is a number and none a code like 007; else nominal
    other text             nominal: text that is passed in Python is never parsed

The rules apply to all distinct values; a sample is not enough. `file_rules` has read the numbers and dates of a file
before. Levels are sorted, numbers by value and
texts by code point, unless the order is requested or declared. `na_values` apply to texts only; a note counts the texts
that were read as missing.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.table import coding, number_grammar
from hornbeam.table.borrowed import BorrowedColumn
from hornbeam.table.column import MISSING, Column, Kind
from hornbeam.table.conversion import (
    as_float64,
    codes_of,
    column_value_type,
    column_with_levels,
    distinct_numbers,
    loses_precision,
    mark_missing,
    numeric_column,
    reject_infinite,
    reject_unstorable,
    without_unused_values,
)
from hornbeam.table.notes import Note, NoteCode
from hornbeam.table.raw import Extent, RawColumn
from hornbeam.table.remarks import extent_of, remarks_on_numbers
from hornbeam.table.text_format import is_date

DEFAULT_NA_VALUES = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
REQUESTED = "requested"
_DECLARED = "declared by the source"
_NUMBERS = "all values are numbers"
_INEXACT = "integers too large for float64"


@dataclasses.dataclass(frozen=True)
class KindRequest:
    """The kind that the user requests for one column."""

    kind: Kind | None = None
    levels: tuple[Any, ...] | None = None
    is_date: bool = False


def requested_kind(name: str, given: Kind | str | Sequence[Any] | None) -> KindRequest:
    """The request for a column: a kind by name, `date`, or the levels in order."""
    if given is None or isinstance(given, Kind):
        return KindRequest(given)
    if not isinstance(given, str):
        return KindRequest(Kind.ORDINAL, tuple(given))
    if "<" in given:
        return KindRequest(Kind.ORDINAL, tuple(given.split("<")))
    if given == "date":
        return KindRequest(Kind.NUMERIC, is_date=True)
    if given not in set(Kind):
        known = [str(kind) for kind in Kind] + ["date"]
        raise OptionError(
            f"The kind of column {short_repr(name)} must be one of {', '.join(known)}, or levels in order, "
            f"got {short_repr(given)}.",
            hint=did_you_mean(given, known),
            option="kinds",
        )
    return KindRequest(Kind(given))


def decide_kind(
    raw: RawColumn,
    kind: Kind | str | Sequence[Any] | None = None,
    na_values: Collection[str] = (),
    *,
    decimal: str = ".",
    infinite: str = "error",
) -> Column:
    """The column with its kind; `why` and `notes` of the column give the reasons."""
    request = KindRequest() if kind is None else requested_kind(raw.name, kind)
    if raw.numbers is not None:
        extent = raw.extent or extent_of(raw.numbers)
        is_finite = math.isfinite(extent[0]) and math.isfinite(extent[1])
        column = _column_of_numbers(raw, raw.numbers, request, extent, known_complete=is_finite)
        if is_finite:
            return column
    else:
        column = _column_of_codes(mark_missing(raw, na_values), request, decimal)
    if infinite == "error" and column.kind is Kind.NUMERIC:
        reject_infinite(column)
    return column


def _column_of_numbers(
    raw: RawColumn, numbers: npt.NDArray[Any], request: KindRequest, extent: Extent, known_complete: bool
) -> Column:
    kind = request.kind or raw.declared or Kind.NUMERIC
    why = REQUESTED if request.kind else _DECLARED if raw.declared else _NUMBERS
    if kind is Kind.NUMERIC:
        column_class = BorrowedColumn if raw.is_borrowed else Column
        notes = raw.notes + remarks_on_numbers(raw.name, numbers, extent)
        if is_date(raw.text_format) and not request.kind:
            why = "all values are dates"
        return column_class(
            raw.name, kind, numbers, (), why, notes, known_complete=known_complete, text_format=raw.text_format
        )
    is_known = ~np.isnan(numbers)
    distinct, indices = coding.distinct_sorted(numbers if is_known.all() else numbers[is_known])
    codes = np.full(len(numbers), MISSING, dtype=np.int32)
    codes[is_known] = indices
    values = tuple(int(value) if value.is_integer() else value for value in distinct.tolist())
    coded = RawColumn(raw.name, codes=codes, distinct=values, notes=raw.notes)
    return column_with_levels(coded, kind, request.levels or raw.levels, why, ())


def _column_of_codes(raw: RawColumn, request: KindRequest, decimal: str) -> Column:
    raw = without_unused_values(raw)
    value_type = column_value_type(raw)
    if value_type == coding.TEXT:
        reject_unstorable(raw)
    kind = request.kind or raw.declared
    why = REQUESTED if request.kind else _DECLARED if raw.declared else ""
    if kind is Kind.NUMERIC:
        numbers, notes = distinct_numbers(raw, value_type, decimal, is_date=request.is_date)
        return numeric_column(raw, numbers, why, notes, request.is_date or value_type == coding.DATE)
    if kind is not None:
        return column_with_levels(raw, kind, request.levels or raw.levels, why, ())
    if not raw.distinct:
        return numeric_column(raw, np.empty(0), "every value is missing", ())
    return _inferred(raw, value_type, decimal)


def _inferred(raw: RawColumn, value_type: str, decimal: str) -> Column:
    """The column with the kind that follows from its values."""
    if value_type == coding.BOOLEAN:
        return column_with_levels(raw, Kind.NOMINAL, (False, True), "true or false", ())
    if value_type in (coding.DATE, coding.DURATION):
        numbers, notes = distinct_numbers(raw, value_type, decimal)
        return numeric_column(raw, numbers, "a " + value_type, notes, value_type == coding.DATE)
    if value_type == coding.NUMBER:
        rounded = next((value for value in raw.distinct if loses_precision(value)), None)
        if rounded is None:
            numbers, notes = as_float64(raw)
            return numeric_column(raw, numbers, _NUMBERS, notes)
        return _kept_integers(raw, rounded)
    if value_type != coding.TEXT or not raw.from_text:
        return column_with_levels(raw, Kind.NOMINAL, raw.levels, "text", ())
    return _inferred_from_text(raw, decimal)


def _inferred_from_text(raw: RawColumn, decimal: str) -> Column:
    numbers = number_grammar.parse_numbers(raw.distinct, decimal)
    if numbers is None:
        why = _reason_for_text(raw, decimal)
        return column_with_levels(raw, Kind.NOMINAL, raw.levels, why, ())
    code = number_grammar.first_code(raw.distinct)
    if code is not None:
        why = f"{short_repr(code)} has a leading zero: a code, not a number"
        return column_with_levels(raw, Kind.NOMINAL, raw.levels, why, ())
    rounded = number_grammar.first_inexact(raw.distinct)
    if rounded is not None:
        return _kept_integers(raw, rounded)
    return numeric_column(raw, numbers, _NUMBERS, ())


def _kept_integers(raw: RawColumn, rounded: Any) -> Column:
    """Integers that float64 would round, as levels."""
    text = f"{_INEXACT} ({short_repr(rounded)}) are kept as levels; subtract an offset to use them as numbers"
    note = Note(text, NoteCode.KEPT_INTEGERS)
    return column_with_levels(raw, Kind.NOMINAL, raw.levels, _INEXACT, (note,))


def _reason_for_text(raw: RawColumn, decimal: str) -> str:
    """The reason why a text column is nominal: the first cell that is no number, if any is."""
    are_numbers = number_grammar.are_numbers(raw.distinct, decimal)
    if not are_numbers.any():
        return "text"
    row = int(np.argmax(np.isin(codes_of(raw), np.flatnonzero(~are_numbers))))
    return f"{short_repr(raw.distinct[int(codes_of(raw)[row])])} in row {row} is not a number"
