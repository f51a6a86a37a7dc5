"""Reads a built-in data set as a source of data: `builtin:penguins`."""

from __future__ import annotations

from hornbeam.datasets import load, names
from hornbeam.errors import DataFileError, did_you_mean, short_repr
from hornbeam.table.column import Column, Kind
from hornbeam.table.raw import RawColumn, RawTable


def raw(name: str) -> RawTable:
    """The raw table of a data set, with its target and its kinds declared; an error lists the names."""
    if name not in names():
        raise DataFileError(
            f"Unknown built-in data set {short_repr(name)}." if name else "A built-in data set must be named.",
            hint=did_you_mean(name, names()),
            path=f"builtin:{name}",
        )
    table = load(name)
    assert table.target is not None
    columns = tuple(_raw_column(column) for column in (*table.columns, table.target))
    return RawTable(columns, source=f"builtin:{name}", notes=table.notes, target=table.target.name)


def _raw_column(column: Column) -> RawColumn:
    if column.kind is Kind.NUMERIC:
        return RawColumn(column.name, numbers=column.values, declared=Kind.NUMERIC)
    return RawColumn(
        column.name, codes=column.values, distinct=column.levels, declared=column.kind, levels=column.levels
    )
