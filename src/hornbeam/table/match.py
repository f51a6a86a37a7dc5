"""How are new rows matched to the columns a model was grown on?

    by name      frames, dicts, files: any order; a column too many is ignored with one warning, one too few is an error
    by position  arrays and lists of rows: exactly as many columns as the model has
    levels       by value, whatever codes the source uses; a level the model has never met becomes UNSEEN (-2)

Nothing is parsed silently: text where the model knows numbers is an error with its row, and numbers where it knows
texts one with its column. A text file has nothing but text, so there texts are read as the column's kind asks.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamWarning, InputError, did_you_mean, short_repr
from hornbeam.table import coding, texts
from hornbeam.table.column import MISSING, UNSEEN, Column, ColumnSpec, Kind
from hornbeam.table.conversion import codes_of, column_value_type, mark_missing, numbers_behind, reject_infinite
from hornbeam.table.kinds import MISSING_WORDS
from hornbeam.table.names import checked_names
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.read import missing_texts
from hornbeam.table.sources import has_names, raw_table
from hornbeam.table.table import Schema, Table


def match_columns(
    schema: Schema,
    source: Any,
    *,
    with_target: bool = False,
    na_values: Collection[str] | None = None,
    infinite: str = "error",
    decimal: str | None = None,
    format: str | None = None,
    warn: bool = True,
    **settings: Any,
) -> Table:
    """New rows as a table with exactly the schema's columns, kinds and levels.

    `with_target` also reads the target, which must then be there; `warn=False` keeps quiet about columns too many and
    about rows without names.
    """
    if not isinstance(schema, Schema):
        raise InputError(f"matched needs a schema; got {short_repr(schema)}.", hint="Pass model.schema.")
    is_named = isinstance(source, (Table, RawTable)) or has_names(source)
    if isinstance(source, Table):
        raw = _raw_of_table(source)
    else:
        words = MISSING_WORDS if na_values is None else tuple(na_values)
        raw = raw_table(source, format, decimal=decimal, na_values=words, **settings)
    mark = decimal or "."
    if is_named:
        chosen = _by_name(schema, raw, warn)
    else:
        chosen = _by_position(schema, raw, warn)
    columns = tuple(
        [
            _matched_column(spec, each, missing_texts(each, na_values), mark, infinite)
            for spec, each in zip(schema.columns, chosen)
        ]
    )
    target = None
    if with_target and schema.target is not None:
        each = _named(raw, schema.target.name)
        target = _matched_column(schema.target, each, missing_texts(each, na_values), mark, infinite)
    weights = source.weights if isinstance(source, Table) else raw.weights
    return Table(columns, target, weights, raw.notes, raw.source)


def _raw_of_table(table: Table) -> RawTable:
    """A table as raw columns again, so that it can be matched like any source."""
    columns = (*table.columns, *([table.target] if table.target is not None else []))
    return RawTable(tuple(map(_raw_of_column, columns)), table.source, table.notes, weights=table.weights)


def _raw_of_column(column: Column) -> RawColumn:
    if column.kind is Kind.NUMERIC:
        return RawColumn(column.name, column.values)
    return RawColumn(column.name, codes=column.values, texts=column.levels, declared=column.kind)


def _named(raw: RawTable, name: str) -> RawColumn:
    for column in raw.columns:
        if column.name == name:
            return column
    raise InputError(f"There is no column {short_repr(name)}.", hint=did_you_mean(name, raw.names), column=name)


def _by_name(schema: Schema, raw: RawTable, warn: bool) -> list[RawColumn]:
    names = checked_names(raw.names)
    by_name = dict(zip(names, raw.columns))
    missing = [name for name in schema.names if name not in by_name]
    own = set(schema.names) | ({schema.target.name} if schema.target is not None else set())
    extra = [name for name in names if name not in own]
    if missing:
        unknown = f" Not known to the model: {_listed(extra)}." if extra else ""
        raise InputError(
            f"{len(missing)} column(s) of the model are missing from the new rows: {_listed(missing)}.{unknown}",
            hint=did_you_mean(missing[0], extra) if extra else "",
            missing=tuple(missing),
            unknown=tuple(extra),
        )
    if extra and warn:
        warnings.warn(
            f"Columns that the model does not know are ignored: {_listed(extra)}.", HornbeamWarning, stacklevel=3
        )
    return [by_name[name] for name in schema.names]


def _listed(names: list[str], most: int = 8) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(short_repr, names[:most])) + more


def _by_position(schema: Schema, raw: RawTable, warn: bool) -> list[RawColumn]:
    n_given, n_needed = len(raw.columns), len(schema.columns)
    if n_given != n_needed:
        raise InputError(
            f"{n_given} column(s) given, {n_needed} needed: {_listed(list(schema.names))}.",
            given=n_given,
            needed=n_needed,
        )
    if warn and schema.names != raw.names:
        warnings.warn(
            "The new rows have no column names; they are matched to the model's columns by position.",
            HornbeamWarning,
            stacklevel=3,
        )
    return list(raw.columns)


def _matched_column(
    spec: ColumnSpec, raw: RawColumn, na_values: Collection[str], decimal: str, infinite: str
) -> Column:
    """One column of new rows in the model's kind; where no row was told apart by it, whatever is there may stay."""
    try:
        return _converted(spec, raw, na_values, decimal, infinite)
    except InputError:
        if not spec.is_idle:
            raise
        is_number = spec.kind is Kind.NUMERIC
        values = np.full(len(raw), np.nan) if is_number else np.full(len(raw), MISSING, dtype=np.int32)
        return Column(spec.name, spec.kind, values, spec.levels)


