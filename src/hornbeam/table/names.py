"""Checks column names: every name is a unique text; integers are converted to text.

Rejected: a missing name (None, NaN), duplicate names, names that are the same text in two Unicode forms, several header
levels (tuples), and text that cannot be encoded as UTF-8.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from hornbeam.errors import InputError, short_repr
from hornbeam.table.coding import is_missing
from hornbeam.table.texts import unstorable


def default_names(count: int) -> tuple[str, ...]:
    """Names for columns without names: x0, x1, ..."""
    return tuple([f"x{position}" for position in range(count)])


def checked_names(names: Iterable[Any]) -> tuple[str, ...]:
    """The names as text, or an error with the positions."""
    texts = [_text(name, position) for position, name in enumerate(names)]
    _reject_duplicates(texts, texts, "")
    if not all(map(str.isascii, texts)):
        wrong = unstorable(texts)
        if wrong is not None:
            raise InputError(f"The name of column {texts.index(wrong)} cannot be encoded as UTF-8: {wrong!a}.")
        _reject_duplicates(
            [unicodedata.normalize("NFC", text) for text in texts], texts, " after Unicode normalization (NFC)"
        )
    return tuple(texts)


def _text(name: Any, position: int) -> str:
    if isinstance(name, str):
        return str(name)
    if isinstance(name, tuple):
        raise InputError(
            f"The name of column {position} must be text, got several levels: {short_repr(name)}.",
            hint='Flatten the header first: frame.columns = ["_".join(map(str, name)) for name in frame.columns].',
            position=position,
        )
    if is_missing(name):
        raise InputError(
            f"The name of column {position} must be text, got {short_repr(name)}.", hint="Name it.", position=position
        )
    return str(name)


def _reject_duplicates(keys: Sequence[str], texts: Sequence[str], how: str) -> None:
    if len(set(keys)) == len(keys):
        return
    first: dict[str, int] = {}
    for position, key in enumerate(keys):
        if key in first:
            raise InputError(
                f"Columns {first[key]} and {position} have the same name{how}: {short_repr(texts[position])}.",
                hint="Rename one of them.",
                column=texts[position],
                positions=(first[key], position),
            )
        first[key] = position
