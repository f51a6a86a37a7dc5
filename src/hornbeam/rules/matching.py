"""Matches of rules and rows as bits: each distinct condition is evaluated once, a rule is the AND of its conditions.

Rows are processed in blocks, so that the bits of a block stay in the cache: one bit per rule and row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.rules.conditions import Condition
from hornbeam.rules.rule import Rule
from hornbeam.table.column import Column

BLOCK = 1 << 16
Bits = npt.NDArray[np.uint8]


def matches(rules: Sequence[Rule], columns: Sequence[Column]) -> npt.NDArray[np.bool_]:
    """Whether each rule (first axis) matches each row."""
    blocks = [unpacked(bits, stop - start) for start, stop, bits in packed_matches(rules, columns)]
    if not blocks:
        return np.zeros((len(rules), 0), dtype=np.bool_)
    return np.concatenate(blocks, axis=1)


def unpacked(bits: Bits, n_rows: int) -> npt.NDArray[np.bool_]:
    """Bits as booleans, along the last axis."""
    return np.unpackbits(bits, axis=-1, count=n_rows).view(np.bool_)


def packed_matches(
    rules: Sequence[Rule], columns: Sequence[Column], block: int = BLOCK
) -> Iterator[tuple[int, int, Bits]]:
    """For each block of rows: its first row, its end, and one row of bits per rule."""
    n_rows = len(columns[0]) if columns else 0
    distinct: dict[Condition, int] = {}
    indices = [[distinct.setdefault(each, len(distinct)) for each in rule.conditions] for rule in rules]
    for start in range(0, n_rows, block):
        stop = min(start + block, n_rows)
        part = [_sliced(column, start, stop, n_rows) for column in columns]
        condition_bits = np.empty((len(distinct), (stop - start + 7) // 8), dtype=np.uint8)
        for condition, index in distinct.items():
            condition_bits[index] = np.packbits(condition.holds(part))
        bits = np.empty((len(rules), condition_bits.shape[1]), dtype=np.uint8)
        for row, needed in zip(bits, indices, strict=True):
            np.bitwise_and.reduce(condition_bits[needed], axis=0, out=row)  # no condition: all bits set
        yield start, stop, bits


def _sliced(column: Column, start: int, stop: int, n_rows: int) -> Column:
    if start == 0 and stop == n_rows:
        return column
    return Column(column.name, column.kind, column.values[start:stop], column.levels)
