"""Matches new rows to the columns of a model.

    by name      tables, frames, dicts, files: any order; a warning about extra columns, an error for a missing one
    by position  arrays and lists of rows: exactly as many columns as the model has
    levels       by value; a level that did not occur in training becomes UNSEEN (-2)

Text in a column that is numeric in the model is an error with its row, and so are numbers in a column whose levels are
texts. The cells of a text file are all text, so they are converted to the kind of the column by the rules for files
(`file_rules`); where a text has two readings, that of the training file is used. The columns of a table that already
have the kinds of the model are used in place; only their codes change where the levels differ.
"""

from __future__ import annotations

import dataclasses
import re
import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamWarning, InputError, Set, did_you_mean, short_repr
from hornbeam.table import coding, number_grammar
from hornbeam.table.column import MISSING, UNSEEN, Column, ColumnSpec, Kind
from hornbeam.table.conversion import codes_of, column_value_type, distinct_numbers, mark_missing, reject_infinite
from hornbeam.table.file_rules.column import FileReader
from hornbeam.table.file_rules.numbers import are_numbers_in, parse
from hornbeam.table.file_rules.settings import FileSettings, file_settings
from hornbeam.table.kinds import DEFAULT_NA_VALUES
from hornbeam.table.level_values import with_level_values
from hornbeam.table.names import checked_names
from hornbeam.table.notes import Note, NoteCode, has_note
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.read import applied_na_values, missing_texts
from hornbeam.table.sources import has_names, raw_table
from hornbeam.table.table import Schema, Table
from hornbeam.table.text_format import TextFormat

_SHARED = (NoteCode.NUMBER_FORMAT, NoteCode.DAYS)


def match_columns(
    schema: Schema,
    source: Any,
    *,
    with_target: bool = False,
    na_values: Collection[str] | None = None,
    keep_default_na: bool = True,
    infinite: str = "error",
    decimal: str | None = None,
    thousands: str | None = None,
    date_format: str | Mapping[str, str] | None = None,
    keep_blanks: bool = False,
    format: str | None = None,
    warn: bool = True,
    **settings: Any,
) -> Table:
    """New rows as a table with exactly the schema's columns, kinds and levels.

    `with_target` also reads the target, which the source must then have; `warn=False` suppresses the warnings about
    extra columns and about rows without column names.
    """
    if not isinstance(schema, Schema):
        raise InputError(f"schema must be a Schema, got {short_repr(schema)}.", hint="Pass model.schema.")
    about_cells = {"decimal": decimal, "thousands": thousands, "date_format": date_format, "keep_blanks": keep_blanks}
    chosen = file_settings(**about_cells, na_values=na_values, keep_default_na=keep_default_na)
    given: Table | RawTable
    if isinstance(source, Table):
        given, is_named = source, True
        columns: Sequence[Column | RawColumn] = source.columns
        if source.target is not None:
            columns = (*source.columns, source.target)
    else:
        is_named = isinstance(source, RawTable) or has_names(source)
        given = raw_table(source, format, na_values=missing_texts(chosen), **chosen.reading, **settings)
        columns = given.columns
    by_schema = _by_name(schema, columns, warn, given.notes) if is_named else _by_position(schema, columns, warn)
    matcher = _Matcher(given if isinstance(given, RawTable) else RawTable(()), chosen, infinite)
    predictors = tuple([matcher.column(spec, column) for spec, column in zip(schema.columns, by_schema)])
    target = None
    if with_target and schema.target is not None:
        target = matcher.column(schema.target, _named(columns, schema.target.name))
    division = source.division if isinstance(source, Table) else None
    return Table(predictors, target, given.weights, (*given.notes, *matcher.notes), given.source, division)


def _named(columns: Sequence[Column | RawColumn], name: str) -> Column | RawColumn:
    names = [column.name for column in columns]
    if name not in names:
        raise InputError(f"Unknown column {short_repr(name)}.", hint=did_you_mean(name, names), column=name)
    return columns[names.index(name)]


