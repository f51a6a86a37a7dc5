"""Values as codes: the number of cuts below a number, the code of a level; the last code is a missing value."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.errors import DataFileError, short_repr
from hornbeam.scale.plan import ColumnPlan
from hornbeam.scale.summaries import numbers_of
from hornbeam.table.raw import RawColumn

_MAX_RANGE = 65_535
Codes = npt.NDArray[np.unsignedinteger[Any]]


class Coder:
    """Codes the values of one column."""

    def __init__(self, plan: ColumnPlan, dtype: npt.DTypeLike) -> None:
        self.plan = plan
        self.dtype = dtype
        self.missing = len(plan.low)
        self.cuts = plan.cuts
        self.numbers = np.array(plan.values) if plan.values and not isinstance(plan.values[0], (str, bool)) else None
        self.codes = np.array([*plan.codes, self.missing], dtype=dtype)
        self.table = _table_of_integers(self.numbers, self.codes)
        self.code_of = dict(zip(plan.values, plan.codes))

    def code(self, raw: RawColumn) -> Codes:
        """The codes of the values."""
        if not self.plan.spec.has_levels:
            return self._bins(numbers_of(raw))
        if self.numbers is not None:
            return self._levels_of_numbers(numbers_of(raw))
        return self._levels(raw)

    def _bins(self, values: npt.NDArray[np.float64]) -> Codes:
        codes: Codes = np.empty(len(values), dtype=self.dtype)
        _native.code_values(np.ascontiguousarray(values), self.cuts, self.missing, codes)
        return codes

    def _levels_of_numbers(self, values: npt.NDArray[np.float64]) -> Codes:
        assert self.numbers is not None
        if self.table is not None:
            return self._levels_of_integers(values, self.table)
        index = np.searchsorted(self.numbers, values)
        is_missing = np.isnan(values)
        index[is_missing] = len(self.numbers)
        known = np.minimum(index, len(self.numbers) - 1)
        if (self.numbers[known] != values)[~is_missing].any():
            raise _changed(self.plan.spec.name)
        return self.codes[index]

    def _levels_of_integers(self, values: npt.NDArray[np.float64], table: Codes) -> Codes:
        """The codes of integers in a small range, from a table."""
        assert self.numbers is not None
        places = values - self.numbers[0]
        is_missing = np.isnan(places)
        places[is_missing] = len(table) - 1
        inside = (places >= 0) & (places < len(table)) & (places == np.floor(places))
        found: Codes = table[np.where(inside, places, len(table) - 2).astype(np.intp)]
        if not inside.all() or (found == self.missing)[~is_missing].any():
            raise _changed(self.plan.spec.name)
        return found

    def _levels(self, raw: RawColumn) -> Codes:
        assert raw.codes is not None
        used = np.flatnonzero(np.bincount(raw.codes + 1, minlength=1)) - 1
        lookup = np.full(len(raw.distinct) + 1, self.missing, dtype=self.dtype)
        for code in used[used >= 0].tolist():
            found = self.code_of.get(raw.distinct[code])
            if found is None:
                raise _changed(self.plan.spec.name)
            lookup[code] = found
        return lookup[raw.codes]


def _table_of_integers(numbers: npt.NDArray[np.float64] | None, codes: Codes) -> Codes | None:
    """The codes of all integers in the range of sorted numbers, and of a missing value at the end.

    None if the range is large. An integer that is none of the numbers has the code of a missing value.
    """
    if numbers is None or (numbers != np.floor(numbers)).any() or numbers[-1] - numbers[0] > _MAX_RANGE:
        return None
    table: Codes = np.full(int(numbers[-1] - numbers[0]) + 3, codes[-1], dtype=codes.dtype)
    table[(numbers - numbers[0]).astype(np.intp)] = codes[:-1]
    return table


def _changed(name: str) -> DataFileError:
    return DataFileError(
        f"Column {short_repr(name)} has values that it did not have in the first pass.",
        hint="Start again; the source must not change while it is used.",
        column=name,
    )
