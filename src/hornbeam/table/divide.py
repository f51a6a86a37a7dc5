"""`divide`: a table whose rows are divided by groups, by times or by both wherever they are divided.

    divide(table, groups="patient", times="visit")      names of columns, which are no longer inputs
    divide(table, groups=patients)                      one value per row

Groups may be text or numbers. Times may be numbers, dates or an ordinal column. Every row must have a group and a time.
"""

from __future__ import annotations

import contextlib
import dataclasses
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from hornbeam.errors import HornbeamError, HornbeamWarning, InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.options import is_integer
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.column import MISSING, Column, Kind, numeric
from hornbeam.table.division import Division, Rows, TrainTestSplit
from hornbeam.table.kinds import decide_kind
from hornbeam.table.sources import raw_table
from hornbeam.table.table import Table


def divide(table: Table, *, groups: Any = None, times: Any = None) -> Table:
    """The table with the groups and times of its rows; a column named by them is removed from the inputs.

    What is None stays as it is. `groups` and `times` are names of columns, or arrays with one value per row.
    """
    if groups is None and times is None:
        return table
    found = table.division or Division()
    named: list[str] = []
    if groups is not None and not _is_known(groups, found.groups, found.group_name):
        column = _column(table, groups, "groups")
        found = dataclasses.replace(found, groups=group_codes(column), group_name=column.name)
        named += [groups] if isinstance(groups, str) else []
    if times is not None and not _is_known(times, found.times, found.time_name):
        column = _column(table, times, "times")
        found = dataclasses.replace(found, times=time_ranks(column), time_name=column.name)
        named += [times] if isinstance(times, str) else []
    inputs = tuple(column for column in table.columns if column.name not in named)
    if not inputs:
        raise InputError("No input column is left: all columns are groups or times of the rows.", columns=named)
    notes = tuple(f"column {short_repr(name)} divides the rows and is not an input" for name in dict.fromkeys(named))
    return dataclasses.replace(table, columns=inputs, division=found, notes=(*table.notes, *notes))


def table_splits(
    table: Table, n_folds: int, seed: int = 0, *, repeat: int = 0, warn: bool = True
) -> tuple[TrainTestSplit, ...]:
    """The splits of a cross-validation of a table, one per fold, divided as the table is.

    Without groups and times the folds are stratified by class, or random for a numeric target. `repeat` numbers the
    repetitions. `warn=False` is for callers whose user did not request a cross-validation: there is no warning if a
    class has fewer rows than there are folds.
    """
    classes, division = _classes(table), table.division or Division()
    low, high = division.min_folds, len(table)
    if not is_integer(n_folds) or n_folds < low or (n_folds > high and table.division is None):
        raise OptionError(
            f"folds must be an integer between {low} and {high} (the number of rows), got {short_repr(n_folds)}.",
            option="folds",
            got=n_folds,
        )
    if table.division is None and classes is not None and warn:
        warn_of_rare_classes(classes, table.schema.classes, n_folds)
    return division.splits(classes, len(table), int(n_folds), seed, repeat)


def table_part(table: Table, n_parts: int, seed: int = 0) -> TrainTestSplit:
    """One of `n_parts` parts of the rows as test rows: the first fold, or whole groups, or the latest rows."""
    if table.division is None:
        return table_splits(table, n_parts, seed, warn=False)[0]
    return table.division.held_out(_classes(table), 1 / n_parts, Stream.of(seed, Purpose.FOLDS))


def feasible_folds(table: Table, n_folds: int) -> int:
    """The number of folds, lowered to what the rows, groups or times allow, but no lower than a cross-validation."""
    division = table.division or Division()
    return min(n_folds, max(division.max_folds(len(table)), division.min_folds))


def group_codes(column: Column) -> Rows:
    """The groups as codes in the order of the sorted labels; an error for a missing group."""
    _reject_missing(column, "group")
    values = column.values
    if column.has_levels:
        rank = np.empty(len(column.levels), dtype=np.int64)
        rank[sorted(range(len(column.levels)), key=lambda code: str(column.levels[code]))] = np.arange(len(rank))
        values = rank[values]
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def time_ranks(column: Column) -> Rows:
    """The times as ranks; an error for text that is no date, and for a missing time."""
    _reject_missing(column, "time")
    column = _with_dates(column)
    if column.kind is Kind.NOMINAL:
        raise InputError(
            f"Times must be numbers, dates or an ordinal column; {short_repr(column.name)} has text such as "
            f"{short_repr(column.shown_value(0))}.",
            fix=(Set("kinds", {column.name: "date"}, inside="read"), Set("kinds", {column.name: "ordinal"})),
            column=column.name,
        )
    return np.unique(column.values, return_inverse=True)[1].astype(np.int64)


def _with_dates(column: Column) -> Column:
    """A nominal column of dates as text as a numeric column; any other column unchanged."""
    if column.kind is not Kind.NOMINAL:
        return column
    with contextlib.suppress(HornbeamError):
        levels = decide_kind(raw_table({column.name: list(map(str, column.levels))}).columns[0], "date")
        return numeric(column.name, levels.values[column.values])
    return column


def warn_of_rare_classes(codes: Rows, names: Sequence[Any], n_folds: int, stacklevel: int = 3) -> None:
    """Warn of classes with fewer rows than folds."""
    sizes = np.bincount(codes, minlength=len(names))
    rare = [f"{short_repr(name)} ({size})" for name, size in zip(names, sizes) if 0 < size < n_folds]
    if rare:
        warnings.warn(
            f"Classes with fewer rows than the {n_folds} folds: {', '.join(rare)}; some folds will not contain them.",
            HornbeamWarning,
            stacklevel=stacklevel,
        )


def _column(table: Table, given: Any, name: str) -> Column:
    """The column that a name or an array denotes."""
    if isinstance(given, Column):
        return given
    if isinstance(given, str):
        if table.target is not None and given == table.target.name:
            raise InputError(f"{name}: the target {short_repr(given)} cannot divide the rows.", column=given)
        found = {column.name: column for column in table.columns}.get(given)
        if found is None:
            raise InputError(
                f"{name}: unknown column {short_repr(given)}.",
                hint=f"{did_you_mean(given, table.names)} Pass the values of a column that is not in the table.",
                column=given,
            )
        return found
    found = decide_kind(raw_table({str(getattr(given, "name", None) or name): given}).columns[0])
    if len(found) != len(table):
        raise InputError(f"{name} must have one value per row ({len(table)}), got {len(found)}.")
    return found


def _is_known(given: Any, values: Rows | None, name: str) -> bool:
    """Whether the table is already divided by the column of this name."""
    return isinstance(given, str) and values is not None and given == name


def _reject_missing(column: Column, what: str) -> None:
    if column.has_missing:
        n_missing, row = int(column.is_missing.sum()), int(np.argmax(column.is_missing))
        raise InputError(
            f"Every row must have a {what}; {short_repr(column.name)} is missing in {n_missing} of {len(column)} rows, "
            f"first in row {row}.",
            hint=f"Fill in the {what}, or exclude these rows.",
            column=column.name,
            row=row,
        )


def _classes(table: Table) -> Rows | None:
    """The codes of the target; None for a numeric target or none."""
    target = table.target
    if target is None or not target.has_levels:
        return None
    if (target.values < 0).any():
        row = int(np.argmax(target.values < 0))
        what = "is missing" if target.values[row] == MISSING else "was not seen in training"
        raise InputError(f"The class of row {row} {what}.", hint="Exclude such rows.", column=target.name, row=row)
    return target.values.astype(np.int64)
