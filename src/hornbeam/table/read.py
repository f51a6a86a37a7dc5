"""Converts any source to a table.

    read("data.csv", target="outcome", kinds={"stage": "ordinal"})      a file, a frame, a dict, an array ...
    table_from_arrays(X, y, sample_weight)                              rows, target and weights separately

Readers return raw columns, `kinds.decide_kind` decides the kind of each, and the functions here separate target,
weights and predictors. Rows with a missing target cannot be used for training: `read` drops them and notes their
number, `table_from_arrays` raises an error unless `missing_target="drop"`. The default texts for missing values and the
rules of `file_rules` apply to files only; `na_values` applies to all sources.
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
from hornbeam.table.file_rules.column import FileReader
from hornbeam.table.file_rules.ids import leave_out_ids
from hornbeam.table.file_rules.settings import FileSettings, file_settings
from hornbeam.table.file_rules.targets import TWO_INTEGERS, inferred_kind, reject_id
from hornbeam.table.kinds import DEFAULT_NA_VALUES, decide_kind, requested_kind
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
    keep_default_na: bool = True,
    weights: Any = None,
    groups: str | None = None,
    times: str | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    infinite: str = "error",
    missing_target: str = "drop",
    decimal: str | None = None,
    thousands: str | None = None,
    date_format: str | Mapping[str, str] | None = None,
    keep_blanks: bool = False,
    keep_ids: bool = False,
    format: str | None = None,
    **settings: Any,
) -> Table:
    """A table from any source: files, a frame, an array, a dict of columns, a list of rows.

    Files are a path, a pattern ("data/*.csv") or a list of them.

    `target` and `weights` are names of columns (weights may also be an array); `columns` selects predictors and
    `drop` excludes some; `kinds` overrides the inferred kinds. `na_values` are texts that mean missing, in files in
    addition to the default texts ('', ?, NA, ...) unless `keep_default_na` is false, as in pandas. `decimal`,
    `thousands`, `date_format` (one, or one per column), `keep_blanks` and `keep_ids` change the rules for files:
    `hornbeam.table.file_rules`. Further settings are passed to the reader. `groups` and `times` are names of columns
    that are no predictors: wherever rows are divided for validation, rows of one group stay together, and training rows
    are earlier than test rows.
    """
    _check_choice("infinite", infinite, _INFINITE)
    _check_choice("missing_target", missing_target, _MISSING_TARGET)
    about_cells = {"decimal": decimal, "thousands": thousands, "date_format": date_format, "keep_blanks": keep_blanks}
    chosen = file_settings(**about_cells, na_values=na_values, keep_default_na=keep_default_na, keep_ids=keep_ids)
    raw = raw_table(source, format, na_values=missing_texts(chosen), **chosen.reading, **settings)
    _reject_empty(raw)
    requested = dict(kinds or {})
    target = target if target is not None else raw.target
    weights_name = weights if isinstance(weights, str) else None
    _check_names(raw, (target, weights_name, groups, times, *(columns or ()), *drop, *requested))
    reader = _ColumnReader(raw, chosen, requested, infinite)
    dividing = [name for name in (groups, times) if name]
    names = [name for name in raw.names if name not in (target, weights_name)] if columns is None else columns
    names = list(dict.fromkeys([*(name for name in names if name not in drop), *dividing]))
    predictors = tuple(reader.column(name) for name in names)
    left_out: tuple[str, ...] = ()
    if raw.is_file and not keep_ids:
        predictors, left_out = leave_out_ids(predictors, {*requested, *(columns or ()), *dividing})
    truth = None if target is None else reader.target(target)
    given = reader.column(weights_name).values if weights_name else weights if weights is not None else raw.weights
    checked = None if given is None else checked_weights(given, len(raw))
    table = finish_table(Table(predictors, truth, checked, (*raw.notes, *left_out), raw.source), missing_target)
    return divide(table, groups=groups, times=times)


class _ColumnReader:
    """Converts the columns of a raw table: by the rules for files, then to the kind that follows from the values."""

    def __init__(self, raw: RawTable, settings: FileSettings, kinds: Mapping[str, KindArgument], infinite: str) -> None:
        self.raw = raw
        self.settings = settings
        self.kinds = kinds
        self.infinite = infinite
        self.by_name = {column.name: column for column in raw.columns}
        self.file = FileReader(raw, settings, DEFAULT_NA_VALUES)

    def column(self, name: str) -> Column:
        """A predictor, or the weights."""
        return self._decided(self._read(name), self.kinds.get(name), self.infinite)

    def target(self, name: str) -> Column:
        """The target: in a file, two integers are classes, and an id is an error; both unless its kind is requested."""
        raw, given = self._read(name), self.kinds.get(name)
        inferred, notes = inferred_kind(raw) if self.raw.is_file and given is None else (None, ())
        column = without_unused_levels(self._decided(raw, given or inferred, "ordered"), self.by_name[name])
        if self.raw.is_file and given is None and raw.declared is None:
            reject_id(column)
        why = column.why if inferred is None else TWO_INTEGERS
        return dataclasses.replace(column, why=why, notes=(*column.notes, *notes)) if notes else column

    def _read(self, name: str) -> RawColumn:
        request = requested_kind(name, self.kinds.get(name))
        is_date = request.is_date or (request.kind is None and self._has_own_date_format(name))
        return self.file.read(self.by_name[name], request.kind, is_date=is_date)

    def _has_own_date_format(self, name: str) -> bool:
        given = self.settings.date_format
        return isinstance(given, Mapping) and name in given

    def _decided(self, raw: RawColumn, kind: KindArgument | None, infinite: str) -> Column:
        missing = applied_na_values(raw, self.settings)
        return decide_kind(raw, kind, missing, decimal=self.settings.decimal or ".", infinite=infinite)


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


def missing_texts(settings: FileSettings) -> tuple[str, ...]:
    """The texts that mean missing in a text file: the defaults, unless they are off, and those given."""
    return (*(DEFAULT_NA_VALUES if settings.keep_default_na else ()), *settings.na_values)


def applied_na_values(raw: RawColumn, settings: FileSettings) -> Collection[str]:
    """The texts that mean missing in a column: `missing_texts` in text files, those given elsewhere."""
    return missing_texts(settings) if raw.from_text else settings.na_values


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
