"""The rows passed with a model, as a table with exactly the model's columns.

Functions that take a model and rows call `model_table` once, where they are entered, and work on its columns.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from hornbeam.errors import InputError
from hornbeam.table.column import Column, Kind
from hornbeam.table.kinds import DEFAULT_NA_VALUES
from hornbeam.table.match import match_columns
from hornbeam.table.sources import has_names, raw_table
from hornbeam.table.table import Schema, Table
from hornbeam.tree.prediction import align_table


def model_table(schema: Schema, rows: Any, *, needs_target: bool = False) -> Table:
    """Rows matched to a model's columns by name: a table, a data frame, a file, or anything else that `read` accepts.

    The result has the model's target where the rows include one, in the model's codes (-2 for a class that the model
    does not have), and the weights of a table. A table that has these columns already is returned unchanged.
    """
    if isinstance(rows, Table):
        found = _matched_table(schema, rows)
    elif isinstance(rows, (tuple, list)) and rows and all(isinstance(each, Column) for each in rows):
        found = Table(tuple(rows))
    elif has_names(rows):
        raw = raw_table(rows, na_values=DEFAULT_NA_VALUES)
        has_target = schema.target is not None and schema.target.name in raw.names
        found = match_columns(schema, raw, with_target=has_target)
    else:
        found = match_columns(schema, rows)
    if needs_target and found.target is None:
        name = schema.target.name if schema.target is not None else None
        raise InputError("The rows must include the model's target.", column=name)
    return found


def _matched_table(schema: Schema, table: Table) -> Table:
    if table.schema == schema:
        return table
    target = _matched_target(schema, table)
    return dataclasses.replace(table, columns=align_table(schema, table), target=target)


def _matched_target(schema: Schema, table: Table) -> Column | None:
    """The table's target in the model's codes, whatever its name; None if the model predicts another kind."""
    spec, target = schema.target, table.target
    if target is None or spec is None or (spec.kind is Kind.NUMERIC) != (target.kind is Kind.NUMERIC):
        return None
    renamed = dataclasses.replace(target, name=spec.name)
    return align_table(Schema((spec,)), Table((renamed,)))[0]
