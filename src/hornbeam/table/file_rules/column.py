"""Applies the rules to the texts of one column of a file: blanks, missing values, numbers, dates, other cells."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hornbeam.errors import Set, short_repr
from hornbeam.table import number_grammar
from hornbeam.table.column import MISSING, Kind
from hornbeam.table.conversion import codes_of, mark_missing, without_unused_values
from hornbeam.table.dates import days_in, read_dates
from hornbeam.table.file_rules.blanks import trim
from hornbeam.table.file_rules.missing_texts import without_missing_texts
from hornbeam.table.file_rules.numbers import Reading, choose, parse, read_numbers
from hornbeam.table.file_rules.odd_cells import bad_date, report_odd_cells
from hornbeam.table.file_rules.settings import FileSettings
from hornbeam.table.notes import Note, NoteCode, missing_texts_note
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.text_format import TextFormat

_PLAIN = TextFormat()
_HEAD = 64  # texts that are tested before all of them
DECIMAL_COMMA = "written with a decimal comma"
_MARKS = {".": "dots", ",": "commas", "'": "apostrophes", "\u2019": "apostrophes"}
_MARKS |= dict.fromkeys((" ", "\u00a0", "\u202f"), "blanks")


class FileReader:
    """Reads the text columns of one file by the rules."""

    def __init__(self, raw: RawTable, settings: FileSettings, default_na_values: Collection[str]) -> None:
        self.raw = raw
        self.settings = settings
        self.na_values = (*(default_na_values if settings.keep_default_na else ()), *settings.na_values)

    @cached_property
    def decimals(self) -> frozenset[str]:
        """The decimal marks of the columns that have only one reading."""
        found = {each.text_format.decimal for each in self.raw.columns if each.text_format is not None}
        for each in self.raw.columns:
            if each.from_text and each.codes is not None:
                texts = without_missing_texts([text.strip() for text in each.distinct if text not in self.na_values])
                reading = read_numbers(texts)
                if reading is not None and reading.is_certain and any("." in text or "," in text for text in texts):
                    found.add(reading.formats[0].decimal)
        return frozenset(found)

    def read(
        self,
        raw: RawColumn,
        kind: Kind | None = None,
        *,
        is_date: bool = False,
        levels: Collection[str] = (),
        prior: TextFormat | None = None,
    ) -> RawColumn:
        """The column with numbers or days where the rules find them; `kind` and `is_date` are requested.

        `prior` is the format of the column in a model, `levels` are its levels there.
        """
        if raw.codes is None:
            return self._dates_of_numbers(raw, prior) if is_date else raw
        if not raw.from_text or raw.declared is not None:
            return raw
        trimmed = raw if self.settings.keep_blanks else trim(raw, levels)
        known = without_unused_values(mark_missing(trimmed, self.na_values))
        if kind in (Kind.NOMINAL, Kind.ORDINAL) or not known.distinct:
            return known
        if kind is Kind.NUMERIC and not self._without_words(known.distinct):
            return _with_values(known, (), np.empty(0), prior, ())  # nothing but words for missing
        if is_date:
            found = self._dates(known, prior)
            return found if found is not None and found.codes is None else self._reject_dates(known, prior)
        found = self._numbers(known, prior) or self._dates(known, prior)
        if found is not None:
            return found
        marked = [text for text in trimmed.distinct if text and text in self.settings.na_values]
        is_requested = kind is Kind.NUMERIC
        return report_odd_cells(
            known, self.settings, lambda: self.decimals, is_requested=is_requested, na_values=marked
        )

    def _numbers(self, raw: RawColumn, prior: TextFormat | None) -> RawColumn | None:
        """The column as numbers, or as text with a note; None if it is no column of numbers."""
        head = self._without_words(raw.distinct[:_HEAD])
        if head and read_numbers(head, self.settings.decimal, self.settings.thousands) is None:
            return None
        texts = self._without_words(raw.distinct)
        reading = read_numbers(texts, self.settings.decimal, self.settings.thousands)
        if reading is None:
            return None
        chosen = reading.formats[0] if reading.is_certain else choose(reading, self.decimals, prior)
        note = _format_note(raw.name, reading, chosen, texts)
        if chosen is None:
            fallback = _PLAIN if _PLAIN in reading.formats else None
            if fallback is None:
                return dataclasses.replace(raw, notes=(*raw.notes, *note))
            chosen = fallback
        is_plain = chosen == _PLAIN and not reading.sign
        if is_plain and (number_grammar.first_code(texts) or number_grammar.first_inexact(texts)):
            return raw  # codes and long integers stay text
        numbers = parse(texts, reading.sign, chosen)
        is_shown = chosen != _PLAIN or any("." in text for text in texts)  # integers show no format
        return _with_values(raw, texts, numbers, chosen if is_shown else None, note)

    def _dates(self, raw: RawColumn, prior: TextFormat | None) -> RawColumn | None:
        """The column as days, or as text with a note; None if it is no column of dates."""
        formats = self._known_formats(raw.name, prior)
        head = self._without_words(raw.distinct[:_HEAD])
        if head and read_dates(head) is None and all(days_in(head, each) is None for each in formats):
            return None
        texts = self._without_words(raw.distinct)
        for given in formats:
            days = days_in(texts, given) if texts else None
            if days is not None:
                return _with_values(raw, texts, days, TextFormat(date=given), (_dates_note(raw.name, given),))
        reading = read_dates(texts)
        if reading is None:
            return None
        if not reading.is_certain:
            return dataclasses.replace(raw, notes=(*raw.notes, _ambiguous(texts, reading.formats)))
        found = reading.formats[0]
        return _with_values(raw, texts, reading.days, TextFormat(date=found), (_dates_note(raw.name, found),))

    def _known_formats(self, name: str, prior: TextFormat | None) -> list[str]:
        """The formats of dates that the user gives and that a model has, in this order."""
        given = self.settings.date_format_of(name), prior.date if prior is not None else None
        return [each for each in given if each]

    def _reject_dates(self, raw: RawColumn, prior: TextFormat | None) -> RawColumn:
        """Raise the error about a column that must contain dates."""
        raise bad_date(raw, self._without_words(raw.distinct), self._known_formats(raw.name, prior))

    def _dates_of_numbers(self, raw: RawColumn, prior: TextFormat | None) -> RawColumn:
        """Integers such as 20200131 as days, if the format is given; other numbers are days already."""
        if raw.numbers is None or not raw.from_text or not self._known_formats(raw.name, prior):
            return raw
        is_known = ~np.isnan(raw.numbers)
        if not is_known.any():
            return raw
        distinct, indices = np.unique(raw.numbers[is_known], return_inverse=True)
        codes = np.full(len(raw.numbers), MISSING, dtype=np.int32)
        codes[is_known] = indices
        texts = tuple(f"{number:.0f}" for number in distinct.tolist())
        coded = dataclasses.replace(raw, numbers=None, codes=codes, distinct=texts, extent=None)
        found = self._dates(coded, prior)
        return found if found is not None and found.codes is None else self._reject_dates(coded, prior)

    def _without_words(self, texts: Sequence[str]) -> list[str]:
        """The texts without those that usually mean missing, unless the default texts are off."""
        return without_missing_texts(texts) if self.settings.keep_default_na else list(texts)


def _with_values(
    raw: RawColumn,
    texts: Sequence[str],
    values: npt.NDArray[np.float64],
    chosen: TextFormat | None,
    notes: tuple[Note, ...],
) -> RawColumn:
    """The column with the values of its texts; all other texts are missing, with a note."""
    codes = codes_of(raw)
    by_code = np.full(len(raw.distinct) + 1, np.nan)
    words: list[tuple[str, int]] = []
    if len(texts) == len(raw.distinct):
        by_code[:-1] = values
    else:
        value_of = dict(zip(texts, values.tolist(), strict=True))
        by_code[:-1] = [value_of.get(text, np.nan) for text in raw.distinct]
        counts = np.bincount(codes + 1, minlength=len(raw.distinct) + 1)[1:].tolist()
        words = [(text, count) for text, count in zip(raw.distinct, counts) if text not in value_of]
    keep = Set("kinds", {raw.name: "nominal"}, "keeps them as levels")
    return dataclasses.replace(
        raw,
        numbers=by_code[codes],
        codes=None,
        distinct=(),
        text_format=chosen,
        notes=(*raw.notes, *notes, *missing_texts_note(words, keep)),
    )


def _format_note(name: str, reading: Reading, chosen: TextFormat | None, texts: Sequence[str]) -> tuple[Note, ...]:
    """The note about the format of numbers; none for plain numbers."""
    if chosen is None:
        return (_ambiguous_numbers(reading, texts),)
    parts = []
    if chosen.thousands and any(chosen.thousands in text for text in texts):
        example = next(text for text in texts if chosen.thousands in text)
        value = f"{parse([example], reading.sign, chosen)[0]:.12g}"
        parts.append(f"{_MARKS[chosen.thousands]} separate thousands ({short_repr(example, 20)} is {value})")
    if chosen.decimal == "," and any("," in text for text in texts):
        parts.append(DECIMAL_COMMA)
    if reading.sign:
        parts.append(f"the sign {short_repr(reading.sign)} is removed")
    if not parts:
        return ()
    fix = Set("kinds", {name: "nominal"}, "keeps the text")
    if not reading.is_certain:
        point = "point" if chosen.thousands == "." else "comma"
        fix = Set("thousands", "", f"reads a decimal {point}") if chosen.thousands else _thousands(chosen.decimal)
    return (Note(", ".join(parts), NoteCode.NUMBER_FORMAT, fix),)


def _thousands(mark: str) -> Set:
    return Set("thousands", mark, "reads thousands")


def _ambiguous_numbers(reading: Reading, texts: Sequence[str]) -> Note:
    """The note about a column with two readings: a decimal point is read as before, a comma stays text."""
    mark = "." if _PLAIN in reading.formats else ","
    example = short_repr(next(text for text in texts if mark in text), 20)
    if mark == ".":
        text = f"{example} could be a thousand: read with a decimal point"
        return Note(text, NoteCode.AMBIGUOUS_NUMBERS, _thousands(mark))
    return Note(
        f"{example} could be a thousand or have a decimal comma: kept as text",
        NoteCode.AMBIGUOUS_NUMBERS,
        (Set("decimal", ",", "reads a decimal comma"), _thousands(mark)),
    )


def _dates_note(name: str, date_format: str) -> Note:
    return Note(f"read as dates ({date_format})", NoteCode.DAYS, Set("kinds", {name: "nominal"}, "keeps the text"))


def _ambiguous(texts: Sequence[str], formats: Sequence[str]) -> Note:
    """The note about dates with two readings."""
    why = "its century" if "%y" in formats[0] else "the order of day and month"
    choices = [Set("date_format", each, "reads dates") for each in dict.fromkeys(formats)]
    text = f"{short_repr(texts[0], 20)} is a date, but {why} is unknown: kept as text"
    return Note(text, NoteCode.LOOKS_LIKE_DATES, choices)