def _by_name(
    schema: Schema, columns: Sequence[Column | RawColumn], warn: bool, notes: Sequence[str]
) -> list[Column | RawColumn]:
    names = checked_names(column.name for column in columns)
    by_name = dict(zip(names, columns))
    missing = [name for name in schema.names if name not in by_name]
    own = set(schema.names) | ({schema.target.name} if schema.target is not None else set())
    extra = [name for name in names if name not in own]
    if missing:
        is_left_out = has_note(notes, NoteCode.LEFT_OUT)
        left_out = (Set("keep_ids", True, inside="read"),) if is_left_out else ()
        unknown = f" Columns that the model does not have: {_listed(extra)}." if extra else ""
        raise InputError(
            f"{len(missing)} column(s) of the model are missing from the new rows: {_listed(missing)}.{unknown}",
            fix=left_out,
            hint=did_you_mean(missing[0], extra) if extra else "",
            missing=tuple(missing),
            unknown=tuple(extra),
        )
    if extra and warn:
        warnings.warn(
            f"Columns that the model does not have are ignored: {_listed(extra)}.", HornbeamWarning, stacklevel=3
        )
    return [by_name[name] for name in schema.names]


def _listed(names: list[str], n_max: int = 8) -> str:
    more = f" and {len(names) - n_max} more" if len(names) > n_max else ""
    return ", ".join(map(short_repr, names[:n_max])) + more


def _by_position(schema: Schema, columns: Sequence[Column | RawColumn], warn: bool) -> list[Column | RawColumn]:
    n_given, n_needed = len(columns), len(schema.columns)
    if n_given != n_needed:
        raise InputError(
            f"The new rows must have {n_needed} column(s) ({_listed(list(schema.names))}), got {n_given}.",
            given=n_given,
            needed=n_needed,
        )
    if warn and schema.names != tuple(column.name for column in columns):
        warnings.warn(
            "The new rows have no column names; they are matched to the model's columns by position.",
            HornbeamWarning,
            stacklevel=3,
        )
    return list(columns)


class _Matcher:
    """Converts columns of new rows to the kinds of a model; `notes` are those of the rules for files."""

    def __init__(self, raw: RawTable, settings: FileSettings, infinite: str) -> None:
        self.file = FileReader(raw, settings, DEFAULT_NA_VALUES)
        self.settings = settings
        self.decimal = settings.decimal or "."
        self.infinite = infinite
        self.notes: list[str] = []

    def column(self, spec: ColumnSpec, column: Column | RawColumn) -> Column:
        """One column in the model's kind; values that cannot be converted are missing in an idle column."""
        try:
            if isinstance(column, Column) and not self.settings.na_values and column.has_levels == spec.has_levels:
                return _match_table_column(spec, column, self.infinite)
            raw = _raw_of_column(column) if isinstance(column, Column) else self._read(spec, column)
            return _convert(spec, raw, applied_na_values(raw, self.settings), self.decimal, self.infinite)
        except InputError:
            if not spec.is_idle:
                raise
            is_numeric = spec.kind is Kind.NUMERIC
            values = np.full(len(column), np.nan) if is_numeric else np.full(len(column), MISSING, dtype=np.int32)
            return Column(spec.name, spec.kind, values, spec.levels)

    def _read(self, spec: ColumnSpec, column: RawColumn) -> RawColumn:
        """The column by the rules for files; a note of a rule that the model shares is not repeated."""
        if not column.from_text:
            return column
        levels = frozenset(map(str, spec.levels))
        raw = self.file.read(column, spec.kind, is_date=spec.is_date, levels=levels, prior=spec.text_format)
        is_known = raw.text_format == spec.text_format
        for note in raw.notes:
            if isinstance(note, Note) and note.fix and not (is_known and note.code in _SHARED):
                self.notes.append(note.about_column(spec.name))
        return raw


def _match_table_column(spec: ColumnSpec, column: Column, infinite: str) -> Column:
    """A column of a table, without a copy of its values unless the levels differ."""
    if not spec.has_levels:
        if infinite == "error":
            reject_infinite(column)
        return column
    if column.levels == spec.levels:
        return column if column.kind is spec.kind else dataclasses.replace(column, kind=spec.kind)
    _reject_other_type(spec, column.levels, column.values)
    return dataclasses.replace(
        column, kind=spec.kind, values=recode(column.values, column.levels, spec.levels), levels=spec.levels
    )


