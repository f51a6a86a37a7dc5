"""PreparedColumn: a column that is ranked or coded once, and knows which of its rows it stands for.

The compiled core ranks the whole column when a growth first needs its order; `kept` has the result. `take_columns`
returns columns that refer to the same ranks and to some of the rows (`selection`); their values are copied on first
access. Growth on such rows filters the ranks instead of sorting the values again, and gives the tree of a table that
has these rows only.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column, ColumnSpec, Kind, is_idle


class RowSelection:
    """Different rows of a table, in any order.

    They are a table of their own, or a node of the table: then values of other rows count as values of the columns.
    `kept` has what the core makes of them.
    """

    def __init__(self, rows: npt.NDArray[np.uint32], n_table_rows: int, is_node: bool = False) -> None:
        self.rows = rows
        self.n_table_rows = n_table_rows
        self.is_node = is_node
        self.kept: dict[str, Any] = {}


def selection_of(rows: npt.NDArray[Any], n_table_rows: int, inside: RowSelection | None = None) -> RowSelection | None:
    """The selection of rows, by index or mask, of a table or of another selection; None if a row occurs twice."""
    n = n_table_rows if inside is None else len(inside.rows)
    numbers = np.flatnonzero(rows) if np.asarray(rows).dtype == np.bool_ else np.arange(n)[rows]
    if numbers.ndim != 1 or not are_different(numbers, n):
        return None
    taken = numbers if inside is None else inside.rows[numbers]
    return RowSelection(np.ascontiguousarray(taken, dtype=np.uint32), n_table_rows)


def are_different(rows: npt.NDArray[np.int64], n: int) -> bool:
    """Whether row numbers below `n` are all different."""
    if (rows[1:] > rows[:-1]).all():
        return True
    is_taken = np.zeros(n, dtype=np.bool_)
    is_taken[rows] = True
    return int(np.count_nonzero(is_taken)) == len(rows)


class PreparedColumn(Column):
    """A column whose order is computed once; `selection` are its rows, None for all rows of the whole column.

    `kept` has what the core makes of the whole column; columns of other rows share it.
    """

    whole: Column
    kept: dict[str, Any]
    selection: RowSelection | None

    def __new__(cls, *args: Any, **fields: Any) -> Any:
        """A prepared column; `dataclasses.replace` passes the fields of a column, and the changed one is plain."""
        return Column(**fields) if "values" in fields else super().__new__(cls)

    def __init__(self, whole: Column) -> None:
        fields = {name: getattr(whole, name) for name in ("name", "kind", "levels", "why", "notes", "text_format")}
        self.__dict__.update(fields, whole=whole, kept={}, selection=None)
        if not whole.has_missing:
            self.__dict__["has_missing"] = False

    def of_rows(self, selection: RowSelection) -> PreparedColumn:
        """The same column with other rows."""
        column = object.__new__(PreparedColumn)
        column.__dict__.update(self.__dict__, selection=selection)
        column.__dict__.pop("values", None)
        if column.__dict__.get("has_missing"):
            del column.__dict__["has_missing"]
        return column

    def __reduce__(self) -> Any:
        # Another process ranks the column itself, if it is prepared there.
        fields = (self.name, self.kind, self.values, self.levels, self.why, self.notes, False, self.text_format)
        return (Column, fields)

    def __len__(self) -> int:
        return len(self.whole) if self.selection is None else len(self.selection.rows)

    @property
    def source(self) -> npt.NDArray[Any]:
        """The values; those of all rows may be a view of the caller's array."""
        return self.whole.source if self.selection is None else self.values

    @functools.cached_property
    def values(self) -> npt.NDArray[Any]:
        """The values, copied on first access if the column has some of the rows only."""
        values = values_once(self)
        values.flags.writeable = False
        return values

    @property
    def spec(self) -> ColumnSpec:
        """The column without its values; looks at few values of most columns."""
        rows = None if self.selection is None else self.selection.rows
        return ColumnSpec(self.name, self.kind, self.levels, is_idle(self.whole.source, rows), self.text_format)

    def take(self, rows: npt.NDArray[Any]) -> Column:
        """A plain column of some of its rows; `take_columns` keeps the ranks."""
        taken = self.source[rows] if self.selection is None else self.whole.source[self.selection.rows[rows]]
        return plain_column(self, taken)


def values_once(column: Column) -> npt.NDArray[Any]:
    """The values of a column; a copy that is made for them is not kept in the column."""
    if not isinstance(column, PreparedColumn) or "values" in column.__dict__:
        return column.values
    if column.selection is None:
        return column.whole.values
    dtype = np.float64 if column.kind is Kind.NUMERIC else np.int32
    return np.ascontiguousarray(column.whole.source[column.selection.rows], dtype=dtype)


def plain_column(column: Column, values: npt.NDArray[Any]) -> Column:
    """A column with other values and no ranks."""
    fields = (column.name, column.kind, values, column.levels, column.why, column.notes)
    return Column(*fields, not column.__dict__.get("has_missing", True), column.text_format)


def prepared_columns(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns, each ranked or coded at first need, and once."""
    return tuple(column if isinstance(column, PreparedColumn) else PreparedColumn(column) for column in columns)


def prepared_again(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns for many growths on the same rows: one that has some rows only is ranked among these."""
    return prepared_columns([_without_ranks(column) for column in columns])


def _without_ranks(column: Column) -> Column:
    is_whole = not isinstance(column, PreparedColumn) or column.selection is None
    return column if is_whole else plain_column(column, column.values)


def node_columns(columns: Sequence[Column], rows: npt.NDArray[np.int64]) -> tuple[Column, ...]:
    """The columns of a node of a table: different rows, in which values of all rows of the table may occur."""
    whole = prepared_again(columns)
    n_rows = len(whole[0]) if whole else 0
    selection = RowSelection(np.ascontiguousarray(rows, dtype=np.uint32), n_rows, is_node=True)
    return tuple(column.of_rows(selection) for column in whole if isinstance(column, PreparedColumn))


def take_columns(columns: Sequence[Column], rows: npt.NDArray[Any]) -> tuple[Column, ...]:
    """Some of the rows of all columns; prepared columns share one selection, unless a row occurs twice."""
    found: dict[int, RowSelection | None] = {}
    taken: list[Column] = []
    for column in columns:
        if not isinstance(column, PreparedColumn):
            taken.append(column.take(rows))
            continue
        key = id(column.selection)
        if key not in found:
            found[key] = selection_of(rows, len(column.whole), column.selection)
        selection = found[key]
        taken.append(column.take(rows) if selection is None else column.of_rows(selection))
    return tuple(taken)
