"""Notes about columns that are usable but suspicious.

constant or empty      no question can use it
an id                  every row has a different value, so a split on it does not generalize
dates                  text in the form of dates: ordered only if the kind is requested
free text              long texts, nearly all different
similar levels         they differ only in case, surrounding spaces or Unicode form
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import short_repr
from hornbeam.table.notes import Note, NoteCode
from hornbeam.table.raw import Extent
from hornbeam.table.texts import are_dates

_ID_NAME = re.compile(
    r"(?:.*[^a-z])?(?:id|ids|key|uid|uuid|guid|index|identifier|nr|number|no|mrn)|rownames?|unnamed[_: ]*0|.*[a-z]ID"
    r"|patient|subject|case|record|customer|account|[a-z]*nummer",
    re.IGNORECASE,
)
_MIN_ID_ROWS = 10
_MIN_FREE_TEXT_WORDS = 4
ALL_MISSING = "every value is missing: no question can use it"
CONSTANT = "constant: no question can use it"
AN_ID = "an id: every row has a different value; drop it unless it has a meaning"
DATES = Note("looks like dates, kept as text; request the kind date to use their order", NoteCode.LOOKS_LIKE_DATES)
FREE_TEXT = "free text: nearly every row has a different text; drop it or convert it to features"


def is_id_name(name: str) -> bool:
    """Whether a column has a name that ids usually have."""
    return _ID_NAME.fullmatch(name) is not None


def extent_of(values: npt.NDArray[Any]) -> Extent:
    """The minimum and the maximum of some numbers."""
    return (float(values.min()), float(values.max())) if len(values) else (np.nan, np.nan)


def remarks_on_numbers(name: str, values: npt.NDArray[Any], extent: Extent | None = None) -> tuple[str, ...]:
    """Notes about a numeric column; `extent` if it is known."""
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
    if not has_missing and len(values) >= _MIN_ID_ROWS and is_id_name(name):
        is_integer = bool((values == np.floor(values)).all())
        if is_integer and len(np.unique(values)) == len(values):
            return (AN_ID,)
    return ()


def remarks_on_levels(name: str, used: tuple[Any, ...], n_known: int, n_rows: int) -> tuple[str, ...]:
    """Notes about a column with levels; `used` are the levels that occur, `n_known` the rows that have one."""
    if not n_known:
        return (ALL_MISSING,)
    if len(used) == 1:
        return (CONSTANT,)
    if not all(issubclass(kind, str) for kind in set(map(type, used))):
        return (AN_ID,) if len(used) == n_rows >= _MIN_ID_ROWS and is_id_name(name) else ()
    if are_dates(used):
        return (DATES,)
    alike = similar_levels(used)
    remarks = (f"similar levels: {short_repr(alike[0])} and {short_repr(alike[1])}",) if alike else ()
    if len(used) < _MIN_ID_ROWS or len(used) < 0.9 * n_known:
        return remarks
    n_spaces = sum(map(str.count, used, " " * len(used)))
    if n_spaces >= (_MIN_FREE_TEXT_WORDS - 1) * len(used):
        return (*remarks, FREE_TEXT)
    return (*remarks, AN_ID) if len(used) == n_rows else remarks


# Comparing very many levels (keys, free text) is slow, and the note would not help.
_MAX_COMPARED = 50_000


def similar_levels(levels: Iterable[str]) -> tuple[str, str] | None:
    """Two levels that differ only in case, surrounding spaces or Unicode form, or None; None for very many levels."""
    names = list(levels)
    if len(names) > _MAX_COMPARED:
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
