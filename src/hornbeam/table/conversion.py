"""How do raw values become numbers or codes, once it is clear what they are to be?

Each conversion either keeps every value or raises an error that names the column, the row and the value.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, Set, did_you_mean, short_repr
from hornbeam.table import coding, texts
from hornbeam.table.column import MISSING, Column, Kind
from hornbeam.table.days import days_of_values
from hornbeam.table.raw import RawColumn
from hornbeam.table.remarks import remarks_on_levels, remarks_on_numbers


def first_row(raw: RawColumn, code: int) -> int:
    """The first row that has a code."""
    return int(np.argmax(codes_of(raw) == code))


def codes_of(raw: RawColumn) -> npt.NDArray[np.int32]:
    """The codes of a column; none for one of numbers."""
    return raw.codes if raw.codes is not None else np.empty(0, dtype=np.int32)


def reject_infinite(column: Column) -> None:
    """Raise if a numeric column holds an infinite value."""
    values = column.source
    if len(values) and np.isinf(values).any():
        row = int(np.argmax(np.isinf(values)))
        raise InputError(
            f"Column {short_repr(column.name)}, row {row}, is infinite: {values[row]}; numbers must be finite.",
            fix=Set("infinite", "ordered", "to order it beyond all numbers"),
            hint="or replace it with a missing value.",
            column=column.name,
            row=row,
        )


def column_value_type(raw: RawColumn) -> str:
    """The one sort of value in a coded column, '' when all is missing; two sorts or an unusable one are an error."""
    sorts = coding.value_types(raw.texts)
    if len(sorts) > 1:
        coding.reject_mixture(raw.name, [raw.texts[code] if code >= 0 else None for code in codes_of(raw)])
    sort = next(iter(sorts), "")
    if sort in ("bytes", "complex") or (sort == coding.OTHER and raw.declared is None):
        row = int(np.argmax(codes_of(raw) >= 0))
        value = raw.texts[codes_of(raw)[row]]
        hint = (
            'Decode it first, for example .str.decode("utf-8").'
            if sort == "bytes"
            else "Convert it to numbers or text."
        )
        raise InputError(
            f"Column {short_repr(raw.name)}, row {row}, holds {type(value).__name__} values: {short_repr(value)}; "
            "accepted are numbers, text, true or false, and dates.",
            hint=hint,
            column=raw.name,
            row=row,
        )
    return sort


def mark_missing(raw: RawColumn, na_values: Collection[str]) -> RawColumn:
    """The column with the cells that hold a missing word as missing, each word counted in the notes."""
    if not na_values or raw.codes is None:
        return raw
    words = frozenset(na_values)
    # Most columns hold none of the words: ask that of all texts at once before looking at each.
    texts = [text for text in raw.texts if isinstance(text, str)]
    if words.isdisjoint(map(str.strip, texts) if raw.from_text else texts) and words.isdisjoint(texts):
        return raw
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
                f"Column {short_repr(raw.name)} declares the level {short_repr(text)}, which is also a word for missing.",
                fix=Set("na_values", purpose="without this text"),
                hint="or rename the level.",
                column=raw.name,
                level=text,
            )
    counts = np.bincount(raw.codes + 1, minlength=len(raw.texts) + 1)[1:]
    gone = {code for code, _ in found}
    lookup = np.full(len(raw.texts) + 1, MISSING, dtype=np.int32)
    kept = [code for code in range(len(raw.texts)) if code not in gone]
    lookup[kept] = np.arange(len(kept), dtype=np.int32)
    said = ", ".join(f"{int(counts[code])} by {short_repr(text)}" for code, text in found if counts[code])
    return dataclasses.replace(
        raw,
        codes=lookup[raw.codes],
        texts=tuple(raw.texts[code] for code in kept),
        notes=(*raw.notes, f"read as missing: {said}") if said else raw.notes,
    )


def without_unused_texts(raw: RawColumn) -> RawColumn:
    """The column without values that no row has."""
    codes = codes_of(raw)
    counts = np.bincount(codes + 1, minlength=len(raw.texts) + 1)[1:] if len(raw.texts) else np.empty(0)
    if counts.all():
        return raw
    kept = np.flatnonzero(counts)
    lookup = np.full(len(raw.texts) + 1, MISSING, dtype=np.int32)
    lookup[kept] = np.arange(len(kept), dtype=np.int32)
    return dataclasses.replace(raw, codes=lookup[codes], texts=tuple(raw.texts[code] for code in kept.tolist()))


def reject_unstorable(raw: RawColumn) -> None:
    """Raise if a text cannot be written as UTF-8."""
    odd = texts.unstorable(raw.texts)
    if odd is not None:
        row = first_row(raw, raw.texts.index(odd))
        raise InputError(
            f"Column {short_repr(raw.name)}, row {row}, holds text that cannot be stored as UTF-8: {short_repr(ascii(odd))}.",
            hint="Decode the source with the correct encoding; the text contains half of a surrogate pair.",
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
        return doubles_of(raw)
    numbers = texts.days_of(raw.texts) if is_date else texts.numbers_of(raw.texts, decimal)
    if numbers is not None:
        return numbers, ("dates as days since 1970-01-01",) if is_date else ()
    wrong = [code for code, text in enumerate(raw.texts) if not _converts(text, decimal, is_date)]
    row = int(np.argmax(np.isin(codes_of(raw), wrong)))
    raise InputError(
        f"Column {short_repr(raw.name)}, row {row}, is not a {'date (YYYY-MM-DD)' if is_date else 'number'}: "
        f"{short_repr(raw.texts[codes_of(raw)[row]])}.",
        fix=Set("na_values", purpose="to count it as missing"),
        hint="or correct the value.",
        column=raw.name,
        row=row,
        value=raw.texts[codes_of(raw)[row]],
    )


def _converts(text: Any, decimal: str, is_date: bool) -> bool:
    if not isinstance(text, str):
        return False
    return (texts.days_of([text]) if is_date else texts.numbers_of([text], decimal)) is not None


def loses_precision(value: Any) -> bool:
    """Whether a whole number changes when it becomes a double."""
    if isinstance(value, (float, np.floating)) or abs(value) <= texts.LARGEST_EXACT or value != int(value):
        return False
    return abs(value) > 1.7e308 or int(float(value)) != int(value)


def doubles_of(raw: RawColumn) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Typed numbers as doubles; two that become one double are an error, digits lost are said."""
    try:
        numbers = np.fromiter(map(float, raw.texts), np.float64, len(raw.texts))
    except OverflowError:
        numbers = np.array([np.inf])
    if len(np.unique(numbers)) < len(raw.texts):
        raise InputError(
            f"Column {short_repr(raw.name)} holds different numbers that are the same as doubles (exact up to 2^53).",
            fix=Set("kinds", {raw.name: "nominal"}),
            hint="or subtract an offset.",
            column=raw.name,
        )
    lost = [v for v, number in zip(raw.texts, numbers.tolist()) if not isinstance(v, float) and _loses(v, number)]
    return numbers, (f"rounded to doubles: {short_repr(lost[0])} and {len(lost) - 1} more",) if lost else ()


