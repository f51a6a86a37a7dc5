"""The cells of a CSV file as the columns of a model, batch by batch, where a later cell cannot change their meaning.

    numbers   plain numbers and texts that mean missing, converted while the file is parsed
    texts     numbers in other formats: every batch must fit one format, which the batches so far or the model determine
    dates     all in the format of the model
    levels    texts that are the same level whether or not all cells of the column are numbers

The rules for files decide from all cells of a column. The readers here give the values of these rules, or raise
`Uncertain` if the rules could decide otherwise.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hornbeam.table import number_grammar
from hornbeam.table.column import MISSING, Column, ColumnSpec, Kind
from hornbeam.table.dates import days_in
from hornbeam.table.file_rules.blanks import BLANKS
from hornbeam.table.file_rules.missing_texts import is_missing_text
from hornbeam.table.file_rules.numbers import Reading, are_numbers_in, choose, marks_of, parse, read_numbers, split_sign
from hornbeam.table.file_rules.settings import FileSettings
from hornbeam.table.match import codes_of_texts
from hornbeam.table.read import missing_texts
from hornbeam.table.text_format import TextFormat

Floats = npt.NDArray[np.float64]


class Uncertain(Exception):  # noqa: N818 - a state of knowledge, not an error
    """A cell whose meaning depends on the other cells of its column; `row` counts from the start of the batch."""

    def __init__(self, row: int = 0, text: str = "") -> None:
        super().__init__(text)
        self.row = row
        self.text = text


class ColumnReader(Protocol):
    """Converts the cells of one column."""

    @property
    def name(self) -> str:
        """The name of the column."""

    def arrow_type(self) -> Any:
        """The Arrow type in which the cells are parsed."""

    def read(self, cells: Any) -> Column:
        """The column of one batch of cells."""


class NumberReader:
    """Numbers that the parser of the file converts."""

    def __init__(self, spec: ColumnSpec, has_point: bool, settings: FileSettings) -> None:
        self.spec = spec
        self.name = spec.name
        self.has_point = has_point
        given = [number_grammar.parse_number(text) for text in missing_texts(settings)]
        self.missing = [number for number in given if number is not None]

    def arrow_type(self) -> Any:
        """Float64; int64 where a point could separate thousands, so that a point is an error of the parser."""
        import pyarrow as pa

        return pa.float64() if self.has_point else pa.int64()

    def read(self, cells: Any) -> Column:
        """The numbers; NaN where the cell is a text that means missing."""
        import pyarrow as pa

        n_missing = cells.null_count
        array = cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
        values: Floats = array.cast(pa.float64()).to_numpy(zero_copy_only=False)
        is_finite = np.isfinite(values)
        if len(values) - int(is_finite.sum()) != n_missing:  # nan, inf and numbers beyond float64
            raise Uncertain(int(np.flatnonzero(~is_finite)[0]))
        if self.missing and np.isin(values, self.missing).any():  # ' -999' with na_values=['-999']
            raise Uncertain(int(np.flatnonzero(np.isin(values, self.missing))[0]))
        return Column(self.spec.name, Kind.NUMERIC, values, text_format=self.spec.text_format)


@dataclasses.dataclass(frozen=True)
class _Distinct:
    """The cells of a batch as codes (-1 never occurs) and distinct texts."""

    codes: npt.NDArray[np.int32]
    texts: list[str]

    @classmethod
    def of(cls, cells: Any) -> _Distinct:
        import pyarrow as pa

        array = cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
        array = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
        return cls(array.indices.to_numpy(zero_copy_only=False), array.dictionary.to_pylist())

    def row_of(self, text: str) -> int:
        return int(np.argmax(self.codes == self.texts.index(text)))


class _TextReader:
    """Reads the distinct texts of a batch."""

    def __init__(self, spec: ColumnSpec, settings: FileSettings) -> None:
        self.spec = spec
        self.name = spec.name
        self.settings = settings
        self.na_values = frozenset(missing_texts(settings))

    def arrow_type(self) -> Any:
        """Texts with codes."""
        import pyarrow as pa

        return pa.dictionary(pa.int32(), pa.string())

    def known(self, texts: Sequence[str]) -> list[str]:
        """The trimmed texts; empty where a text means missing in a column of numbers or dates."""
        trimmed = texts if self.settings.keep_blanks else [text.strip(BLANKS) for text in texts]
        words = is_missing_text if self.settings.keep_default_na else lambda text: False
        is_missing = [text in self.na_values or text.strip() in self.na_values or words(text) for text in trimmed]
        return ["" if missing else text for text, missing in zip(trimmed, is_missing)]

    def read(self, cells: Any) -> Column:
        """The values of one batch of cells."""
        distinct = _Distinct.of(cells)
        known = self.known(distinct.texts)
        used = [text for text in known if text]
        try:
            values = self.values_of(used) if used else np.empty(0)
        except Uncertain as found:
            at = known.index(found.text) if found.text in known else 0
            raise Uncertain(distinct.row_of(distinct.texts[at]), distinct.texts[at]) from None
        of_text = np.full(len(known), np.nan)
        of_text[[text != "" for text in known]] = values
        return Column(self.spec.name, Kind.NUMERIC, of_text[distinct.codes], text_format=self.spec.text_format)

    def values_of(self, texts: list[str]) -> Floats:
        """The values of texts that do not mean missing."""
        raise NotImplementedError


class FormattedNumberReader(_TextReader):
    """Numbers in the format that fits all batches."""

    def __init__(self, spec: ColumnSpec, settings: FileSettings) -> None:
        super().__init__(spec, settings)
        self.marks: frozenset[str] = frozenset()
        self.formats: tuple[TextFormat, ...] = ()
        self.chosen: TextFormat | None = None
        self.sign: str | None = None

    def values_of(self, texts: list[str]) -> Floats:
        """The numbers in the texts."""
        reading = read_numbers(texts, self.settings.decimal, self.settings.thousands)
        if reading is None or self.sign not in (None, reading.sign):
            raise Uncertain(text=self._first_odd(texts))
        self.sign = reading.sign
        marks = marks_of(split_sign(texts)[1])
        chosen = self._format(reading, marks, texts) if marks else self._without_marks(texts)
        is_plain = chosen == TextFormat() and not reading.sign
        if is_plain and (number_grammar.first_code(texts) or number_grammar.first_inexact(texts)):
            raise Uncertain(text=number_grammar.first_code(texts) or number_grammar.first_inexact(texts) or "")
        numbers = parse(texts, reading.sign, chosen)
        if not np.isfinite(numbers).all():
            raise Uncertain(text=texts[int(np.argmin(np.isfinite(numbers)))])
        return numbers

    def _format(self, reading: Reading, marks: frozenset[str], texts: list[str]) -> TextFormat:
        """The format of all batches so far; batches with the same marks have the same candidates."""
        formats = reading.formats
        if self.marks:
            formats = tuple(each for each in self.formats if each in reading.formats)
        chosen = formats[0] if len(formats) == 1 else None
        if len(formats) > 1:
            chosen = choose(Reading(formats), (), self.spec.text_format)
        if chosen is None or self.marks not in (frozenset(), marks) or self.chosen not in (None, chosen):
            raise Uncertain(text=texts[0])
        self.marks, self.formats, self.chosen = marks, formats, chosen
        return chosen

    def _without_marks(self, texts: list[str]) -> TextFormat:
        """Digits alone have one value in every format; an exponent is allowed without thousands only."""
        if self.chosen is None:
            odd = [text for text in texts if "e" in text or "E" in text]
        else:
            bare = split_sign(texts)[1]
            odd = [text for text, fits in zip(texts, are_numbers_in(bare, self.chosen)) if not fits]
        if odd:
            raise Uncertain(text=odd[0])
        return self.chosen or TextFormat()

    def _first_odd(self, texts: list[str]) -> str:
        """The first text that is no number in the likely format."""
        likely = self.chosen or self.spec.text_format or TextFormat()
        is_number = are_numbers_in(split_sign(texts)[1], dataclasses.replace(likely, date=""))
        return next((text for text, is_one in zip(texts, is_number) if not is_one), texts[0])


class DateReader(_TextReader):
    """Dates in the format that the user gives or the model has."""

    def values_of(self, texts: list[str]) -> Floats:
        """The days since 1970-01-01."""
        prior = self.spec.text_format
        given = self.settings.date_format_of(self.spec.name) or (prior.date if prior is not None else "")
        days = days_in(texts, given) if given else None
        if days is None:
            raise Uncertain(text=next((text for text in texts if not given or days_in([text], given) is None), ""))
        return days


class LevelReader(_TextReader):
    """Levels, by text; `mark` is the decimal mark if all cells of the column may be numbers."""

    def __init__(self, spec: ColumnSpec, settings: FileSettings, mark: str) -> None:
        super().__init__(spec, settings)
        self.mark = mark

    def read(self, cells: Any) -> Column:
        """The codes of the levels."""
        distinct = _Distinct.of(cells)
        codes, is_certain = codes_of_texts(self.spec, distinct.texts, self.settings, self.mark)
        if not is_certain.all():
            text = distinct.texts[int(np.argmin(is_certain))]
            raise Uncertain(distinct.row_of(text), text)
        values = np.append(codes, np.int32(MISSING))[distinct.codes]
        return Column(self.spec.name, self.spec.kind, values, self.spec.levels)


def column_reader(
    spec: ColumnSpec, settings: FileSettings, mark: str, has_point: bool, *, is_plain: bool
) -> ColumnReader:
    """The reader of a column; `mark` and `has_point` are those of the head of the file."""
    if spec.has_levels:
        return LevelReader(spec, settings, mark)
    if spec.is_date:
        return DateReader(spec, settings)
    if not is_plain or settings.keep_blanks or settings.decimal == "," or settings.thousands == "." or mark == ",":
        return FormattedNumberReader(spec, settings)
    prior = spec.text_format
    return NumberReader(spec, has_point or (prior is not None and prior.decimal == "."), settings)
