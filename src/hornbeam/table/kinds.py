"""What kind of column is this?  The one routine that decides, for every source alike, and says why.

In this order, the first that applies:

    asked for              kinds={"age": "ordinal"}, or an order of levels ["low", "mid", "high"] (as a flag: low<mid<high)
    declared by the source a category dtype, an ARFF nominal, an ordered categorical
    every value missing    numeric, and said
    numbers                numeric; but whole numbers that a double would round stay nominal, and it is said
    true / false           nominal, levels False and True
    dates, lengths of time numeric, in days (since 1970-01-01)
    texts of a text file   numeric if every text is a number and none a code like 007; else nominal
    other text             nominal: text handed over in Python is never parsed

Every distinct value is looked at, never a sample. A text column of at least 99 % numbers is neither: most likely a slip, so
it is an error that names the row, and the user says which of the two it is. Levels are sorted, numbers by value and texts by
code point, unless the order was asked for or declared. Missing words count in texts only; the words found are counted in the
column's notes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, did_you_mean, shown
from hornbeam.table import coding, texts
from hornbeam.table.column import MISSING, Column, Kind
from hornbeam.table.days import days_of_values
from hornbeam.table.raw import RawColumn
from hornbeam.table.remarks import remarks_on_levels, remarks_on_numbers

MISSING_WORDS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
WOULD_ROUND = "whole numbers too large for a double"
_MOSTLY = 0.99


@dataclasses.dataclass(frozen=True)
class Asked:
    """What the user asks of one column."""

    kind: Kind | None = None
    levels: tuple[Any, ...] | None = None
    is_date: bool = False


def asked(name: str, wanted: Kind | str | Sequence[Any] | None) -> Asked:
    """The user's wish for a column: a kind by name, `date`, or the levels in order."""
    if wanted is None or isinstance(wanted, Kind):
        return Asked(wanted)
    if not isinstance(wanted, str):
        return Asked(Kind.ORDINAL, tuple(wanted))
    if "<" in wanted:
        return Asked(Kind.ORDINAL, tuple(wanted.split("<")))
    if wanted == "date":
        return Asked(Kind.NUMERIC, is_date=True)
    if wanted not in set(Kind):
        known = [*Kind, "date"]
        raise OptionError(
            f"The kind of column {shown(name)} must be one of {', '.join(known)}, or levels in order; got {shown(wanted)}.",
            hint=did_you_mean(wanted, known),
            option="kinds",
        )
    return Asked(Kind(wanted))


def decided(
    raw: RawColumn,
    wanted: Kind | str | Sequence[Any] | None = None,
    missing_words: Collection[str] = (),
    *,
    decimal: str = ".",
    infinite: str = "error",
) -> Column:
    """The column with its kind, and in `why` and `notes` what made it so."""
    ask = Asked() if wanted is None else asked(raw.name, wanted)
    if raw.numbers is not None:
        column = _of_numbers(raw, raw.numbers, ask)
    else:
        column = _of_codes(without_words(raw, missing_words), ask, decimal)
    if infinite == "error" and column.kind is Kind.NUMERIC:
        refuse_infinite(column)
    return column


def refuse_infinite(column: Column) -> None:
    """Raise if a numeric column holds an infinite value."""
    values = column.values
    if len(values) and np.isinf(values).any():
        row = int(np.argmax(np.isinf(values)))
        raise InputError(
            f"Column {shown(column.name)}, row {row}, is infinite: {values[row]}; numbers must be finite.",
            hint='Say infinite="ordered" to place it beyond all numbers, or make it missing.',
            column=column.name,
            row=row,
        )


def _of_numbers(raw: RawColumn, numbers: npt.NDArray[np.float64], ask: Asked) -> Column:
    kind = ask.kind or raw.declared or Kind.NUMERIC
    why = "asked for" if ask.kind else "the source says so" if raw.declared else "every known value is a number"
    if kind is Kind.NUMERIC:
        return Column(raw.name, kind, numbers, (), why, raw.notes + remarks_on_numbers(raw.name, numbers))
    is_known = ~np.isnan(numbers)
    distinct, inverse = np.unique(numbers[is_known], return_inverse=True)
    codes = np.full(len(numbers), MISSING, dtype=np.int32)
    codes[is_known] = inverse
    values = tuple(int(value) if value.is_integer() else value for value in distinct.tolist())
    coded = dataclasses.replace(raw, numbers=None, codes=codes, texts=values)
    return _with_levels(coded, kind, ask.levels or raw.levels, why, ())


