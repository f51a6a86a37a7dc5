"""ExactSum: a sum of float64 numbers that does not depend on their order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

_DIGITS, _HALF = 53, 26


class ExactSum:
    """Adds numbers as integers, one total per exponent; sums of sums are exact as well."""

    def __init__(self) -> None:
        self.totals: dict[int, int] = {}

    def add(self, numbers: npt.NDArray[np.float64]) -> None:
        """Add finite numbers."""
        mantissa, exponent = np.frexp(numbers)
        digits = np.ldexp(mantissa, _DIGITS).astype(np.int64)
        high, low = digits >> _HALF, digits & ((1 << _HALF) - 1)
        for each in np.unique(exponent).tolist():
            chosen = exponent == each
            total = (int(high[chosen].sum()) << _HALF) + int(low[chosen].sum())
            self.totals[each] = self.totals.get(each, 0) + total

    def merge(self, other: ExactSum) -> None:
        """Add the numbers of another sum."""
        for exponent, total in other.totals.items():
            self.totals[exponent] = self.totals.get(exponent, 0) + total

    def value(self) -> float:
        """The sum, rounded once."""
        return float(
            sum((Fraction(total) * Fraction(2) ** (e - _DIGITS) for e, total in self.totals.items()), Fraction(0))
        )
