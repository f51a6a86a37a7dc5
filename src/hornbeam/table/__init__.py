"""Tables: columns with kinds, read from files, data frames and arrays."""

from hornbeam.table.column import MISSING, UNSEEN, Column, ColumnSpec, Kind
from hornbeam.table.describe import Description, describe
from hornbeam.table.divide import divide
from hornbeam.table.division import Division, TrainTestSplit
from hornbeam.table.match import match_columns
from hornbeam.table.prepared import PreparedTable
from hornbeam.table.read import read, table_from_arrays
from hornbeam.table.table import Schema, Table

__all__ = [
    "MISSING",
    "UNSEEN",
    "Column",
    "ColumnSpec",
    "Description",
    "Division",
    "Kind",
    "PreparedTable",
    "Schema",
    "Table",
    "TrainTestSplit",
    "describe",
    "divide",
    "match_columns",
    "read",
    "table_from_arrays",
]
