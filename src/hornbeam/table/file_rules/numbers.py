"""Finds how the numbers of a column are written: decimal mark, thousands separator, currency or percent sign.

    1.5   0.123   1234.567        a decimal point: no thousands separator can stand there
    1,5   0,123                   a decimal comma
    1.234,5   1.234.567           dots separate thousands, the comma is decimal
    1,234.5   1,234,567           commas separate thousands
    1'234.5   1 234,5             apostrophes and blanks separate thousands
    1.234   1,234   (alone)       two readings: see `choose`

All texts of a column must have one format. A currency sign or a percent sign must be the same in every cell; the number
keeps its scale (12 % is 12).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.table.file_rules.settings import THOUSANDS
from hornbeam.table.text_format import TextFormat

_MINUS = str.maketrans({"\u2212": "-"})
_SIGNS = ("%", "\u20ac", "$", "\u00a3", "\u00a5", "EUR", "USD", "GBP", "CHF", "US$", "Fr.")


@dataclasses.dataclass(frozen=True)
class Reading:
    """The formats in which all texts are numbers; the first is the reading without a thousands separator."""

    formats: tuple[TextFormat, ...]
    sign: str = ""

    @property
    def is_certain(self) -> bool:
        """Whether there is exactly one format."""
        return len(self.formats) == 1


def read_numbers(texts: Sequence[str], decimal: str | None = None, thousands: str | None = None) -> Reading | None:
    """The formats that fit all texts under the given settings; None if the texts are no numbers."""
    sign, bare = split_sign(texts)
    formats = [each for each in _candidates(marks_of(bare)) if _is_allowed(each, decimal, thousands)]
    found = [each for each in formats if all(map(_pattern(each).fullmatch, bare))] if bare else []
    return Reading(tuple(found), sign) if found else None


def marks_of(texts: Sequence[str]) -> frozenset[str]:
    """The decimal marks and separators that occur in texts."""
    return frozenset("".join(texts)) & frozenset(THOUSANDS)


def split_sign(texts: Sequence[str]) -> tuple[str, list[str]]:
    """The currency or percent sign that all texts have, and the texts without it."""
    for sign in _SIGNS if texts else ():
        if all(text.startswith(sign) or text.endswith(sign) for text in texts):
            return sign, [text.removeprefix(sign).removesuffix(sign).strip(" \u00a0\u202f") for text in texts]
        if all(text.lstrip("-").startswith(sign) for text in texts):  # -$5
            return sign, [text.replace(sign, "", 1) for text in texts]
    return "", list(texts)


def _candidates(marks: Collection[str]) -> list[TextFormat]:
    """The formats that use each of the marks that occur, those without a thousands separator first."""
    used = set(marks)
    found = []
    for thousands in ("", *(each for each in THOUSANDS if each in used)):
        for decimal in (".", ","):
            if decimal != thousands and used <= {decimal, thousands}:
                found.append(TextFormat(decimal=decimal, thousands=thousands))
    return found if used & {".", ","} else found[:1]  # without a point or a comma, both decimal marks read the same


def _is_allowed(each: TextFormat, decimal: str | None, thousands: str | None) -> bool:
    if decimal is not None and each.decimal != decimal:
        return False
    return thousands is None or (each.thousands in ("", thousands) and each.decimal != thousands)


def _pattern(each: TextFormat) -> re.Pattern[str]:
    point = re.escape(each.decimal)
    if not each.thousands:
        return re.compile(rf"[+\-\u2212]?(?:[0-9]+(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?")
    group = re.escape(each.thousands)
    return re.compile(rf"[+\-\u2212]?(?:[1-9][0-9]{{0,2}}(?:{group}[0-9]{{3}})+|[0-9]+)(?:{point}[0-9]*)?")


def choose(reading: Reading, decimals: Collection[str], prior: TextFormat | None) -> TextFormat | None:
    """One of two readings: that of the model, else that of the decimal mark of the other columns; else None."""
    for each in reading.formats:
        if prior is not None and not prior.date and each.decimal == prior.decimal:
            return each
    known = [each for each in reading.formats if each.decimal in decimals]
    return known[0] if len(known) == 1 and len(decimals) == 1 else None


def are_numbers_in(texts: Sequence[str], each: TextFormat) -> npt.NDArray[np.bool_]:
    """True for each text that is a number in a format."""
    matches = _pattern(each).fullmatch
    return np.fromiter((matches(text) is not None for text in texts), np.bool_, len(texts))


def parse(texts: Sequence[str], sign: str, each: TextFormat) -> npt.NDArray[np.float64]:
    """The numbers in texts of a known format."""
    bare = split_sign(texts)[1] if sign else texts
    changes = {"\u2212": "-", each.decimal: "."} | ({each.thousands: None} if each.thousands else {})
    table = str.maketrans(changes)
    return np.fromiter((float(text.translate(table)) for text in bare), np.float64, len(bare))
