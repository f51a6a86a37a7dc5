"""SVG markup in which names from the data are always escaped.

Text and attribute values are escaped here and nowhere else, including unprintable characters (control characters,
direction marks, lone surrogates). Markup is a type of its own that only `escape`, `tag` and `join` create.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import NewType

from hornbeam.tree.text import printable

Markup = NewType("Markup", str)

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"


def escape(text: object) -> Markup:
    """Text escaped for markup."""
    return Markup(html.escape(printable(str(text)), quote=True))


def join(parts: Iterable[Markup]) -> Markup:
    """Pieces of markup joined."""
    return Markup("".join(parts))


def tag(name: str, *inside: Markup, **attributes: object) -> Markup:
    """An element; attributes of None are omitted, `_` in their names becomes `-`, numbers have two decimals."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>")


def rect(x: float, y: float, width: float, height: float, **attributes: object) -> Markup:
    """A rectangle."""
    return tag("rect", x=x, y=y, width=max(width, 0.0), height=max(height, 0.0), **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: object) -> Markup:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def label(x: float, y: float, text: object, **attributes: object) -> Markup:
    """A line of text on a baseline."""
    return tag("text", escape(text), x=x, y=y, **attributes)


def document(width: float, height: float, *inside: Markup, about: str, background: str) -> str:
    """An SVG document with a description for screen readers."""
    box = f"0 0 {_value(width)} {_value(height)}"
    body = tag(
        "svg",
        tag("title", escape(about)),
        rect(0, 0, width, height, fill=background),
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=box,
        role="img",
        aria_label=about,
        font_family=FONT,
    )
    return str(body)


def _value(value: object) -> str:
    if isinstance(value, float):
        short = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if short in ("-0", "") else short
    return str(escape(value))
