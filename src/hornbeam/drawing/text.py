"""Widths and line breaks of text.

No font is available when a picture is made, so widths are those of Helvetica and similar fonts as fractions of the font
size, slightly too large. Names are broken at spaces and after `_ - / . ,`, never inside a number or between a sign and
its number; a word that is too long is broken anywhere; text that does not fit the allowed lines ends in an ellipsis.
"""

from __future__ import annotations

import re
import unicodedata

from hornbeam.number_text import count_text as rows_text
from hornbeam.number_text import number_text
from hornbeam.tree.text import printable

_WIDTHS = {
    **dict.fromkeys("ijl|.,:;'!", 0.26),
    **dict.fromkeys('ftrI()[]{} /\\-`"', 0.34),
    **dict.fromkeys("mwMW@%…→", 0.9),
    **dict.fromkeys("+<>=~≤≥±−", 0.6),
    **dict.fromkeys("cksvxyzJ", 0.51),
    "·": 0.34,
}
_MAX_LENGTH = 400
# After a space (but not between a sign and its number) and after joining signs (but not inside a number).
_BREAKS = re.compile(r"(?<=[\s_\-/])(?<![≤>] )|(?<=[.,])(?=[^\d\s])")


def width_of(text: str, size: float, bold: bool = False) -> float:
    """The width of one line of text."""
    total = 0.0
    for letter in text[:_MAX_LENGTH]:
        known = _WIDTHS.get(letter)
        if known is None:
            if letter.isascii():
                known = 0.7 if letter.isupper() else 0.565
            else:
                known = 1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.64
        total += known
    return total * size * (1.09 if bold else 1.02)


def truncate(text: str, available: float, size: float, bold: bool = False) -> str:
    """One line that fits, with an ellipsis if it is truncated."""
    text = printable(text[:_MAX_LENGTH])
    if width_of(text, size, bold) <= available:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(text[:middle].rstrip() + "…", size, bold) <= available:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def wrap(text: str, available: float, size: float, most: int = 2, bold: bool = False) -> list[str]:
    """At most `most` lines that fit."""
    pieces = [piece for piece in _BREAKS.split(printable(text[:_MAX_LENGTH])) if piece]
    lines: list[str] = []
    current = ""
    while pieces:
        piece = pieces.pop(0)
        if width_of((current + piece).rstrip(), size, bold) <= available:
            current += piece
        elif len(lines) == most - 1:
            lines.append(truncate(current + piece + "".join(pieces), available, size, bold))
            return lines
        elif current:
            lines.append(current.rstrip())
            current = ""
            pieces.insert(0, piece)
        else:
            fits = _max_letters(piece, available, size, bold)
            lines.append(piece[:fits])
            pieces.insert(0, piece[fits:])
    return [*lines, current.rstrip()] if current.strip() or not lines else lines


def _max_letters(piece: str, available: float, size: float, bold: bool) -> int:
    fits = 1
    while fits < len(piece) and width_of(piece[: fits + 1], size, bold) <= available:
        fits += 1
    return fits


def short_number(number: float, digits: int = 4) -> str:
    """A number with few digits and a minus sign."""
    return number_text(number, digits).replace("-", "−")


def count_text(number: float, noun: str) -> str:
    """'1 row', '2 rows', '1,204 rows'."""
    text = rows_text(round(number) if abs(number - round(number)) < 1e-9 else number, 4)
    return f"{text} {noun}{'' if text == '1' else 's'}"
