"""Converts any source to a table.

    read("data.csv", target="outcome", kinds={"stage": "ordinal"})      a file, a frame, a dict, an array ...
    table_from_arrays(X, y, sample_weight)                              rows, target and weights separately

Readers return raw columns, `kinds.decide_kind` decides the kind of each, and the functions here separate target,
weights and predictors. Rows with a missing target cannot be used for training: `read` drops them and notes their
number, `table_from_arrays` raises an error unless `missing_target="drop"`. The default texts for missing values apply
to text files only; `na_values` applies to all sources.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import HornbeamWarning, InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.table.column import Column, Kind
from hornbeam.table.divide import divide
from hornbeam.table.kinds import DEFAULT_NA_VALUES, decide_kind
from hornbeam.table.names import checked_names
from hornbeam.table.notes import NoteCode, has_note
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.sources import raw_table
from hornbeam.table.table import Table
from hornbeam.table.targets import drop_unused_levels, reject_infinite_target, target_column
from hornbeam.table.weights import checked_weights

KindArgument = Kind | str | Sequence[Any]
_INFINITE = ("error", "ordered")
_MISSING_TARGET = ("drop", "error")


def read(
    source: Any,
    target: str | None = None,
    *,
    kinds: Mapping[str, KindArgument] | None = None,
    na_values: Collection[str] | None = None,
    weights: Any = None,
    groups: str | None = None,
    times: str | None = None,
    columns: Sequence[str] | None = None,
    infinite: str = "error",
    missing_target: str = "drop",
    decimal: str | None = None,
    format: str | None = None,
    **settings: Any,
) -> Table:
    """A table from any source: the path of a file, a frame, an array, a dict of columns, a list of rows.

    `target` and `weights` are names of columns (weights may also be an array); `columns` selects predictors; `kinds`
    overrides the inferred kinds; further settings are passed to the reader of the file. `groups` and `times` are names
    of columns that are no predictors: wherever rows are divided for validation, rows of one group stay together, and
    training rows are earlier than test rows.
    """
    _check_choice("infinite", infinite, _INFINITE)
    _check_choice("missing_target", missing_target, _MISSING_TARGET)
    defaults = DEFAULT_NA_VALUES if na_values is None else tuple(na_values)
    raw = raw_table(source, format, decimal=decimal, na_values=defaults, **settings)
    _reject_empty(raw)
    requested = dict(kinds or {})
    target = target if target is not None else raw.target
    weights_name = weights if isinstance(weights, str) else None
    _check_names(raw, (target, weights_name, groups, times, *(columns or ()), *requested))
    by_name = {column.name: column for column in raw.columns}

    def column_of(name: str, infinite: str = infinite) -> Column:
        column = by_name[name]
        missing = applied_na_values(column, na_values)
        return decide_kind(column, requested.get(name), missing, decimal=decimal or ".", infinite=infinite)

    chosen = columns if columns is not None else [name for name in raw.names if name not in (target, weights_name)]
    dividing = [name for name in (groups, times) if name is not None and name not in chosen]
    predictors = tuple(column_of(name) for name in dict.fromkeys((*chosen, *dividing)))
    truth = None if target is None else without_unused_levels(column_of(target, "ordered"), by_name[target])
    given = column_of(weights_name).values if weights_name else weights if weights is not None else raw.weights
    checked = None if given is None else checked_weights(given, len(raw))
    table = finish_table(Table(predictors, truth, checked, raw.notes, raw.source), missing_target)
    return divide(table, groups=groups, times=times)


def table_from_arrays(
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    target_kind: Kind | str | None = None,
    kinds: Mapping[str, KindArgument] | None = None,
    infinite: str = "error",
    missing_target: str = "error",
    target_name: str = "y",
    copy: bool = True,
) -> Table:
    """A table from rows and their target in memory, as passed to estimators; without y a table without a target.

    `copy=False` reads an array of floats in place: it saves memory, and the array must not change while the table is in
    use.
    """
    _check_choice("infinite", infinite, _INFINITE)
    _check_choice("missing_target", missing_target, _MISSING_TARGET)
    raw = raw_table(X, borrow=not copy)
    _reject_empty(raw)
    if kinds:
        _check_names(raw, kinds)
        columns = tuple([decide_kind(each, kinds.get(each.name), infinite=infinite) for each in raw.columns])
    else:
        columns = tuple([decide_kind(each, infinite=infinite) for each in raw.columns])
    for column in columns:
        if has_note(column.notes, NoteCode.KEPT_INTEGERS):
            warnings.warn(f"Column {short_repr(column.name)}: {column.notes[-1]}.", HornbeamWarning, stacklevel=2)
    _warn_about_index(X, y)
    truth = None if y is None else target_column(y, target_kind, len(raw), target_name)
    weights = None if sample_weight is None else checked_weights(sample_weight, len(raw))
    return finish_table(Table(columns, truth, weights, raw.notes, raw.source), missing_target)


def applied_na_values(raw: RawColumn, na_values: Collection[str] | None) -> Collection[str]:
    """The texts that mean missing in a column: those given, else the defaults in text files and none elsewhere."""
    if na_values is not None:
        return na_values
    return DEFAULT_NA_VALUES if raw.from_text else ()


def without_unused_levels(column: Column, raw: RawColumn) -> Column:
    """The target without the levels that no row has, unless the source declares its levels."""
    if column.kind is Kind.NUMERIC:
        reject_infinite_target(column)
        return column
    return column if raw.levels is not None else drop_unused_levels(column)


def finish_table(table: Table, missing_target: str) -> Table:
    """The table without rows whose target is missing (or an error), with notes about dropped and ignored rows."""
    notes = list(table.notes)
    if table.target is not None and table.target.has_missing:
        is_missing = table.target.is_missing
        n_missing = int(is_missing.sum())
        row = int(np.argmax(is_missing))
        if missing_target == "error" or n_missing == len(table):
            raise InputError(
                f"The target is missing (NaN) in {n_missing} of {len(table)} rows, first in row {row}.",
                fix=Set("missing_target", "drop") if n_missing < len(table) else (),
                hint="or drop these rows." if n_missing < len(table) else "",
                row=row,
            )
        table = table.take(~is_missing)
        notes.append(f"{n_missing} row(s) with a missing target dropped, first row {row}")
    if table.weights is not None:
        n_zero = int((table.weights == 0).sum())
        if n_zero == len(table):
            raise InputError("At least one weight must be above 0, got only zeros.")
        if n_zero:
            notes.append(f"{n_zero} row(s) with weight zero are ignored")
    return dataclasses.replace(table, notes=tuple(notes)) if len(notes) > len(table.notes) else table


def _reject_empty(raw: RawTable) -> None:
    checked_names(raw.names)
    if not raw.columns:
        raise InputError("X must have at least 1 column, got 0 columns.", source=raw.source)
    if not len(raw):
        raise InputError(f"X must have at least 1 row, got 0 rows and {len(raw.columns)} columns.", source=raw.source)


def _check_names(raw: RawTable, names: Any) -> None:
    known = set(raw.names)
    for name in names:
        if name is not None and name not in known:
            raise InputError(
                f"Unknown column {short_repr(name)}.", hint=did_you_mean(str(name), raw.names), column=name
            )


def _check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise OptionError(
            f"{name} must be one of {', '.join(choices)}, got {short_repr(value)}.", option=name, got=value
        )


def _warn_about_index(X: Any, y: Any) -> None:
    left: Any = getattr(X, "index", None)
    right: Any = getattr(y, "index", None)
    if hasattr(left, "equals") and hasattr(right, "equals") and len(left) == len(right) and not left.equals(right):
        warnings.warn(
            "X and y have different index labels; rows are matched by position.", HornbeamWarning, stacklevel=3
        )
