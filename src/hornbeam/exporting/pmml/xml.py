"""XML elements and their text, without recursion: deep trees nest deeply."""

from __future__ import annotations

import dataclasses
from xml.sax.saxutils import escape, quoteattr

_ATTRIBUTE = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


@dataclasses.dataclass
class Element:
    """An element: its name, attributes, text and children."""

    name: str
    attributes: dict[str, str] = dataclasses.field(default_factory=dict)
    children: list[Element] = dataclasses.field(default_factory=list)
    text: str = ""

    def add(self, *children: Element) -> Element:
        """Append children; return the element itself."""
        self.children.extend(children)
        return self


def element(tag: str, /, *children: Element, text: str = "", **attributes: object) -> Element:
    """An element; attributes that are None are omitted. A trailing underscore of a name is dropped."""
    given = {key.rstrip("_"): str(value) for key, value in attributes.items() if value is not None}
    return Element(tag, given, list(children), text)


def document(root: Element) -> str:
    """The XML document, two spaces per level."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    waiting: list[tuple[int, Element | str]] = [(0, root)]
    while waiting:
        depth, part = waiting.pop()
        if isinstance(part, str):
            lines.append("  " * depth + part)
            continue
        attributes = "".join(f" {key}={quoteattr(value, _ATTRIBUTE)}" for key, value in part.attributes.items())
        if not part.children:
            end = f">{escape(part.text)}</{part.name}>" if part.text else "/>"
            lines.append(f"{'  ' * depth}<{part.name}{attributes}{end}")
            continue
        lines.append(f"{'  ' * depth}<{part.name}{attributes}>")
        waiting.append((depth, f"</{part.name}>"))
        waiting.extend((depth + 1, child) for child in reversed(part.children))
    return "\n".join(lines) + "\n"


def is_storable(text: str) -> bool:
    """Whether XML 1.0 can hold a text."""
    return all(
        char in "\t\n\r" or " " <= char <= "\ud7ff" or "\ue000" <= char <= "\ufffd" or char > "\uffff" for char in text
    )
