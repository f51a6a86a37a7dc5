"""Table: predictor columns of equal length, a target, row weights and notes from reading. Schema: a table without data.

A fitted model stores the schema, so that new rows can be matched to it by name, with levels in any order. Both are
immutable.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, did_you_mean, short_repr
from hornbeam.table.column import Column, ColumnSpec, Kind
from hornbeam.table.division import Division
from hornbeam.table.prepared_column import take_columns


@dataclasses.dataclass(frozen=True)
class Schema:
    """The columns a model was grown on, and its target, without data."""

    columns: tuple[ColumnSpec, ...]
    target: ColumnSpec | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The predictors' names, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def is_class(self) -> bool:
        """Whether the target has classes (classification, not regression)."""
        return self.target is not None and self.target.kind is not Kind.NUMERIC

    @property
    def classes(self) -> tuple[Any, ...]:
        """The target's levels; empty for a numeric target."""
        return self.target.levels if self.target is not None else ()

    def position(self, name: str) -> int:
        """The index of a predictor by name."""
        if name not in self.names:
            raise InputError(f"Unknown column {short_repr(name)}.", hint=did_you_mean(name, self.names), column=name)
        return self.names.index(name)


@dataclasses.dataclass(frozen=True, eq=False)
class Table:
    """Predictor columns, a target and row weights; `division` are the groups and times by which rows are divided."""

    columns: tuple[Column, ...]
    target: Column | None = None
    weights: npt.NDArray[np.float64] | None = None
    notes: tuple[str, ...] = ()
    source: str = ""
    division: Division | None = None

    def __post_init__(self) -> None:
        lengths = {column.name: len(column) for column in (*self.columns, *([self.target] if self.target else []))}
        if len(set(lengths.values())) > 1:
            first = next(iter(lengths.items()))
            other = next(item for item in lengths.items() if item[1] != first[1])
            raise InputError(
                f"Columns must have the same length, got {first[1]} rows in {short_repr(first[0])} and {other[1]} in "
                f"{short_repr(other[0])}."
            )
        if self.weights is not None:
            weights = np.ascontiguousarray(self.weights, dtype=np.float64)
            if weights.shape != (len(self),):
                raise InputError(f"weights must have shape ({len(self)},), got shape {weights.shape}.")
            weights.flags.writeable = False
            object.__setattr__(self, "weights", weights)

    def __len__(self) -> int:
        if self.columns:
            return len(self.columns[0])
        return len(self.target) if self.target is not None else 0

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The predictors' names, in order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def row_weights(self) -> npt.NDArray[np.float64]:
        """The weight of every row: `weights`, or ones."""
        if self.weights is not None:
            return self.weights
        ones = np.ones(len(self))
        ones.flags.writeable = False
        return ones

    @cached_property
    def schema(self) -> Schema:
        """The table without its data."""
        return Schema(tuple(column.spec for column in self.columns), self.target.spec if self.target else None)

    def _repr_html_(self) -> str:
        from hornbeam.table.describe import describe

        return describe(self)._repr_html_()

    def __getitem__(self, name: str) -> Column:
        for column in (*self.columns, *([self.target] if self.target else [])):
            if column.name == name:
                return column
        raise InputError(f"Unknown column {short_repr(name)}.", hint=did_you_mean(name, self.names), column=name)

    def take(self, rows: npt.NDArray[Any]) -> Self:
        """Some of the rows, in the order given (indices or a mask)."""
        return dataclasses.replace(
            self,
            columns=take_columns(self.columns, rows),
            target=self.target.take(rows) if self.target else None,
            weights=self.weights[rows] if self.weights is not None else None,
            division=self.division.take(rows) if self.division is not None else None,
        )

    def select(self, names: Sequence[str]) -> Table:
        """The same rows with some of the predictors, in the order given."""
        return dataclasses.replace(self, columns=tuple(self[name] for name in names))

    def as_dict(self) -> dict[str, list[Any]]:
        """Columns and target by name, as lists for a data frame: levels, numbers, ISO dates; None if missing."""
        found = (*self.columns, *(() if self.target is None else (self.target,)))
        return {column.name: column.python_values() for column in found}

    def without_target(self) -> Table:
        """The table without its target."""
        return dataclasses.replace(self, target=None)


def only_table(table: Any, what: str) -> Table:
    """The table itself; an error for any other type."""
    if isinstance(table, Table):
        return table
    raise InputError(
        f"{what} requires a table, got a {type(table).__name__}.", hint="Make one with read or table_from_arrays."
    )
