"""Concatenates the rows of several files; columns are matched by name.

A column must have one type in all files: numbers in one file and text in another are rejected, since neither file
states which is right. A column without values has any type.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from hornbeam.errors import InputError, did_you_mean, short_repr
from hornbeam.table.kinds import DEFAULT_NA_VALUES
from hornbeam.table.raw import RawColumn, RawTable, UnusableColumn, is_unusable
from hornbeam.table.text_format import TextFormat

_NA_VALUES = frozenset(DEFAULT_NA_VALUES)


def concatenate(tables: Sequence[RawTable]) -> RawTable:
    """The rows of all tables, in order, with the columns of the first table."""
    first = tables[0]
    for other in tables[1:]:
        check_same_columns(first.names, first.source, other.names, other.source)
    columns = tuple(_concatenate_column([_named(table, name) for table in tables], tables) for name in first.names)
    weights = [table.weights for table in tables]
    known = [each for each in weights if each is not None]
    if known and len(known) < len(weights):
        raise InputError("Some of the files have weights and some do not.", hint="Pass them separately.")
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    source = f"{len(tables)} files from {first.source} to {tables[-1].source}"
    is_file = all(table.is_file for table in tables)
    return RawTable(columns, source, notes, first.target, np.concatenate(known) if known else None, is_file)


def _named(table: RawTable, name: str) -> RawColumn:
    return table.columns[table.names.index(name)]


def check_same_columns(names: Sequence[str], source: str, other_names: Sequence[str], other_source: str) -> None:
    """Raise an error if a file has other columns than the first one; their order does not matter."""
    absent = [name for name in names if name not in other_names]
    extra = [name for name in other_names if name not in names]
    if absent or extra:
        difference = f"lacks the column {short_repr(absent[0])}" if absent else f"also has {short_repr(extra[0])}"
        near = did_you_mean(absent[0], extra) if absent and extra else ""
        raise InputError(
            f"{short_repr(other_source, 200)} {difference}, unlike {short_repr(source, 200)}.",
            hint=f"Use files with the same columns. {near}".strip(),
            column=(absent or extra)[0],
            path=other_source,
        )


def _concatenate_column(columns: Sequence[RawColumn], tables: Sequence[RawTable]) -> RawColumn:
    for column in columns:
        if is_unusable(column):
            return UnusableColumn(column.name, column.error, sum(map(len, tables)))
    columns = _with_one_type(_with_one_format(columns))
    first = columns[0]
    numbers = [column.numbers for column in columns if column.numbers is not None]
    if len(numbers) == len(columns):
        formats = [column.text_format for column in columns if column.text_format is not None]
        return dataclasses.replace(first, numbers=np.concatenate(numbers), text_format=formats[0] if formats else None)
    if numbers:
        types = ["numeric" if column.numbers is not None else "text" for column in columns]
        other = next(index for index, each in enumerate(types) if each != types[0])
        raise InputError(
            f"Column {short_repr(first.name)} is {types[0]} in {short_repr(tables[0].source, 200)} "
            f"and {types[other]} in {short_repr(tables[other].source, 200)}.",
            hint="Use the same type in all files.",
            column=first.name,
            path=tables[other].source,
        )
    return _concatenate_codes(columns)


def _with_one_format(columns: Sequence[RawColumn]) -> list[RawColumn]:
    """The columns, with texts as numbers where another file shows their decimal mark (1.234 next to 1.5)."""
    marks = {column.text_format.decimal for column in columns if column.text_format is not None}
    if len(marks) != 1 or all(column.numbers is not None for column in columns):
        return list(columns)
    text_format = TextFormat(decimal=marks.pop())
    return [column if column.numbers is not None else _as_numbers(column, text_format) for column in columns]


def _as_numbers(column: RawColumn, text_format: TextFormat) -> RawColumn:
    """A column of texts as numbers in a format, if every text is one or means missing; else the column itself."""
    from hornbeam.table.file_rules.numbers import are_numbers_in, parse

    texts = [text for text in column.distinct if text not in _NA_VALUES]
    if not column.from_text or not all(are_numbers_in(texts, text_format)):
        return column
    value_of = dict(zip(texts, parse(texts, "", text_format).tolist()))
    values = np.array([*(value_of.get(text, np.nan) for text in column.distinct), np.nan])[column.codes]
    return dataclasses.replace(column, numbers=values, codes=None, distinct=(), text_format=text_format)


def _with_one_type(columns: Sequence[RawColumn]) -> list[RawColumn]:
    """The columns, with those that have no values as the type that they have in other files."""
    types = {column.numbers is not None for column in columns if not _is_missing(column)}
    if len(types) != 1:
        return list(columns)
    is_numeric = types.pop()
    return [each if (each.numbers is not None) == is_numeric else _all_missing(each, is_numeric) for each in columns]


def _is_missing(column: RawColumn) -> bool:
    """Whether all values of a column are missing."""
    if column.numbers is not None:
        return bool(np.isnan(column.numbers).all())
    return not column.distinct or (column.from_text and _NA_VALUES.issuperset(column.distinct))


def _all_missing(column: RawColumn, is_numeric: bool) -> RawColumn:
    if is_numeric:
        return dataclasses.replace(column, numbers=np.full(len(column), np.nan), codes=None, distinct=())
    return dataclasses.replace(column, numbers=None, codes=np.full(len(column), -1, dtype=np.int32), distinct=())


def _concatenate_codes(columns: Sequence[RawColumn]) -> RawColumn:
    """Columns of codes as one column, with distinct values in order of appearance."""
    index: dict[tuple[type, Any], int] = {}
    recoded = []
    for column in columns:
        assert column.codes is not None
        codes = [index.setdefault((type(text), text), len(index)) for text in column.distinct]
        recoded.append(np.array([*codes, -1], dtype=np.int32)[column.codes])
    texts = tuple(text for _, text in index)
    same = all(column.levels == columns[0].levels for column in columns)
    return dataclasses.replace(
        columns[0], codes=np.concatenate(recoded), distinct=texts, levels=columns[0].levels if same else None
    )
