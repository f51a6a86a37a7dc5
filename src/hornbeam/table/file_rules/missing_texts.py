"""Texts that mean missing in a column whose other cells are all numbers or all dates.

In a column of text they stay levels: there, 'unknown' or 'none' can be a value of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

_WORDS = frozenset(
    {
        *("-", "--", "---", "\u2013", "\u2014", ".", "..", "...", "?", "??", "*", "**", "/", "\\n"),
        *("na", "n/a", "n.a.", "n. a.", "n.a", "#n/a", "#na", "<na>", "nan", "null", "(null)", "none", "nil"),
        *("nd", "n.d.", "n. d.", "n/d", "not done", "not available", "not applicable", "not known", "not measured"),
        *("not recorded", "unknown", "unk", "unk.", "missing", "miss", "blank", "empty"),
        *("#value!", "#div/0!", "#ref!", "#null!", "#name?", "#num!"),
        *("k.a.", "k. a.", "k.a", "k/a", "keine angabe", "keine angaben", "unbekannt", "unbek.", "fehlt", "fehlend"),
        *("nicht bekannt", "nicht erhoben", "n.b.", "n.e."),
        *("inconnu", "non connu", "desconocido", "sin datos", "s/d", "sconosciuto", "onbekend"),
    }
)


_LONGEST = max(map(len, _WORDS))


def is_missing_text(text: str) -> bool:
    """Whether a text usually means missing."""
    return len(text) <= _LONGEST and text.casefold() in _WORDS


def without_missing_texts(texts: Iterable[str]) -> list[str]:
    """The texts that do not usually mean missing."""
    return [text for text in texts if not is_missing_text(text)]