def without_words(raw: RawColumn, missing_words: Collection[str]) -> RawColumn:
    """The column with the cells that hold a missing word as missing, each word counted in the notes."""
    if not missing_words or raw.codes is None:
        return raw
    words = frozenset(missing_words)
    found = [
        (code, text)
        for code, text in enumerate(raw.texts)
        if isinstance(text, str) and (text in words or (raw.from_text and text.strip() in words))
    ]
    if not found:
        return raw
    for _, text in found:
        if raw.levels is not None and text in raw.levels:
            raise InputError(
                f"Column {shown(raw.name)} declares the level {shown(text)}, which is also a word for missing.",
                hint="Choose other missing_words, or rename the level.",
                column=raw.name,
                level=text,
            )
    counts = np.bincount(raw.codes + 1, minlength=len(raw.texts) + 1)[1:]
    gone = {code for code, _ in found}
    lookup = np.full(len(raw.texts) + 1, MISSING, dtype=np.int32)
    kept = [code for code in range(len(raw.texts)) if code not in gone]
    lookup[kept] = np.arange(len(kept), dtype=np.int32)
    said = ", ".join(f"{int(counts[code])} by {shown(text)}" for code, text in found if counts[code])
    return dataclasses.replace(
        raw,
        codes=lookup[raw.codes],
        texts=tuple(raw.texts[code] for code in kept),
        notes=(*raw.notes, f"read as missing: {said}") if said else raw.notes,
    )


def sort_of_column(raw: RawColumn) -> str:
    """The one sort of value in a coded column; '' when all is missing; an error when there are two or an unusable one."""
    sorts = coding.sorts_of(raw.texts)
    if len(sorts) > 1:
        coding.refuse_mixture(raw.name, [raw.texts[code] if code >= 0 else None for code in _codes(raw)])
    sort = next(iter(sorts), "")
    if sort in ("bytes", "complex") or (sort == coding.OTHER and raw.declared is None):
        value = raw.texts[0]
        hint = (
            'Decode it first, for example .str.decode("utf-8").' if sort == "bytes" else "Turn it into numbers or text."
        )
        raise InputError(
            f"Column {shown(raw.name)}, row {first_row(raw, 0)}, holds {type(value).__name__} values: {shown(value)}; "
            "accepted are numbers, text, true or false, and dates.",
            hint=hint,
            column=raw.name,
            row=first_row(raw, 0),
        )
    return sort


def _codes(raw: RawColumn) -> npt.NDArray[np.int32]:
    return raw.codes if raw.codes is not None else np.empty(0, dtype=np.int32)


def first_row(raw: RawColumn, code: int) -> int:
    """The first row that has a code."""
    return int(np.argmax(_codes(raw) == code))


def _of_codes(raw: RawColumn, ask: Asked, decimal: str) -> Column:
    raw = _without_unused(raw)
    sort = sort_of_column(raw)
    if sort == coding.TEXT:
        _refuse_unstorable(raw)
    kind = ask.kind or raw.declared
    why = "asked for" if ask.kind else "the source says so" if raw.declared else ""
    if kind is Kind.NUMERIC:
        numbers, notes = numbers_behind(raw, sort, decimal, is_date=ask.is_date)
        return _numeric(raw, numbers, why, notes)
    if kind is not None:
        return _with_levels(raw, kind, ask.levels or raw.levels, why, ())
    if not raw.texts:
        return _numeric(raw, np.empty(0), "every value is missing", ())
    return _guessed(raw, sort, decimal)


