"""PreparedTable: a table whose columns are ranked or coded once, for any number of growths on some of its rows.

prepared = hb.prepare(table)
hb.grow(prepared, "cart")                     the tree of hb.grow(table, "cart")
hb.grow(prepared, "cart", rows=rows)          the tree of hb.grow(table.take(rows), "cart")
"""

from __future__ import annotations

import dataclasses
from typing import Any

from hornbeam.table.prepared_column import PreparedColumn, prepared_columns
from hornbeam.table.table import Table, only_table


@dataclasses.dataclass(frozen=True, eq=False)
class PreparedTable(Table):
    """A table that keeps the order of its columns; it can be used wherever a table can.

    The order of a column is computed when a growth first needs it. It takes 4 bytes per value, and 1 to 4 bytes for
    columns of few values. Threads may share the table.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", prepared_columns(self.columns))
        super().__post_init__()

    def __reduce__(self) -> Any:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(Table)}
        return _restored, (fields,)

    @property
    def kept_bytes(self) -> int:
        """The memory of the orders that have been computed so far, in bytes."""
        columns = [column for column in self.columns if isinstance(column, PreparedColumn)]
        return sum(int(made.n_bytes) for column in columns for made in column.kept.values())


def prepare(table: Table) -> PreparedTable:
    """The table with columns that are ranked or coded once, at first need.

    Growing on it, or on some of its rows, gives the trees of the table itself, without sorting a column again.
    `cross_validate`, `compare` and the prunings by folds prepare their tables themselves.
    """
    table = only_table(table, "Preparing")
    if isinstance(table, PreparedTable):
        return table
    return PreparedTable(**{field.name: getattr(table, field.name) for field in dataclasses.fields(Table)})


def _restored(fields: dict[str, Any]) -> PreparedTable:
    return PreparedTable(**fields)
