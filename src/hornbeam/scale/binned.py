"""A table as codes of bins, in pieces: what a tree is grown from when the table does not fit into memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Kind

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class BinnedColumn:
    """A column as codes of bins: bin b holds the training values from low[b] to high[b]; the code len(low) is a missing
    value. The codes of ordinal and nominal columns are their levels; `low` and `high` are the codes then. `middle` is
    the mean of the sampled values of every bin; None if every bin is one value.
    """

    name: str
    kind: Kind
    levels: tuple[Any, ...]
    low: Floats
    high: Floats
    middle: Floats | None = None

    @property
    def dtype(self) -> npt.DTypeLike:
        """The type of the codes: one byte if there are at most 255 bins, else two."""
        return np.uint8 if len(self.low) <= 255 else np.uint16


@dataclasses.dataclass(frozen=True)
class BinnedTarget:
    """The target: its name, kind and classes; for numbers the minimum and the maximum over all pieces."""

    name: str
    kind: Kind
    levels: tuple[Any, ...] = ()
    minimum: float = 0.0
    maximum: float = 0.0


class BinnedPiece(Protocol):
    """Consecutive rows of a binned table; its arrays may be memory maps."""

    @property
    def n_rows(self) -> int:
        """The number of rows."""

    @property
    def first_row(self) -> int:
        """The number of the first row in the whole table."""

    def codes(self, column: int) -> npt.NDArray[np.unsignedinteger[Any]]:
        """The bins of a column."""

    @property
    def target(self) -> npt.NDArray[Any]:
        """The classes as uint16 codes, or the numbers as float64."""

    @property
    def weights(self) -> Floats | None:
        """The weights of the rows; None if every weight is 1."""


@dataclasses.dataclass(frozen=True, eq=False)
class BinnedData:
    """A table of binned columns in pieces; the rows are numbered through all pieces."""

    columns: tuple[BinnedColumn, ...]
    target: BinnedTarget
    n_rows: int
    total_weight: float
    pieces: Sequence[BinnedPiece]


@dataclasses.dataclass(frozen=True, eq=False)
class MemoryPiece:
    """Rows of a binned table in memory."""

    n_rows: int
    first_row: int
    column_codes: tuple[npt.NDArray[Any], ...]
    target: npt.NDArray[Any]
    weights: Floats | None

    def codes(self, column: int) -> npt.NDArray[Any]:
        """The bins of a column."""
        return self.column_codes[column]


def bin_means(bin_of: npt.NDArray[np.int64], values: Floats, weights: Floats, n_bins: int) -> Floats:
    """The weighted mean of the values of every bin, within the range of the bin."""
    total = np.bincount(bin_of, weights, minlength=n_bins)
    mean = np.bincount(bin_of, weights * (values / total[bin_of]), minlength=n_bins)
    return np.asarray(mean, dtype=np.float64)