def _guessed(raw: RawColumn, sort: str, decimal: str) -> Column:
    """The kind that follows from the values alone."""
    if sort == coding.TRUTH:
        return _with_levels(raw, Kind.NOMINAL, (False, True), "true or false", ())
    if sort in (coding.MOMENT, coding.LENGTH):
        numbers, notes = numbers_behind(raw, sort, decimal)
        return _numeric(raw, numbers, "a " + sort, notes)
    if sort == coding.NUMBER:
        rounded = next((value for value in raw.texts if _rounds(value)), None)
        if rounded is None:
            return _numeric(raw, *_doubles(raw), why="every known value is a number")
        return _kept_whole(raw, rounded)
    if sort != coding.TEXT or not raw.from_text:
        return _with_levels(raw, Kind.NOMINAL, raw.levels, "text", ())
    return _from_file_text(raw, decimal)


def _from_file_text(raw: RawColumn, decimal: str) -> Column:
    numbers = texts.numbers_of(raw.texts, decimal)
    if numbers is None:
        why = _why_no_numbers(raw, decimal)
        return _with_levels(raw, Kind.NOMINAL, raw.levels, why, ())
    code = texts.code_among(raw.texts)
    if code is not None:
        why = f"{shown(code)} starts with a zero: a code, not a number"
        return _with_levels(raw, Kind.NOMINAL, raw.levels, why, ())
    rounded = texts.rounded_among(raw.texts)
    if rounded is not None:
        return _kept_whole(raw, rounded)
    return _numeric(raw, numbers, "every known value is a number", ())


def _kept_whole(raw: RawColumn, rounded: Any) -> Column:
    note = f"{WOULD_ROUND} ({shown(rounded)}) are kept as levels; subtract an offset to use them as numbers"
    return _with_levels(raw, Kind.NOMINAL, raw.levels, WOULD_ROUND, (note,))


def _why_no_numbers(raw: RawColumn, decimal: str) -> str:
    """Why a text column is nominal; an error when nearly all of it is numbers."""
    are_numbers = texts.are_numbers(raw.texts, decimal)
    if not are_numbers.any():
        return "text"
    other = int(np.argmin(are_numbers))
    rows = np.bincount(_codes(raw) + 1, minlength=len(raw.texts) + 1)[1:]
    row = int(np.argmax(np.isin(_codes(raw), np.flatnonzero(~are_numbers))))
    other = int(_codes(raw)[row])
    n_numbers, n_known = int(rows[are_numbers].sum()), int(rows.sum())
    if n_numbers >= _MOSTLY * n_known:
        raise InputError(
            f"Column {shown(raw.name)} is a number in {n_numbers} of {n_known} rows, but row {row} has "
            f"{shown(raw.texts[other])}.",
            hint=f"Correct it, count it as missing (missing_words), or ask for the kind: --kind {raw.name}=nominal.",
            column=raw.name,
            row=row,
            value=raw.texts[other],
        )
    return f"{shown(raw.texts[other])} in row {row} is not a number"


def _without_unused(raw: RawColumn) -> RawColumn:
    """The column without values that no row has."""
    codes = _codes(raw)
    counts = np.bincount(codes + 1, minlength=len(raw.texts) + 1)[1:] if len(raw.texts) else np.empty(0)
    if counts.all():
        return raw
    kept = np.flatnonzero(counts)
    lookup = np.full(len(raw.texts) + 1, MISSING, dtype=np.int32)
    lookup[kept] = np.arange(len(kept), dtype=np.int32)
    return dataclasses.replace(raw, codes=lookup[codes], texts=tuple(raw.texts[code] for code in kept.tolist()))


def _refuse_unstorable(raw: RawColumn) -> None:
    odd = texts.unstorable(raw.texts)
    if odd is not None:
        row = first_row(raw, raw.texts.index(odd))
        raise InputError(
            f"Column {shown(raw.name)}, row {row}, holds text that cannot be stored as UTF-8: {shown(ascii(odd))}.",
            hint="It has half of a surrogate pair; decode the source with the right encoding.",
            column=raw.name,
            row=row,
        )


