"""Which texts are numbers, codes or dates?

    a number        5   +5   -5.   .5   1e5   2.5E-3   ' 5 '      ASCII digits, spaces around it allowed
    not a number    1_000   1,000   0x10   5 mg   inf   ٣         and with decimal="," also 1.5
    a code          007   01   -012                               a leading zero means that the digits are a name
    a date          2020-01-31   31/01/2020   31.1.2020   2020-01-31 12:30:00

Each check runs over the distinct texts of a column at once, in compiled loops: a million texts take a fraction of a
second. The rule does not depend on the locale.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

NUMBER = r" *[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)? *"
LEADING_ZERO = r" *[+-]?0[0-9]"
LARGEST_EXACT = 2**53

_NUMBER = re.compile(NUMBER)
_CODE = re.compile(LEADING_ZERO)
_A_CODE_INSIDE = re.compile(r"(?:^|\n) *[+-]?0[0-9]")
_LONG_DIGITS = re.compile(r"[0-9]{16}")
_WHOLE = re.compile(r" *[+-]?[0-9]+ *")
_CLOCK = r"(?:[T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
_DATE = re.compile(
    r"(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}|[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2,4})"
    + _CLOCK
)
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?Z?")
_MICROSECONDS_A_DAY = 86_400_000_000


def decimal_points(texts: Sequence[str], decimal: str) -> list[str]:
    """The texts with the decimal comma as a point; a point then makes a text no number."""
    if decimal == ".":
        return list(texts)
    swap = str.maketrans({decimal: ".", ".": "_"})
    return [text.translate(swap) for text in texts]


def numbers_of(texts: Sequence[str], decimal: str = ".") -> npt.NDArray[np.float64] | None:
    """The numbers behind the texts, or None unless every text is a number."""
    pointed = decimal_points(texts, decimal)
    joined = "\n".join(pointed)
    if not joined.isascii() or joined.count("\n") != max(len(pointed) - 1, 0):
        return None
    if joined.encode("ascii").translate(None, b"0123456789+-.eE \n"):
        return None
    try:
        return np.fromiter(map(float, pointed), np.float64, len(pointed))
    except ValueError:
        return None


def are_numbers(texts: Sequence[str], decimal: str = ".") -> npt.NDArray[np.bool_]:
    """True for each text that is a number."""
    return np.array([_NUMBER.fullmatch(text) is not None for text in decimal_points(texts, decimal)], dtype=np.bool_)


def first_code(texts: Sequence[str]) -> str | None:
    """The first text that starts with a leading zero, such as 007, or None; the texts are numbers."""
    if _A_CODE_INSIDE.search("\n".join(texts)) is None:
        return None
    return next((text for text in texts if _CODE.match(text)), None)


def first_inexact(texts: Sequence[str]) -> str | None:
    """The first whole number, written out, that a double cannot hold exactly, or None; the texts are numbers."""
    if _LONG_DIGITS.search("\n".join(texts)) is None:
        return None
    long = (text for text in texts if len(text) >= 16 and _WHOLE.fullmatch(text))
    return next((text for text in long if int(text) != _nearest_whole(text)), None)


def _nearest_whole(text: str) -> int | None:
    number = float(text)
    return int(number) if np.isfinite(number) else None


def are_dates(texts: Sequence[str]) -> bool:
    """Whether every text is written like a date."""
    return len(texts) > 0 and all(map(_DATE.fullmatch, texts))


def days_of(texts: Sequence[str]) -> npt.NDArray[np.float64] | None:
    """Days since 1970-01-01 for ISO dates and times, or None unless every text is one."""
    if not texts or not all(map(_ISO_DATE.fullmatch, texts)):
        return None
    try:
        moments = np.array([text.rstrip("Z") for text in texts], dtype="datetime64[us]")
    except ValueError:
        return None
    return moments.astype(np.int64) / _MICROSECONDS_A_DAY


def unstorable(texts: Sequence[str]) -> str | None:
    """The first text that cannot be written as UTF-8 (a lone surrogate), or None."""
    try:
        "\n".join(texts).encode("utf-8")
    except UnicodeEncodeError:
        return next(text for text in texts if any("\ud800" <= letter <= "\udfff" for letter in text))
    return None
