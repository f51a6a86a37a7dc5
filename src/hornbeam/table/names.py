"""Which column names are accepted?  Any text, once each; whole numbers become text.

Refused: no name at all (None, NaN), two columns of one name, two names that look the same because they are the same
text in two Unicode forms, several header levels (tuples), and text that cannot be stored as UTF-8.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from hornbeam.errors import InputError, short_repr
from hornbeam.table.coding import is_missing
from hornbeam.table.texts import unstorable


def default_names(count: int) -> tuple[str, ...]:
    """The names of columns that have none: x0, x1, ..."""
    return tuple([f"x{position}" for position in range(count)])


def checked_names(names: Iterable[Any]) -> tuple[str, ...]:
    """The names as text, or an error that gives the positions."""
    texts = [_text(name, position) for position, name in enumerate(names)]
    _refuse_equals(texts, texts, "")
    if not all(map(str.isascii, texts)):
        odd = unstorable(texts)
        if odd is not None:
            raise InputError(f"Column {texts.index(odd)} has a name that cannot be stored as UTF-8: {odd!a}.")
        _refuse_equals(
            [unicodedata.normalize("NFC", text) for text in texts], texts, " after Unicode normalisation (NFC)"
        )
    return tuple(texts)


def _text(name: Any, position: int) -> str:
    if isinstance(name, str):
        return str(name)
    if isinstance(name, tuple):
        raise InputError(
            f"Column {position} has a name of several levels: {short_repr(name)}.",
            hint='Flatten the header first: frame.columns = ["_".join(map(str, name)) for name in frame.columns].',
            position=position,
        )
    if is_missing(name):
        raise InputError(f"Column {position} has no name; got {short_repr(name)}.", hint="Name it.", position=position)
    return str(name)


def _refuse_equals(keys: Sequence[str], texts: Sequence[str], how: str) -> None:
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