def numbers_behind(
    raw: RawColumn, sort: str, decimal: str = ".", *, is_date: bool = False
) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """The numbers behind the distinct values of a column that must be numeric, or an error with the row."""
    if not raw.texts:
        return np.empty(0), ()
    if sort in (coding.MOMENT, coding.LENGTH):
        return days_of_values(raw.texts, sort)
    if sort in (coding.NUMBER, coding.TRUTH):
        return _doubles(raw)
    numbers = texts.days_of(raw.texts) if is_date else texts.numbers_of(raw.texts, decimal)
    if numbers is not None:
        return numbers, ("dates as days since 1970-01-01",) if is_date else ()
    wrong = next(code for code, text in enumerate(raw.texts) if not _converts(text, decimal, is_date))
    row = first_row(raw, wrong)
    raise InputError(
        f"Column {shown(raw.name)}, row {row}, is not a {'date (YYYY-MM-DD)' if is_date else 'number'}: "
        f"{shown(raw.texts[wrong])}.",
        hint="Correct it, or count it as missing (missing_words).",
        column=raw.name,
        row=row,
        value=raw.texts[wrong],
    )


def _converts(text: Any, decimal: str, is_date: bool) -> bool:
    if not isinstance(text, str):
        return False
    return (texts.days_of([text]) if is_date else texts.numbers_of([text], decimal)) is not None


def _rounds(value: Any) -> bool:
    """Whether a whole number changes when it becomes a double."""
    if isinstance(value, (float, np.floating)) or abs(value) <= texts.LARGEST_EXACT or value != int(value):
        return False
    return abs(value) > 1.7e308 or int(float(value)) != int(value)


def _doubles(raw: RawColumn) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Typed numbers as doubles; two that become one double are an error, digits lost are said."""
    try:
        numbers = np.fromiter(map(float, raw.texts), np.float64, len(raw.texts))
    except OverflowError:
        numbers = np.array([np.inf])
    if len(np.unique(numbers)) < len(raw.texts):
        raise InputError(
            f"Column {shown(raw.name)} holds different numbers that are the same as doubles; doubles are exact up to 2^53.",
            hint="Ask for the kind nominal, or subtract an offset.",
            column=raw.name,
        )
    lost = [v for v, number in zip(raw.texts, numbers.tolist()) if not isinstance(v, float) and _loses(v, number)]
    return numbers, (f"rounded to doubles: {shown(lost[0])} and {len(lost) - 1} more",) if lost else ()


def _loses(value: Any, number: float) -> bool:
    if type(value).__name__ == "Decimal":
        return bool(type(value)(repr(number)) != value)
    return bool(value != number)


def _numeric(raw: RawColumn, behind: npt.NDArray[np.float64], why: str, notes: tuple[str, ...]) -> Column:
    values = np.append(behind, np.nan)[_codes(raw)]
    return Column(raw.name, Kind.NUMERIC, values, (), why, raw.notes + notes + remarks_on_numbers(raw.name, values))


def _with_levels(raw: RawColumn, kind: Kind, order: tuple[Any, ...] | None, why: str, notes: tuple[str, ...]) -> Column:
    levels = tuple(sorted_levels(raw.texts)) if order is None else tuple(order)
    place = {level: code for code, level in enumerate(levels)}
    if len(place) < len(levels):
        raise InputError(f"Column {shown(raw.name)} names a level twice in {shown(levels)}.", column=raw.name)
    lookup = np.full(len(raw.texts) + 1, MISSING, dtype=np.int32)
    for code, text in enumerate(raw.texts):
        if text not in place:
            row = first_row(raw, code)
            raise InputError(
                f"Column {shown(raw.name)}, row {row}, has {shown(text)}, which is not among its levels "
                f"{shown(levels)}.",
                hint=did_you_mean(str(text), map(str, levels)),
                column=raw.name,
                row=row,
            )
        lookup[code] = place[text]
    codes = lookup[_codes(raw)]
    remarks = remarks_on_levels(raw.name, raw.texts, codes)
    return Column(raw.name, kind, codes, levels, why, raw.notes + notes + remarks)


def sorted_levels(values: Sequence[Any]) -> list[Any]:
    """Levels in order: numbers by value, texts by code point, texts that are all numbers by value."""
    if values and all(isinstance(value, str) for value in values):
        numbers = texts.numbers_of(values)
        if numbers is None:
            return sorted(values)
        return [text for _, text in sorted(zip(numbers.tolist(), values))]
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda value: (type(value).__name__, repr(value)))
