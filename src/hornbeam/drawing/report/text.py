"""Text and numbers of the page: short, printable, and valid in JSON."""

from __future__ import annotations

import math

from hornbeam.tree.text import printable

_MAX_LENGTH = 300


def printable_text(text: object) -> str:
    """Text of the page: truncated if very long, unprintable characters escaped."""
    full = str(text)
    return printable(full if len(full) <= _MAX_LENGTH else full[: _MAX_LENGTH - 1] + "…")


def short_number(number: float, digits: int = 6) -> float | None:
    """A number with few digits, or None if JSON cannot represent it."""
    return float(f"{number:.{digits}g}") if math.isfinite(number) else None


def finite_number(value: float) -> float | int:
    """A number with seven digits, an integer if it is one, 0 if it is not finite."""
    found = short_number(value, 7)
    return 0 if found is None else int(found) if found.is_integer() and abs(found) < 1e15 else found
