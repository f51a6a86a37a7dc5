"""Columns and rows named on the command line: `--columns age,sex`, `--keep id`, `--where id=P12`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hornbeam.cli.command import Usage
from hornbeam.errors import InputError, did_you_mean, nearest, short_repr

if TYPE_CHECKING:
    from hornbeam.table.raw import RawColumn, RawTable


def listed_columns(given: Iterable[str] | None, names: Sequence[str]) -> list[str]:
    """The columns that the values of a repeatable flag list; a value that is a column name is not split at commas."""
    found: list[str] = []
    for each in given or ():
        found += [each] if each in names else [name for name in (part.strip() for part in each.split(",")) if name]
    return list(dict.fromkeys(found))


def kept_columns(given: Iterable[str] | None, raw: RawTable) -> list[RawColumn]:
    """The columns of the data that --keep lists."""
    return [column_named(name, raw, "--keep") for name in listed_columns(given, raw.names)]


def without_columns(raw: RawTable, names: Sequence[str]) -> RawTable:
    """The data without some columns, about which no note is needed."""
    return dataclasses.replace(raw, columns=tuple(column for column in raw.columns if column.name not in names))


def column_named(name: str, raw: RawTable, flag: str) -> RawColumn:
    """A column of the data; an error that names the flag if there is none."""
    if name not in raw.names:
        raise InputError(
            f"{flag}: unknown column {short_repr(name)} in {short_repr(raw.source, 200)}.",
            hint=did_you_mean(name, raw.names),
            column=name,
            path=raw.source,
        )
    return raw.columns[raw.names.index(name)]


def rows_where(conditions: Sequence[str], raw: RawTable) -> list[int]:
    """The rows that satisfy all conditions, such as `id=P12`."""
    found = set(range(len(raw)))
    for condition in conditions:
        found &= set(_rows_with_value(condition, raw))
    if not found:
        raise InputError(f"No row satisfies {' and '.join(conditions)}.", option="--where")
    return sorted(found)


def _rows_with_value(condition: str, raw: RawTable) -> list[int]:
    """The rows where a column has a value; numbers are compared as numbers, other values as text."""
    import numpy as np

    if "=" not in condition:
        raise Usage(f"--where must be COLUMN=VALUE, got {short_repr(condition)}.", option="--where", got=condition)
    name = next((each for each in raw.names if condition.startswith(f"{each}=")), condition.partition("=")[0])
    column, text = column_named(name, raw, "--where"), condition[len(name) + 1 :].strip()
    if column.numbers is not None:
        try:
            rows: list[int] = np.flatnonzero(column.numbers == float(text)).tolist()
        except ValueError:
            raise Usage(
                f"--where: the column {short_repr(name)} is numeric, got {short_repr(text)}.", option="--where"
            ) from None
    else:
        assert column.codes is not None
        codes = [code for code, value in enumerate(column.distinct) if str(value).strip() == text]
        rows = np.flatnonzero(np.isin(column.codes, codes)).tolist()
    if not rows:
        known = [] if column.numbers is not None else [str(value) for value in column.distinct[:10_000]]
        close = nearest(text, known)
        raise InputError(
            f"No row has {short_repr(name)} = {short_repr(text)}.",
            hint=f"Did you mean {' or '.join(map(short_repr, close))}?" if close else "",
            column=name,
        )
    return rows
