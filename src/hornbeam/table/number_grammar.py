"""The definition of a number in text, for all readers of text.

    a number        5   +5   -5.   .5   1e5   2.5E-3   ' 5 '      ASCII digits, surrounded by any number of spaces
    not a number    1_000   1,000   0x10   5 mg   inf   ٣         and with decimal="," also 1.5
    a code          007   01   -012                               digits with a leading zero are an identifier
    a simple number 5   -5.25   1e5                               see below

A simple number is `-?digits[.digits][e+-digits]` without a leading zero, with at most 15 digits before the point and
two in the exponent. It is a finite float64, it is neither a code nor rounded, and Python and DuckDB parse it to the
same value, so that readers may convert it at once. All other texts are left to `kinds.py`, which decides per column.
The definition does not depend on the locale.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

LARGEST_EXACT = 2**53  # all integers up to this one are exact as float64

_DIGITS = "[0-9]+"
_NUMBER = re.compile(rf" *[+-]?(?:{_DIGITS}(?:\.[0-9]*)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})? *")
_NUMBER_CHARACTERS = b"0123456789+-.eE \n"
_SIMPLE_INTEGER = "-?(0|[1-9][0-9]{0,14})"
# Patterns that Python's `re` and DuckDB's regular expressions read alike.
SIMPLE_NUMBER = rf"{_SIMPLE_INTEGER}(\.{_DIGITS})?([eE][+-]?[0-9]{{1,2}})?"
SIMPLE_COMMA_NUMBER = rf"{_SIMPLE_INTEGER}(,{_DIGITS})?"

# A file without these bytes has no cell with an underscore or with white space other than spaces (quoted: new lines).
UNUSUAL_BYTES = (b"_", b'"', b"\t", b"\v", b"\f")

_CODE = re.compile(r" *[+-]?0[0-9]")
_CODE_ON_A_LINE = re.compile(r"(?:^|\n) *[+-]?0[0-9]")
_LONG_DIGITS = re.compile(r"[0-9]{16}")
_INTEGER = re.compile(rf" *[+-]?{_DIGITS} *")


def simple_pattern(decimal: str) -> str:
    """The pattern of a simple number with this decimal mark."""
    return SIMPLE_COMMA_NUMBER if decimal == "," else SIMPLE_NUMBER


def is_simple_sql(cell: str, has_unusual_bytes: bool = True) -> str:
    """SQL that is true for cells that DuckDB may cast at once (simple numbers and null), by ranges of texts.

    Ranges are faster than a pattern. They accept simple numbers below 2^53 and a few other exact numbers (`.5`, `5.`).
    DuckDB also casts ` 5`, `+5`, `nan`, `1_000` and `5` with a new line: hence a minus or a digit first, a size (NaN
    has none) and, in a file with `UNUSUAL_BYTES`, no underscore and no control character at the end.
    """
    return (
        f"coalesce(abs(TRY_CAST({cell} AS DOUBLE)) < {LARGEST_EXACT}, {cell} IS NULL) AND {cell} >= '-' "
        f"AND ({cell} < '00' OR {cell} >= '0:') AND ({cell} < '-00' OR {cell} >= '-0:')"
        + (f" AND NOT contains({cell}, '_') AND right({cell}, 1) >= ' '" if has_unusual_bytes else "")
    )


def _with_points(texts: Sequence[str], decimal: str) -> list[str]:
    """The texts with the decimal comma as a point; a point then makes a text no number."""
    if decimal == ".":
        return list(texts)
    swap = str.maketrans({decimal: ".", ".": "_"})
    return [text.translate(swap) for text in texts]


def parse_numbers(texts: Sequence[str], decimal: str = ".") -> npt.NDArray[np.float64] | None:
    """The numbers in the texts, or None unless every text is a number.

    `float` accepts the grammar above and some more; the check of the characters excludes the rest.
    """
    pointed = _with_points(texts, decimal)
    joined = "\n".join(pointed)
    if not joined.isascii() or joined.count("\n") != max(len(pointed) - 1, 0):
        return None
    if joined.encode("ascii").translate(None, _NUMBER_CHARACTERS):
        return None
    try:
        return np.fromiter(map(float, pointed), np.float64, len(pointed))
    except ValueError:
        return None


def parse_number(text: str, decimal: str = ".") -> float | None:
    """The number in one text, or None."""
    found = parse_numbers([text], decimal)
    return None if found is None else float(found[0])


def are_numbers(texts: Sequence[str], decimal: str = ".") -> npt.NDArray[np.bool_]:
    """True for each text that is a number."""
    return np.array([_NUMBER.fullmatch(text) is not None for text in _with_points(texts, decimal)], dtype=np.bool_)


def first_code(texts: Sequence[str]) -> str | None:
    """The first text with a leading zero, such as 007, or None; the texts are numbers."""
    if _CODE_ON_A_LINE.search("\n".join(texts)) is None:
        return None
    return next((text for text in texts if _CODE.match(text)), None)


def first_inexact(texts: Sequence[str]) -> str | None:
    """The first integer, written out, that float64 cannot represent exactly, or None; the texts are numbers."""
    if _LONG_DIGITS.search("\n".join(texts)) is None:
        return None
    long = (text for text in texts if len(text) >= 16 and _INTEGER.fullmatch(text))
    return next((text for text in long if int(text) != _nearest_integer(text)), None)


def _nearest_integer(text: str) -> int | None:
    number = float(text)
    return int(number) if np.isfinite(number) else None