def recode(codes: npt.NDArray[np.int32], levels: tuple[Any, ...], new_levels: tuple[Any, ...]) -> npt.NDArray[np.int32]:
    """Codes into `levels` as codes into `new_levels`; a level that is not one of them becomes UNSEEN."""
    if levels == new_levels:
        return codes
    new_codes = {level: code for code, level in enumerate(new_levels)}
    lookup = np.fromiter((new_codes.get(level, UNSEEN) for level in levels), np.int32, len(levels))
    return _look_up(lookup, codes)


def _look_up(lookup: npt.NDArray[np.int32], codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    # Two more entries at the end: the codes UNSEEN (-2) and MISSING (-1) are mapped to themselves.
    found: npt.NDArray[np.int32] = np.append(lookup, np.array([UNSEEN, MISSING], dtype=np.int32))[codes]
    return found


def _raw_of_column(column: Column) -> RawColumn:
    """A column of a table as a raw column, for a conversion to another kind."""
    if column.kind is Kind.NUMERIC:
        return RawColumn(column.name, column.values)
    return RawColumn(column.name, codes=column.values, distinct=column.levels, declared=column.kind)


def _convert(spec: ColumnSpec, raw: RawColumn, na_values: Collection[str], decimal: str, infinite: str) -> Column:
    if spec.kind is not Kind.NUMERIC:
        return Column(spec.name, spec.kind, _codes(spec, mark_missing(raw, na_values), decimal), spec.levels)
    if raw.numbers is not None:
        column = Column(spec.name, Kind.NUMERIC, raw.numbers, text_format=spec.text_format)
    else:
        numbers = _numbers(spec, mark_missing(raw, na_values), decimal)
        column = Column(spec.name, Kind.NUMERIC, numbers, text_format=spec.text_format)
    if infinite == "error":
        reject_infinite(column)
    return column


def _numbers(spec: ColumnSpec, raw: RawColumn, decimal: str) -> npt.NDArray[np.float64]:
    """The values of a numeric column that the source has as codes."""
    value_type = column_value_type(raw)
    if value_type == coding.TEXT and not raw.from_text:
        row = _first_known(codes_of(raw))
        if row is not None:
            raise InputError(
                f"Column {short_repr(spec.name)} is numeric in the model, but row {row} contains the text "
                f"{short_repr(raw.distinct[codes_of(raw)[row]])}.",
                hint="Convert the column to numbers first.",
                column=spec.name,
                row=row,
            )
        numbers: npt.NDArray[np.float64] = np.zeros(len(raw.distinct))
    else:
        numbers = distinct_numbers(raw, value_type, decimal)[0]
    return np.append(numbers, [np.nan, np.nan])[raw.codes]


def _first_known(codes: npt.NDArray[np.int32]) -> int | None:
    """The first row whose value is not missing, or None."""
    is_known = codes >= 0
    return int(np.argmax(is_known)) if is_known.any() else None


def _codes(spec: ColumnSpec, raw: RawColumn, decimal: str) -> npt.NDArray[np.int32]:
    """The values of a column with levels, as the model's codes."""
    if raw.numbers is not None:
        mark = decimal if raw.text_format is None else raw.text_format.decimal
        return _codes_of_numbers(spec, raw.numbers, raw.from_text, mark)
    if not raw.from_text:
        raw = with_level_values(raw)
        _reject_other_type(spec, raw.distinct, codes_of(raw))
        return recode(codes_of(raw), raw.distinct, spec.levels)
    exact: dict[Any, int] = {level: code for code, level in enumerate(spec.levels)}
    of_text = {str(level): code for level, code in exact.items()} | exact
    lookup = np.fromiter((of_text.get(text, UNSEEN) for text in raw.distinct), np.int32, len(raw.distinct))
    if (lookup == UNSEEN).any():
        lookup = _lookup_by_number(spec, raw, lookup, decimal)
    return _look_up(lookup, codes_of(raw))


def codes_of_texts(
    spec: ColumnSpec, texts: Sequence[str], settings: FileSettings, mark: str
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """The model's codes of different cells of a text file, and whether other cells of the column cannot change them.

    A column whose cells are all numbers is matched by number, another one by text. `mark` is the decimal mark that the
    numbers of the column would have, empty if it is known to have other cells.
    """
    filled = [position for position, text in enumerate(texts) if text]
    at_text = np.full(len(texts), MISSING, dtype=np.int32)
    at_text[filled] = np.arange(len(filled))
    raw = RawColumn(spec.name, codes=at_text, distinct=tuple(text for text in texts if text), from_text=True)
    read = FileReader(RawTable(()), settings, DEFAULT_NA_VALUES).read(
        raw, spec.kind, levels=frozenset(map(str, spec.levels))
    )
    codes = _codes(spec, mark_missing(read, missing_texts(settings)), settings.decimal or ".")
    is_certain = np.ones(len(texts), dtype=np.bool_)
    if mark:
        is_number, missing = re.compile(number_grammar.simple_pattern(mark)).fullmatch, missing_texts(settings)
        at = [each for each in filled if is_number(texts[each]) and texts[each] not in missing]
        numbers = np.array([float(texts[each].replace(mark, ".")) for each in at], dtype=np.float64)
        is_certain[at] = _codes_of_numbers(spec, numbers, True, mark) == codes[at]
    return codes, is_certain


def _lookup_by_number(
    spec: ColumnSpec, raw: RawColumn, lookup: npt.NDArray[np.int32], decimal: str
) -> npt.NDArray[np.int32]:
    """The lookup for cells of a text file when the levels are numbers: 1.0 and 1 are then the same level."""
    if coding.value_types(spec.levels) != {coding.NUMBER}:
        return lookup
    code_of = {float(level): code for code, level in enumerate(spec.levels)}
    numbers = [number_grammar.parse_number(text, decimal) for text in raw.distinct]
    return np.array(
        [old if new is None else code_of.get(new, UNSEEN) for old, new in zip(lookup.tolist(), numbers)],
        dtype=np.int32,
    )


def _reject_other_type(spec: ColumnSpec, distinct: tuple[Any, ...], codes: npt.NDArray[np.int32]) -> None:
    """Raise an error if the new values have another value type than the levels, so that none can be equal."""
    expected, found = coding.value_types(spec.levels), coding.value_types(distinct)
    comparable = {coding.NUMBER, coding.BOOLEAN}
    row = _first_known(codes)
    if row is None or not expected or expected & found or (expected <= comparable and found <= comparable):
        return
    raise InputError(
        f"Column {short_repr(spec.name)} has levels such as {short_repr(spec.levels[0])} in the model, but row {row} "
        f"contains {short_repr(distinct[codes[row]])}.",
        hint="Pass values of the same type as in the training data.",
        column=spec.name,
        row=row,
    )


def _codes_of_numbers(
    spec: ColumnSpec, numbers: npt.NDArray[np.float64], from_text: bool, decimal: str
) -> npt.NDArray[np.int32]:
    """The model's codes of numbers; numbers of a text file also match levels that are texts of numbers."""
    codes = np.full(len(numbers), MISSING, dtype=np.int32)
    is_known = ~np.isnan(numbers)
    if not is_known.any():
        return codes
    if not from_text and not coding.value_types(spec.levels) <= {coding.NUMBER, coding.BOOLEAN}:
        row = int(np.argmax(is_known))
        raise InputError(
            f"Column {short_repr(spec.name)} has levels such as {short_repr(spec.levels[0])} in the model, but row "
            f"{row} contains the number {numbers[row]:g}.",
            hint="Pass values of the same type as in the training data.",
            column=spec.name,
            row=row,
        )
    values = np.array([_number_of(level, decimal) for level in spec.levels] or [np.nan])
    order = np.argsort(values, kind="stable")
    index = np.minimum(np.searchsorted(values[order], numbers[is_known]), len(values) - 1)
    codes[is_known] = np.where(values[order][index] == numbers[is_known], order[index], UNSEEN)
    return codes


def _number_of(level: Any, decimal: str) -> float:
    """The number of a level that is a number or the text of one; NaN for other text."""
    if not isinstance(level, str):
        return float(level)
    number = number_grammar.parse_number(level, decimal)
    if number is not None:
        return number
    grouped = TextFormat(decimal=decimal, thousands="," if decimal == "." else ".")
    return float(parse([level], "", grouped)[0]) if are_numbers_in([level], grouped)[0] else np.nan
