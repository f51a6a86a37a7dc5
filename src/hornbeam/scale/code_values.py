"""Values as codes: the number of cuts below a number, the code of a level; the last code is a missing value."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.errors import DataFileError, short_repr
from hornbeam.scale.plan import ColumnPlan
from hornbeam.scale.summaries import numbers_of
from hornbeam.table.raw import RawColumn

Codes = npt.NDArray[np.unsignedinteger[Any]]


class Coder:
    """Codes the values of one column."""

    def __init__(self, plan: ColumnPlan, dtype: npt.DTypeLike) -> None:
        self.plan = plan
        self.dtype = dtype
        self.missing = len(plan.low)
        self.cuts = np.empty(0) if plan.spec.has_levels else plan.cuts
        is_of_numbers = bool(plan.values) and not isinstance(plan.values[0], (str, bool))
        self.numbers = np.array(plan.values, dtype=np.float64) if is_of_numbers else None
        self.codes = np.array([*plan.codes, self.missing], dtype=dtype)
        self.code_of = dict(zip(plan.values, plan.codes))

    def code(self, raw: RawColumn) -> Codes:
        """The codes of the values."""
        found: Codes = np.empty(len(raw), dtype=self.dtype)
        if not self.plan.spec.has_levels:
            _native.code_values(np.ascontiguousarray(numbers_of(raw)), self.cuts, self.missing, found)
        elif self.numbers is None:
            _native.look_up(np.ascontiguousarray(raw.codes), self._table(raw), found)
        elif not _native.code_known(np.ascontiguousarray(numbers_of(raw)), self.numbers, self.codes, found):
            raise _changed(self.plan.spec.name)
        return found

    def _table(self, raw: RawColumn) -> Codes:
        """The codes of the values that a raw column distinguishes, and of a missing value at the end."""
        n_values = len(raw.distinct)
        found = np.fromiter(map(self.code_of.get, raw.distinct, itertools.repeat(-1)), dtype=np.int64, count=n_values)
        is_unknown = found < 0
        if is_unknown.any():
            n_rows = np.asarray(_native.count_codes(np.ascontiguousarray(raw.codes), n_values))[1:]
            if n_rows[is_unknown].any():
                raise _changed(self.plan.spec.name)
            found[is_unknown] = self.missing
        return np.append(found, self.missing).astype(self.dtype)


def _changed(name: str) -> DataFileError:
    return DataFileError(
        f"Column {short_repr(name)} has values that it did not have in the first pass.",
        hint="Start again; the source must not change while it is used.",
        column=name,
    )
