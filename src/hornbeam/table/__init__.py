"""Data as columns with kinds: what was read, what it means, and why it was taken so."""

from hornbeam.table.column import MISSING, UNSEEN, Column, ColumnSpec, Kind
from hornbeam.table.describe import Description, describe
from hornbeam.table.match import matched
from hornbeam.table.read import read, table_from
from hornbeam.table.table import Schema, Table

__all__ = [
    "MISSING",
    "UNSEEN",
    "Column",
    "ColumnSpec",
    "Description",
    "Kind",
    "Schema",
    "Table",
    "describe",
    "matched",
    "read",
    "table_from",
]
