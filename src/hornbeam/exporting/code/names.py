"""Column names as identifiers, and texts as string literals and comments that cannot end where they should not."""

from __future__ import annotations

import json
import keyword
import re
import unicodedata
from collections.abc import Iterable

# Reserved words of C99, C++, Java and JavaScript; a name that is one of them gets an underscore.
_RESERVED = frozenset(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr continue
    decltype default delete do double dynamic_cast else enum explicit export extern false final float for friend
    goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register restrict return short signed sizeof static struct switch template this throw true
    try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor abstract arguments
    assert async await boolean byte debugger eval extends finally function implements import in instanceof
    interface let native null package strictfp super synchronized throws transient typeof undefined var with
    yield row x""".split()  # noqa: SIM905
)


def identifiers(names: Iterable[str], *, upper: bool = False, taken: Iterable[str] = ()) -> list[str]:
    """A different identifier for each name: letters, digits and underscores of ASCII."""
    used = {each.lower() for each in taken}
    found = []
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
        text = re.sub(r"[^0-9A-Za-z]+", "_", plain).strip("_")[:60] or "column"
        text = f"c_{text}" if text[0].isdigit() else text
        if text in _RESERVED or text.lower() in _RESERVED or keyword.iskeyword(text):
            text += "_"
        candidate, number = text, 2
        while candidate.lower() in used:
            candidate, number = f"{text}_{number}", number + 1
        used.add(candidate.lower())
        found.append(candidate.upper() if upper else candidate)
    return found


def safe_comment(text: str) -> str:
    """Text for a comment: one line of printable ASCII, without backslashes and ends of comments."""
    plain = "".join(char if " " <= char <= "~" else "?" for char in text).replace("\\", "/")
    return plain.replace("*/", "* /").replace("/*", "/ *")[:200]


def c_text(text: str) -> str:
    """A string literal of C: other bytes than printable ASCII in octal."""
    return '"' + "".join(_c_byte(byte) for byte in text.encode("utf-8", "surrogatepass")) + '"'


def _c_byte(byte: int) -> str:
    char = chr(byte)
    return f"\\{byte:03o}" if not " " <= char <= "~" or char in '"\\?' else char


def java_text(text: str) -> str:
    """A string literal of Java."""
    escapes = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    units = text.encode("utf-16-be", "surrogatepass")
    chars = (chr(units[at] << 8 | units[at + 1]) for at in range(0, len(units), 2))
    return '"' + "".join(escapes.get(c) or (c if " " <= c <= "~" else f"\\u{ord(c):04x}") for c in chars) + '"'


def js_text(text: str) -> str:
    """A string literal of JavaScript."""
    return json.dumps(text).replace("</", "<\\/")
