"""Rows with a known target in batches: read from a source, matched to the columns and the target of a model.

A large file, a stream or an iterator is read in batches; small files and formats that cannot be read in batches are one
batch. What is computed from them does not depend on the batches.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hornbeam.errors import InputError, did_you_mean, short_repr
from hornbeam.scale.matched_rows import rows_counted_from
from hornbeam.scale.new_rows import BATCH_ROWS, source_in_batches
from hornbeam.scale.sources import RowSource
from hornbeam.scale.sources.arrow import is_stream
from hornbeam.scale.summaries import numbers_of
from hornbeam.table.column import Column
from hornbeam.table.kinds import DEFAULT_NA_VALUES
from hornbeam.table.match import match_columns
from hornbeam.table.patterns import expand_patterns, is_path
from hornbeam.table.raw import RawTable
from hornbeam.table.sources import raw_table
from hornbeam.table.table import Schema, Table
from hornbeam.table.weights import checked_weights

# Called with the number of rows done so far and the number of all rows, None if it is unknown.
RowProgress = Callable[[int, int | None], Any]


def is_row_source(rows: Any) -> bool:
    """Whether rows are files, a stream or an iterator of frames: they are read in batches where possible."""
    is_columns = isinstance(rows, (list, tuple)) and bool(rows) and all(isinstance(each, Column) for each in rows)
    return not is_columns and (is_path(rows) or is_stream(rows))


def is_streamed(rows: Any, format_name: str | None = None) -> bool:
    """Whether the rows of a source are read in batches, or are those of several files."""
    return is_stream(rows) or len(expand_patterns(rows)) > 1 or source_in_batches(rows, format_name) is not None


def labeled_tables(
    schema: Schema, rows: Any, *, weights: str | None = None, progress: RowProgress | None = None, **settings: Any
) -> Iterator[Table]:
    """The rows of a source in batches, each with the target of the model; `weights` names the column of weights.

    `settings` are those of `match_columns`.
    """
    if schema.target is None:
        raise InputError("The model has no target.")
    source = source_in_batches(rows)
    if source is None:
        raw = raw_table(rows, na_values=DEFAULT_NA_VALUES)
        _check_columns(schema, raw.names, weights, str(rows))
        yield _matched(schema, raw, weights, settings)
        return
    _check_columns(schema, source.names, weights, source.label)
    yield from _batches(schema, source, weights, progress, settings)


def _batches(
    schema: Schema, source: RowSource, weights: str | None, progress: RowProgress | None, settings: dict[str, Any]
) -> Iterator[Table]:
    assert schema.target is not None
    used = {*schema.names, schema.target.name, weights}
    wanted = [name for name in source.names if name in used]
    first_row = 0
    for table in source.batches(wanted, BATCH_ROWS):
        with rows_counted_from(first_row):
            matched = _matched(schema, raw_table(table), weights, settings)
            yield matched
        first_row += table.num_rows
        if progress is not None:
            progress(first_row, source.n_rows)


def _check_columns(schema: Schema, names: Any, weights: str | None, label: str) -> None:
    """Raise an error if the source lacks the target or the weights."""
    assert schema.target is not None
    if schema.target.name not in names:
        raise InputError(
            f"The rows must include the model's target, {short_repr(schema.target.name)}.", column=schema.target.name
        )
    if weights is not None and weights not in names:
        raise InputError(
            f"weights: unknown column {short_repr(weights)} in {short_repr(label, 200)}.",
            hint=did_you_mean(weights, list(names)),
            column=weights,
        )


def _matched(schema: Schema, raw: RawTable, weights: str | None, settings: dict[str, Any]) -> Table:
    given = None
    if weights is not None:
        values = numbers_of(raw.columns[raw.names.index(weights)])
        given = checked_weights(values, len(values)) if values.any() else np.zeros(len(values))
        if weights not in schema.names:
            raw = dataclasses.replace(raw, columns=tuple(each for each in raw.columns if each.name != weights))
    table = match_columns(schema, raw, with_target=True, warn=False, **settings)
    return dataclasses.replace(table, weights=given)
