"""GroupedSums: sums of float64 numbers by group that do not depend on the order of the numbers.

A number is an integer times a power of two. Integers of one group and one exponent are added exactly, in two halves of
26 and 27 bits, so that 2^31 numbers fit; every sum is rounded once, at the end.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_DIGITS, _HALF = 53, 26
_EXPONENTS = 1 << 12
_BIAS = 1 << 11
_MOST_AT_ONCE = 1 << 24  # bincount adds in float64, exact up to 2^53


def _none() -> Integers:
    return np.zeros(0, dtype=np.int64)


@dataclasses.dataclass
class GroupedSums:
    """The sums of `n_groups` groups: one entry per group and exponent that occurs."""

    n_groups: int
    keys: Integers = dataclasses.field(default_factory=_none)  # group and exponent, ascending
    high: Integers = dataclasses.field(default_factory=_none)
    low: Integers = dataclasses.field(default_factory=_none)

    def add(self, groups: npt.NDArray[np.integer], numbers: Floats) -> None:
        """Add finite numbers, each to its group."""
        for start in range(0, len(numbers), _MOST_AT_ONCE):
            part = slice(start, start + _MOST_AT_ONCE)
            self._add(np.asarray(groups[part], dtype=np.int64), np.asarray(numbers[part], dtype=np.float64))

    def _add(self, groups: Integers, numbers: Floats) -> None:
        mantissa, exponent = np.frexp(numbers)
        digits = np.ldexp(mantissa, _DIGITS).astype(np.int64)
        keys, place = np.unique(groups * _EXPONENTS + (exponent + _BIAS), return_inverse=True)
        high, low = digits >> _HALF, digits & ((1 << _HALF) - 1)
        sums = [np.bincount(place, each, minlength=len(keys)).astype(np.int64) for each in (high, low)]
        self.merge(GroupedSums(self.n_groups, keys, *sums))

    def merge(self, other: GroupedSums) -> None:
        """Add the numbers of other sums of the same groups."""
        if np.array_equal(self.keys, other.keys):
            self.high, self.low = self.high + other.high, self.low + other.low
            return
        keys, place = np.unique(np.concatenate([self.keys, other.keys]), return_inverse=True)
        high, low = np.zeros(len(keys), dtype=np.int64), np.zeros(len(keys), dtype=np.int64)
        np.add.at(high, place, np.concatenate([self.high, other.high]))
        np.add.at(low, place, np.concatenate([self.low, other.low]))
        self.keys, self.high, self.low = keys, high, low

    def values(self) -> Floats:
        """The sum of every group, rounded once; an infinity if it is too large."""
        found = np.zeros(self.n_groups)
        groups = self.keys // _EXPONENTS
        n_keys = np.bincount(groups, minlength=self.n_groups)
        # One exponent, and halves that float64 represents: their sum is rounded once.
        is_simple = (n_keys[groups] == 1) & (np.abs(self.high) < 2**_DIGITS) & (np.abs(self.low) < 2**_DIGITS)
        halves = self.high[is_simple] * 2.0**_HALF + self.low[is_simple]
        with np.errstate(over="ignore"):
            found[groups[is_simple]] = np.ldexp(halves, self.keys[is_simple] % _EXPONENTS - _BIAS - _DIGITS)
        self._add_others(found, ~is_simple)
        return found

    def _add_others(self, found: Floats, chosen: npt.NDArray[np.bool_]) -> None:
        totals: dict[int, Fraction] = {}
        entries = (each[chosen].tolist() for each in (self.keys, self.high, self.low))
        for key, high, low in zip(*entries):
            group, exponent = divmod(key, _EXPONENTS)
            power = exponent - _BIAS - _DIGITS
            term = Fraction(((high << _HALF) + low) << max(power, 0), 1 << max(-power, 0))
            totals[group] = totals.get(group, Fraction(0)) + term
        for group, total in totals.items():
            try:
                found[group] = float(total)
            except OverflowError:
                found[group] = np.inf if total > 0 else -np.inf
