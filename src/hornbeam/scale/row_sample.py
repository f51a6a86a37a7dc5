"""RowSample: the rows with the smallest hashes of their numbers.

The sample of a table is the same for any division into pieces and any order in which they are read, because a union of
samples followed by the smallest hashes is the sample of the union.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from hornbeam.scale.binned import Floats


@dataclasses.dataclass
class RowSample:
    """At most `size` rows: their hashes, numbers, weights, and one row of values each."""

    size: int
    n_columns: int
    hashes: npt.NDArray[np.uint64] = dataclasses.field(init=False)
    rows: npt.NDArray[np.int64] = dataclasses.field(init=False)
    weights: Floats = dataclasses.field(init=False)
    values: list[Floats] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.hashes, self.rows = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
        self.weights = np.empty(0)
        self.values = [np.empty(0) for _ in range(self.n_columns)]

    def __len__(self) -> int:
        return len(self.hashes)

    def add(
        self, hashes: npt.NDArray[np.uint64], rows: npt.NDArray[np.int64], weights: Floats, values: list[Floats]
    ) -> None:
        """Add rows and keep those with the smallest hashes."""
        all_hashes = np.concatenate([self.hashes, hashes])
        kept = np.arange(len(all_hashes))
        if len(all_hashes) > self.size:
            kept = np.sort(np.argpartition(all_hashes, self.size - 1)[: self.size])
        self.hashes = all_hashes[kept]
        self.rows = np.concatenate([self.rows, rows])[kept]
        self.weights = np.concatenate([self.weights, weights])[kept]
        for position, column in enumerate(values):
            self.values[position] = np.concatenate([self.values[position], column])[kept]

    def merge(self, other: RowSample) -> None:
        """Add the rows of another sample."""
        self.add(other.hashes, other.rows, other.weights, other.values)

    def in_order(self) -> RowSample:
        """The sample with its rows in the order of the table."""
        order = np.argsort(self.rows)
        found = RowSample(self.size, self.n_columns)
        found.hashes, found.rows, found.weights = self.hashes[order], self.rows[order], self.weights[order]
        found.values = [column[order] for column in self.values]
        return found