def _converted(spec: ColumnSpec, raw: RawColumn, na_values: Collection[str], decimal: str, infinite: str) -> Column:
    if raw.codes is not None and raw.texts == spec.levels and raw.declared is spec.kind:
        return Column(spec.name, spec.kind, raw.codes, spec.levels)
    if spec.kind is not Kind.NUMERIC:
        return Column(spec.name, spec.kind, _codes(spec, mark_missing(raw, na_values), decimal), spec.levels)
    if raw.numbers is not None:
        column = Column(spec.name, Kind.NUMERIC, raw.numbers)
    else:
        column = Column(spec.name, Kind.NUMERIC, _numbers(spec, mark_missing(raw, na_values), decimal))
    if infinite == "error":
        reject_infinite(column)
    return column


def _numbers(spec: ColumnSpec, raw: RawColumn, decimal: str) -> npt.NDArray[np.float64]:
    """The values of a numeric column that came as codes."""
    sort = column_value_type(raw)
    if sort == coding.TEXT and not raw.from_text:
        row = _first_known(raw)
        if row is not None:
            raise InputError(
                f"Column {short_repr(spec.name)} is numeric in the model, but row {row} holds text: {_value_at(raw, row)}.",
                hint="Convert the column to numbers first.",
                column=spec.name,
                row=row,
            )
        behind: npt.NDArray[np.float64] = np.zeros(len(raw.texts))
    else:
        days = texts.days_of(raw.texts) if sort == coding.TEXT else None
        behind = days if days is not None else numbers_behind(raw, sort, decimal)[0]
    return np.append(behind, [np.nan, np.nan])[raw.codes]


def _first_known(raw: RawColumn) -> int | None:
    """The first row that is not missing, if there is one."""
    is_known = codes_of(raw) >= 0
    return int(np.argmax(is_known)) if is_known.any() else None


def _value_at(raw: RawColumn, row: int) -> str:
    return short_repr(raw.texts[codes_of(raw)[row]])


def _codes(spec: ColumnSpec, raw: RawColumn, decimal: str) -> npt.NDArray[np.int32]:
    """The values of a column with levels, as the model's codes."""
    if raw.numbers is not None:
        return _codes_of_numbers(spec, raw.numbers, raw.from_text, decimal)
    place: dict[Any, int] = {level: code for code, level in enumerate(spec.levels)}
    if raw.from_text:
        place = {str(level): code for level, code in place.items()} | place
    else:
        _refuse_other_sort(spec, raw)
    behind = np.fromiter((place.get(text, UNSEEN) for text in raw.texts), np.int32, len(raw.texts))
    if raw.from_text and (behind == UNSEEN).any():
        behind = _by_number(spec, raw, behind, decimal)
    # Two more at the end, so that the codes of a table for unseen (-2) and missing (-1) look up themselves.
    codes: npt.NDArray[np.int32] = np.append(behind, np.array([UNSEEN, MISSING], dtype=np.int32))[raw.codes]
    return codes


def _by_number(spec: ColumnSpec, raw: RawColumn, behind: npt.NDArray[np.int32], decimal: str) -> npt.NDArray[np.int32]:
    """Codes of a text file's cells where the levels are numbers: 1.0 and 1 are the same level then."""
    if coding.value_types(spec.levels) != {coding.NUMBER}:
        return behind
    place = {float(level): code for code, level in enumerate(spec.levels)}
    found = [texts.numbers_of([text], decimal) for text in raw.texts]
    return np.array(
        [old if new is None else place.get(float(new[0]), UNSEEN) for old, new in zip(behind.tolist(), found)],
        dtype=np.int32,
    )


def _refuse_other_sort(spec: ColumnSpec, raw: RawColumn) -> None:
    """Raise if the new values are of another sort than the levels, so that none could ever be met."""
    ours, theirs = coding.value_types(spec.levels), coding.value_types(raw.texts)
    alike = {coding.NUMBER, coding.TRUTH}
    row = _first_known(raw)
    if row is None or not ours or ours & theirs or (ours <= alike and theirs <= alike):
        return
    raise InputError(
        f"Column {short_repr(spec.name)} has levels such as {short_repr(spec.levels[0])} in the model, but row {row} holds "
        f"{_value_at(raw, row)}.",
        hint="Pass values of the same type as in the training data.",
        column=spec.name,
        row=row,
    )


def _codes_of_numbers(
    spec: ColumnSpec, numbers: npt.NDArray[np.float64], from_text: bool, decimal: str
) -> npt.NDArray[np.int32]:
    """The model's codes for numbers; a text file's numbers may also stand for levels that are texts of numbers."""
    codes = np.full(len(numbers), MISSING, dtype=np.int32)
    is_known = ~np.isnan(numbers)
    if not is_known.any():
        return codes
    if not from_text and not coding.value_types(spec.levels) <= {coding.NUMBER, coding.TRUTH}:
        row = int(np.argmax(is_known))
        raise InputError(
            f"Column {short_repr(spec.name)} has levels such as {short_repr(spec.levels[0])} in the model, but row {row} holds "
            f"the number {numbers[row]:g}.",
            hint="Pass values of the same type as in the training data.",
            column=spec.name,
            row=row,
        )
    values = np.array([_number_of(level, decimal) for level in spec.levels] or [np.nan])
    order = np.argsort(values, kind="stable")
    place = np.minimum(np.searchsorted(values[order], numbers[is_known]), len(values) - 1)
    codes[is_known] = np.where(values[order][place] == numbers[is_known], order[place], UNSEEN)
    return codes


def _number_of(level: Any, decimal: str) -> float:
    """The number that a level is, or that its text spells; NaN for other text."""
    if not isinstance(level, str):
        return float(level)
    found = texts.numbers_of([level], decimal)
    return np.nan if found is None else float(found[0])
