"""What does a source hand over, before anyone has decided what it means?

Every reader, of a file or of something in memory, gives a `RawTable`; `kinds.decided` alone turns its columns into
columns with kinds. So a CSV file, a frame and an array of the same values become the same table.

    numbers   a typed numeric source: float64, NaN where missing (of either precision where it `is_borrowed`)
    codes     anything else: int32 into `texts`, the distinct values in any order, -1 where missing

A text file leaves its cells as text, missing words included (`from_text`): which words mean missing, and whether the
texts are really numbers, is decided later and from every distinct value, never from a sample.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Kind

# The lowest and the highest of some numbers; NaN where one is missing, or there are none.
Extent = tuple[float, float]


@dataclasses.dataclass(frozen=True, eq=False)
class RawColumn:
    """A name and the values as the source has them; either `numbers` or `codes` with `texts`."""

    name: str
    numbers: npt.NDArray[Any] | None = None  # typed numeric source; NaN = missing
    codes: npt.NDArray[np.int32] | None = None  # else codes into `texts`, -1 = missing
    texts: tuple[Any, ...] = ()  # the distinct values behind the codes, any order
    declared: Kind | None = None  # the source itself says the kind
    levels: tuple[Any, ...] | None = None  # the source's own order of levels, if it has one
    from_text: bool = False  # came from a text file: numbers may hide in the texts
    notes: tuple[str, ...] = ()
    is_borrowed: bool = False  # numbers: those of someone else's array, where they lie
    extent: Extent | None = None

    def __len__(self) -> int:
        if self.numbers is not None:
            return len(self.numbers)
        return len(self.codes) if self.codes is not None else 0


@dataclasses.dataclass(frozen=True, eq=False)
class RawTable:
    """Columns as the source has them, and what the source says about itself."""

    columns: tuple[RawColumn, ...]
    source: str = ""
    notes: tuple[str, ...] = ()
    target: str | None = None  # the source names its class column (C4.5 names)
    weights: npt.NDArray[np.float64] | None = None  # ARFF instance weights

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in order."""
        return tuple(column.name for column in self.columns)

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0
