"""Numbers as people read them: 157,500 and not 1.575e+05.

    number_text(157500.0)        157,500      a value: separators from 10,000, so that years stay 2007
    count_text(1204)             1,204        a number or weight of rows: separators from 1,000
    cut_number_text(1234567.5)   1,234,567.5  a cut: more digits where six are not accurate

All digits before the decimal point are printed. An exponent is used only below 0.0001 and from 1e15 on. Text that a
program reads again (SQL, TOML, JSON, CSV) is written with `repr` instead.
"""

from __future__ import annotations

import math

_LARGEST = 1e15  # integers below it are exact
_SMALLEST = 1e-4


def number_text(number: float, digits: int = 6) -> str:
    """A value with this many significant digits, and at least all digits before the decimal point."""
    return _text(number, digits, 10_000)


def short_number_text(number: float) -> str:
    """A value with four significant digits, as in tables."""
    return number_text(number, 4)


def signed_text(number: float, digits: int = 4) -> str:
    """A value with its sign, for differences."""
    return f"{'' if number < 0 else '+'}{number_text(number, digits)}"


def count_text(number: float, digits: int = 6) -> str:
    """A number of rows, or their total weight."""
    return _text(number, digits, 1_000)


def cut_number_text(number: float) -> str:
    """A cut with six digits and at least one decimal if they are accurate to 1e-6, else with all digits.

    One decimal keeps a cut between two integers between them, whatever their size.
    """
    short = float(f"{number:.6g}") if abs(number) < 1e5 else round(number, 1)
    return _text(short if abs(short - number) <= 1e-6 * abs(number) else number, None, 10_000)


def _text(number: float, digits: int | None, separated_from: float) -> str:
    """The number with this many digits, None for all; with separators from a size on."""
    size = abs(number)
    if size == 0.0:
        return "0"
    if not _SMALLEST <= size < _LARGEST:
        return repr(float(number)) if digits is None else f"{number:.{digits}g}"
    if digits is None:
        text = format(float(number), "," if size >= separated_from else "")
    else:
        decimals = max(digits - 1 - math.floor(math.log10(size)), 0)
        rounded = float(f"{number:.{decimals}f}")
        text = f"{rounded:{',' if abs(rounded) >= separated_from else ''}.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
