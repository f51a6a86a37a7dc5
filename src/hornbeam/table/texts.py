"""Texts that are dates, and texts that cannot be stored.

    a date          2020-01-31   31/01/2020   31.1.2020   2020-01-31 12:30:00+01:00

Each check runs over the distinct texts of a column at once. `number_grammar.py` defines which texts are numbers,
`dates.py` which dates are converted to days.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_CLOCK = r"(?:[T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
_DATE = re.compile(
    r"(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}|[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2,4})"
    + _CLOCK
)


def are_dates(texts: Sequence[str]) -> bool:
    """Whether every text has the form of a date."""
    return len(texts) > 0 and all(map(_DATE.fullmatch, texts))


def unstorable(texts: Sequence[str]) -> str | None:
    """The first text that cannot be encoded as UTF-8 (a lone surrogate), or None."""
    try:
        "\n".join(texts).encode("utf-8")
    except UnicodeEncodeError:
        return next(text for text in texts if any("\ud800" <= letter <= "\udfff" for letter in text))
    return None
