"""Texts that are dates, and texts that cannot be stored.

    a date          2020-01-31   31/01/2020   31.1.2020   2020-01-31 12:30:00
    an ISO date     2020-01-31   2020-01-31T12:30             the only form that is converted to days

Each check runs over the distinct texts of a column at once. `number_grammar.py` defines which texts are numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.table.days import days_from_microseconds

_CLOCK = r"(?:[T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
_DATE = re.compile(
    r"(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}|[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2,4})"
    + _CLOCK
)
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?Z?")


def are_dates(texts: Sequence[str]) -> bool:
    """Whether every text has the form of a date."""
    return len(texts) > 0 and all(map(_DATE.fullmatch, texts))


def days_of(texts: Sequence[str]) -> npt.NDArray[np.float64] | None:
    """Days since 1970-01-01 of ISO dates and times, or None unless every text is one."""
    if not texts or not all(map(_ISO_DATE.fullmatch, texts)):
        return None
    try:
        moments = np.array([text.rstrip("Z") for text in texts], dtype="datetime64[us]")
    except ValueError:
        return None
    return days_from_microseconds(moments.astype(np.int64))


def unstorable(texts: Sequence[str]) -> str | None:
    """The first text that cannot be encoded as UTF-8 (a lone surrogate), or None."""
    try:
        "\n".join(texts).encode("utf-8")
    except UnicodeEncodeError:
        return next(text for text in texts if any("\ud800" <= letter <= "\udfff" for letter in text))
    return None
