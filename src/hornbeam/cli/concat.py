"""How do several files become one table?  Below each other, columns by name.

A column must be of one sort in all of them: a column of numbers in one file and of text in the next is refused, since
neither file says which is right.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from hornbeam.errors import InputError, did_you_mean, short_repr
from hornbeam.table.raw import RawColumn, RawTable


def concatenate(tables: Sequence[RawTable]) -> RawTable:
    """The rows of all tables, in order; columns as the first one has them."""
    first = tables[0]
    for other in tables[1:]:
        _check_names(first, other)
    columns = tuple(_joined([_named(table, name) for table in tables], tables) for name in first.names)
    weights = [table.weights for table in tables]
    known = [each for each in weights if each is not None]
    if known and len(known) < len(weights):
        raise InputError("Some of the files carry weights and some do not.", hint="Read them apart.")
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    source = f"{len(tables)} files from {first.source} to {tables[-1].source}"
    return RawTable(columns, source, notes, first.target, np.concatenate(known) if known else None)


def _named(table: RawTable, name: str) -> RawColumn:
    return table.columns[table.names.index(name)]


def _check_names(first: RawTable, other: RawTable) -> None:
    absent = [name for name in first.names if name not in other.names]
    extra = [name for name in other.names if name not in first.names]
    if absent or extra:
        words = f"lacks {short_repr(absent[0])}" if absent else f"also has {short_repr(extra[0])}"
        near = did_you_mean(absent[0], extra) if absent and extra else ""
        raise InputError(
            f"{short_repr(other.source, 200)} {words}, unlike {short_repr(first.source, 200)}.",
            hint=f"Files must have the same columns. {near}".strip(),
            column=(absent or extra)[0],
            path=other.source,
        )


def _joined(columns: Sequence[RawColumn], tables: Sequence[RawTable]) -> RawColumn:
    first = columns[0]
    numbers = [column.numbers for column in columns if column.numbers is not None]
    if len(numbers) == len(columns):
        return dataclasses.replace(first, numbers=np.concatenate(numbers))
    if numbers:
        sorts = ["numbers" if column.numbers is not None else "text" for column in columns]
        other = next(place for place, sort in enumerate(sorts) if sort != sorts[0])
        raise InputError(
            f"Column {short_repr(first.name)} is {sorts[0]} in {short_repr(tables[0].source, 200)} and {sorts[other]} in "
            f"{short_repr(tables[other].source, 200)}.",
            hint="Make it the same in all files, or leave it out with --drop.",
            column=first.name,
            path=tables[other].source,
        )
    return _recoded(columns)


def _recoded(columns: Sequence[RawColumn]) -> RawColumn:
    """Columns of codes as one: distinct values in order of appearance."""
    place: dict[tuple[type, Any], int] = {}
    parts = []
    for column in columns:
        assert column.codes is not None
        behind = [place.setdefault((type(text), text), len(place)) for text in column.distinct]
        parts.append(np.array([*behind, -1], dtype=np.int32)[column.codes])
    texts = tuple(text for _, text in place)
    same = all(column.levels == columns[0].levels for column in columns)
    return dataclasses.replace(
        columns[0], codes=np.concatenate(parts), distinct=texts, levels=columns[0].levels if same else None
    )
