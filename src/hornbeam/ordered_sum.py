"""ordered_sum: floats added one after the other, with the same result in every version of Python.

From Python 3.12 on the built-in `sum` compensates the rounding of floats. The core adds in order, without compensation.
"""

from __future__ import annotations

from collections.abc import Iterable


def ordered_sum(numbers: Iterable[float]) -> float:
    """The sum of numbers, rounded after every addition."""
    total = 0.0
    for number in numbers:
        total += number
    return total
