"""How are words and numbers written into the page's facts?  Short, printable, and never what JSON has no word for."""

from __future__ import annotations

import math

from hornbeam.tree.text import printable

_LONGEST = 300


def printable_text(text: object) -> str:
    """Text as the page shows it: cut when very long, unprintable characters spelt out."""
    words = str(text)
    return printable(words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…")


def short_number(number: float, digits: int = 6) -> float | None:
    """A number with few digits, or None where JSON has no word for it."""
    return float(f"{number:.{digits}g}") if math.isfinite(number) else None


def finite_number(value: float) -> float | int:
    """A number with seven digits, whole where it is whole, 0 where it is not finite."""
    found = short_number(value, 7)
    return 0 if found is None else int(found) if found.is_integer() and abs(found) < 1e15 else found