def _loses(value: Any, number: float) -> bool:
    if type(value).__name__ == "Decimal":
        return bool(type(value)(repr(number)) != value)
    return bool(value != number)


def numeric_column(raw: RawColumn, behind: npt.NDArray[np.float64], why: str, notes: tuple[str, ...]) -> Column:
    """A numeric column from the numbers behind its distinct values."""
    values = np.append(behind, np.nan)[codes_of(raw)]
    return Column(raw.name, Kind.NUMERIC, values, (), why, raw.notes + notes + remarks_on_numbers(raw.name, values))


def column_with_levels(
    raw: RawColumn, kind: Kind, order: tuple[Any, ...] | None, why: str, notes: tuple[str, ...]
) -> Column:
    """A column with levels, in the order given or sorted."""
    lookup = np.full(len(raw.texts) + 1, MISSING, dtype=np.int32)
    if order is None:
        places = sorted_level_order(raw.texts)
        levels = tuple([raw.texts[place] for place in places])
        lookup[places] = np.arange(len(places), dtype=np.int32)
    else:
        levels = tuple(order)
        lookup[:-1] = _places_among(raw, levels)
    codes = lookup[codes_of(raw)]
    remarks = remarks_on_levels(raw.name, raw.texts, codes)
    return Column(raw.name, kind, codes, levels, why, raw.notes + notes + remarks)


def _places_among(raw: RawColumn, levels: tuple[Any, ...]) -> list[int]:
    """The place of each distinct value among levels that were given."""
    place = {level: code for code, level in enumerate(levels)}
    if len(place) < len(levels):
        raise InputError(f"Column {short_repr(raw.name)} names a level twice in {short_repr(levels)}.", column=raw.name)
    for code, text in enumerate(raw.texts):
        if text not in place:
            row = first_row(raw, code)
            raise InputError(
                f"Column {short_repr(raw.name)}, row {row}, has {short_repr(text)}, not among its levels {short_repr(levels)}.",
                hint=did_you_mean(str(text), map(str, levels)),
                column=raw.name,
                row=row,
            )
    return [place[text] for text in raw.texts]


def sorted_level_order(values: Sequence[Any]) -> list[int]:
    """The places of the values in order: numbers by value, texts by code point, texts that are all numbers by value."""
    if set(map(type, values)) <= {str}:
        numbers = texts.numbers_of(values)
        if numbers is not None:
            keys = list(zip(numbers.tolist(), values))
            return sorted(range(len(values)), key=keys.__getitem__)
    try:
        return sorted(range(len(values)), key=values.__getitem__)
    except TypeError:
        return sorted(range(len(values)), key=lambda place: (type(values[place]).__name__, repr(values[place])))
