"""What the first pass over a table records of a column; summaries of pieces are merged in any order.

numbers   minimum, maximum, missing values, whether all are integers, and the distinct values if they are few
levels    the distinct values and the number of their rows, up to the maximum number of levels
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.scale.binned import Floats
from hornbeam.table.raw import RawColumn

MAX_LEVELS = 65_535


@dataclasses.dataclass
class NumberSummary:
    """The values of a numeric column; `distinct` is None if there are more than `max_distinct` of them."""

    max_distinct: int
    n_known: int = 0
    n_missing: int = 0
    minimum: float = np.inf
    maximum: float = -np.inf
    is_integer: bool = True
    is_rounded: bool = False  # some integer has no exact float64
    distinct: Floats | None = dataclasses.field(default_factory=lambda: np.empty(0))

    @property
    def is_infinite(self) -> bool:
        """Whether some value is infinite."""
        return self.minimum == -np.inf or self.maximum == np.inf

    def add(self, values: Floats) -> None:
        """Add the values of some rows, NaN where missing."""
        limit = -1 if self.distinct is None else self.max_distinct
        facts: Any = _native.number_facts(np.ascontiguousarray(values), limit)
        n_missing, minimum, maximum, is_integer, distinct = facts
        n_known = len(values) - n_missing
        found = NumberSummary(self.max_distinct, n_known, n_missing, minimum, maximum, is_integer, distinct=distinct)
        self.merge(found)

    def add_levels(self, values: Floats) -> None:
        """Add the distinct values of rows that are not counted."""
        found = NumberSummary(self.max_distinct, distinct=self.distinct)
        found.add(values)
        self.merge(NumberSummary(self.max_distinct, is_integer=found.is_integer, distinct=found.distinct))

    def merge(self, other: NumberSummary) -> None:
        """Add the values of another summary."""
        self.n_known += other.n_known
        self.n_missing += other.n_missing
        self.minimum, self.maximum = min(self.minimum, other.minimum), max(self.maximum, other.maximum)
        self.is_integer = self.is_integer and other.is_integer
        self.is_rounded = self.is_rounded or other.is_rounded
        if self.distinct is None or other.distinct is None:
            self.distinct = None
            return
        distinct = np.union1d(self.distinct, other.distinct)
        self.distinct = distinct if len(distinct) <= self.max_distinct else None


@dataclasses.dataclass
class LevelSummary:
    """The levels of a column with the number of their rows; `counts` is None if there are too many levels."""

    n_known: int = 0
    n_missing: int = 0
    counts: dict[Any, int] | None = dataclasses.field(default_factory=dict)

    def add(self, codes: npt.NDArray[np.int32], distinct: tuple[Any, ...]) -> None:
        """Add the values of some rows as codes into `distinct`, -1 where missing."""
        found = np.asarray(_native.count_codes(np.ascontiguousarray(codes), len(distinct))).tolist()
        self.n_missing += found[0]
        self.n_known += len(codes) - found[0]
        self._add_counts({value: count for value, count in zip(distinct, found[1:]) if count})

    def add_levels(self, codes: npt.NDArray[np.int32], distinct: tuple[Any, ...]) -> None:
        """Add the distinct values of rows that are not counted."""
        present = np.unique(codes[codes >= 0]).tolist()
        self._add_counts(dict.fromkeys([distinct[code] for code in present], 0))

    def _add_counts(self, counts: dict[Any, int] | None) -> None:
        if counts is None or self.counts is None:
            self.counts = None
            return
        for value, count in counts.items():
            self.counts[value] = self.counts.get(value, 0) + count
        if len(self.counts) > MAX_LEVELS:
            self.counts = None

    def merge(self, other: LevelSummary) -> None:
        """Add the values of another summary."""
        self.n_known += other.n_known
        self.n_missing += other.n_missing
        self._add_counts(other.counts)


Summary = NumberSummary | LevelSummary


def numbers_of(raw: RawColumn) -> Floats:
    """The values of a numeric column; integers that a reader kept exact are rounded."""
    if raw.numbers is not None:
        return np.asarray(raw.numbers, dtype=np.float64)
    assert raw.codes is not None
    return np.array([*map(float, raw.distinct), np.nan])[raw.codes]
