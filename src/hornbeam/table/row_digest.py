"""A digest of the rows of a table, so that a model can recognize its training rows.

The digest depends on the values of the columns and the target, not on the order of the rows or of the levels. It is one
64-bit sum over all rows: no row can be found in it.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column, Kind
from hornbeam.table.prepared_column import values_once
from hornbeam.table.table import Table

Hashes = npt.NDArray[np.uint64]
_ODD = np.uint64(0x9E3779B97F4A7C15)


def row_digest(table: Table) -> str:
    """The number of rows and the sum of their hashes, as text."""
    hashes: Hashes = np.zeros(len(table), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for column in (*table.columns, *([table.target] if table.target is not None else ())):
            hashes = _mixed(hashes + _ODD ^ _values(column))
        total = int(hashes.sum(dtype=np.uint64)) if len(hashes) else 0
    return f"{len(table)}-{total:016x}"


def _values(column: Column) -> Hashes:
    """One integer per row: the bits of a number, or the hash of a level."""
    if column.kind is Kind.NUMERIC:
        values = values_once(column) + 0.0  # a copy, in which -0 is 0
        values[np.isnan(values)] = np.nan
        return values.view(np.uint64)
    texts = [f"{level}".encode("utf-8", "backslashreplace") for level in column.levels]
    hashes = [int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") for text in texts]
    found: Hashes = np.array([*hashes, 1, 0], dtype=np.uint64)[values_once(column)]
    return found


def _mixed(values: Hashes) -> Hashes:
    """The finalizer of SplitMix64."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
