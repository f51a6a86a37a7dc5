"""What is odd about a column, though it can be used?

constant or empty      it can never split
an id                  every row has its own value, so it splits rows by name
dates                  text that is written like dates: ordered only if declared
free text              long texts, nearly all different
look-alike levels      they differ in upper case, spaces or Unicode form alone
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import short_repr
from hornbeam.table.raw import Extent
from hornbeam.table.texts import are_dates

_LIKE_AN_ID = re.compile(
    r"(?:.*[^a-z])?(?:id|ids|key|uid|uuid|guid|index|identifier|nr|number|no)|rownames?|unnamed: 0|.*[a-z]ID",
    re.IGNORECASE,
)
_FEWEST_FOR_AN_ID = 10
_WORDS_OF_FREE_TEXT = 4
ALL_MISSING = "every value is missing: it can never be asked about"
CONSTANT = "constant: it can never split"
AN_ID = "an id: every row has its own value; leave it out unless it carries meaning"
DATES = "looks like dates, kept as text; ask for the kind date (ISO dates) to use their order"
FREE_TEXT = "free text: nearly every row has its own; leave it out or turn it into features"


def extent_of(values: npt.NDArray[Any]) -> Extent:
    """The lowest and the highest of some numbers."""
    return (float(values.min()), float(values.max())) if len(values) else (np.nan, np.nan)


def remarks_on_numbers(name: str, values: npt.NDArray[Any], extent: Extent | None = None) -> tuple[str, ...]:
    """Remarks on a numeric column; `extent` where it is known."""
    if not len(values):
        return ()
    low, high = extent or extent_of(values)
    if low != low:
        known = values[~np.isnan(values)]
        if not len(known):
            return (ALL_MISSING,)
        low, high = known.min(), known.max()
        has_missing = True
    else:
        has_missing = False
    if low == high:
        return (CONSTANT,)
    if not has_missing and len(values) >= _FEWEST_FOR_AN_ID and _LIKE_AN_ID.fullmatch(name):
        is_whole = bool((values == np.floor(values)).all())
        if is_whole and len(np.unique(values)) == len(values):
            return (AN_ID,)
    return ()


def remarks_on_levels(name: str, used: tuple[Any, ...], codes: npt.NDArray[np.int32]) -> tuple[str, ...]:
    """Remarks on a column with levels; `used` are the levels that occur."""
    n_known = int((codes >= 0).sum())
    if not n_known:
        return (ALL_MISSING,)
    if len(used) == 1:
        return (CONSTANT,)
    if not all(issubclass(kind, str) for kind in set(map(type, used))):
        return (AN_ID,) if len(used) == len(codes) >= _FEWEST_FOR_AN_ID and _LIKE_AN_ID.fullmatch(name) else ()
    if are_dates(used):
        return (DATES,)
    alike = look_alikes(used)
    remarks = (f"levels that look alike: {short_repr(alike[0])} and {short_repr(alike[1])}",) if alike else ()
    if len(used) < _FEWEST_FOR_AN_ID or len(used) < 0.9 * n_known:
        return remarks
    n_spaces = sum(map(str.count, used, " " * len(used)))
    if n_spaces >= (_WORDS_OF_FREE_TEXT - 1) * len(used):
        return (*remarks, FREE_TEXT)
    return (*remarks, AN_ID) if len(used) == len(codes) else remarks


# Keys and free text: comparing them all takes long, and nobody would read the remark.
_MOST_COMPARED = 50_000


def look_alikes(levels: Iterable[str]) -> tuple[str, str] | None:
    """Two levels that differ only in case, spaces around or Unicode form, or None; not asked of very many levels."""
    names = list(levels)
    if len(names) > _MOST_COMPARED:
        return None
    folded = [text.casefold() for text in map(str.strip, names)]
    if not all(map(str.isascii, folded)):
        folded = [unicodedata.normalize("NFC", text) for text in folded]
    if len(set(folded)) == len(folded):
        return None
    first: dict[str, str] = {}
    for name, key in zip(names, folded):
        if key in first:
            return first[key], name
        first[key] = name
    return None
