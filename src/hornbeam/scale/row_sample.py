"""RowSample: the rows with the smallest hashes of their numbers.

The sample of a table is the same for any division into pieces and any order in which they are read, because a union of
samples followed by the smallest hashes is the sample of the union.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.scale.binned import Floats

Places = npt.NDArray[np.intp]
_ROOM = 1.5  # as a multiple of the size: how many rows are held


@dataclasses.dataclass(frozen=True, eq=False)
class SampledRows:
    """Some rows: their hashes, numbers, weights, and their values by column."""

    hashes: npt.NDArray[np.uint64]
    rows: npt.NDArray[np.int64]
    weights: Floats
    values: list[Floats]

    def __len__(self) -> int:
        return len(self.hashes)

    def __reduce__(self) -> tuple[Any, ...]:
        """What travels: values in four bytes where these are exact."""
        return _received, (self.hashes, self.rows, self.weights, [_narrow(values) for values in self.values])


def _narrow(values: Floats) -> npt.NDArray[Any]:
    with np.errstate(over="ignore"):
        narrow = values.astype(np.float32)
    return narrow if np.array_equal(narrow, values, equal_nan=True) else values


def _received(
    hashes: npt.NDArray[np.uint64], rows: npt.NDArray[np.int64], weights: Floats, values: list[npt.NDArray[Any]]
) -> SampledRows:
    return SampledRows(hashes, rows, weights, [each.astype(np.float64) for each in values])


class OrderedSample:
    """The rows of a sample in the order of the table; the values of a column are gathered when they are needed."""

    def __init__(self, parts: Sequence[SampledRows], places: Places) -> None:
        self._parts = parts
        self._places = places
        self.rows = np.concatenate([part.rows for part in parts])[places]
        self.weights = np.concatenate([part.weights for part in parts])[places]

    def column(self, position: int) -> Floats:
        """The values of a column."""
        found: Floats = np.concatenate([part.values[position] for part in self._parts])[self._places]
        return found


class RowSample:
    """At most `size` rows. Rows that are added are kept in parts, which are joined when there are many."""

    def __init__(self, size: int, n_columns: int) -> None:
        self.size = size
        self._parts = [
            SampledRows(
                np.empty(0, dtype=np.uint64),
                np.empty(0, dtype=np.int64),
                np.empty(0),
                [np.empty(0) for _ in range(n_columns)],
            )
        ]

    def __len__(self) -> int:
        return min(self.size, sum(map(len, self._parts)))

    def add(self, rows: SampledRows) -> None:
        """Add rows; those with the smallest hashes are kept."""
        self._parts.append(rows)
        if sum(map(len, self._parts)) > _ROOM * self.size:
            self._join()

    def merge(self, other: RowSample) -> None:
        """Add the rows of another sample."""
        for part in other._parts:
            self.add(part)

    def in_order(self) -> OrderedSample:
        """The rows of the sample in the order of the table."""
        places = self._kept()
        rows = np.concatenate([part.rows for part in self._parts])[places]
        return OrderedSample(self._parts, places[np.argsort(rows)])

    def _kept(self) -> Places:
        """The places of the rows of the sample in all parts together."""
        hashes = np.concatenate([part.hashes for part in self._parts])
        if len(hashes) <= self.size:
            return np.arange(len(hashes))
        return np.sort(np.argpartition(hashes, self.size - 1)[: self.size])

    def _join(self) -> None:
        """Make one part of all, without the rows that are not in the sample."""
        kept = self._kept()
        whole = SampledRows(
            np.concatenate([part.hashes for part in self._parts])[kept],
            np.concatenate([part.rows for part in self._parts])[kept],
            np.concatenate([part.weights for part in self._parts])[kept],
            [np.concatenate(column)[kept] for column in zip(*(part.values for part in self._parts), strict=True)],
        )
        self._parts = [whole]
