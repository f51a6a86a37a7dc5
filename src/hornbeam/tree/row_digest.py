"""A digest of the rows of a table, so that a model can recognize its training rows.

The digest depends on the values of the columns and the target, not on the order of the rows or of the levels. It is one
64-bit sum over all rows: no row can be found in it.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.table.column import Kind
from hornbeam.table.prepared_column import values_once
from hornbeam.table.table import Table

_MISSING = 0


def row_digest(table: Table) -> str:
    """The number of rows and the sum of their hashes, as text."""
    hashes: npt.NDArray[np.uint64] = np.zeros(len(table), dtype=np.uint64)
    for column in (*table.columns, *([table.target] if table.target is not None else ())):
        if column.kind is Kind.NUMERIC:
            _native.hash_numbers(hashes, values_once(column))
        else:
            of_level = np.array([*map(_level_hash, column.levels), _MISSING], dtype=np.uint64)
            _native.hash_levels(hashes, values_once(column), of_level)
    return f"{len(table)}-{int(hashes.sum()):016x}"


def _level_hash(level: object) -> int:
    text = f"{level}".encode("utf-8", "backslashreplace")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
