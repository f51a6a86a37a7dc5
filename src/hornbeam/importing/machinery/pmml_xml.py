"""Reads XML into elements with line numbers, without entities: a document type declaration is rejected.

No entity can be declared, so none can expand or refer to another file. Depth and number of elements are limited.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NoReturn
from xml.parsers import expat

from hornbeam.errors import ModelFileError, short_repr

MAX_DEPTH = 20_000
MAX_ELEMENTS = 1 << 22


@dataclasses.dataclass(slots=True, eq=False)
class Xml:
    """An element: its name without namespace, attributes, text, children and line."""

    tag: str
    attributes: dict[str, str]
    line: int
    name: str
    children: list[Xml] = dataclasses.field(default_factory=list)
    text: str = ""

    def fail(self, problem: str) -> NoReturn:
        """Raise an error that names the line."""
        raise ModelFileError(f"{self.name}, line {self.line}, {self.tag}: {problem}.", line=self.line)

    def get(self, attribute: str) -> str:
        """An attribute that must exist."""
        if attribute not in self.attributes:
            self.fail(f"the attribute {attribute} is missing")
        return self.attributes[attribute]

    def number(self, attribute: str, default: float | None = None) -> float:
        """An attribute as a finite number."""
        if default is not None and attribute not in self.attributes:
            return default
        return self.as_number(self.get(attribute))

    def as_number(self, text: str) -> float:
        """A text of this element as a finite number."""
        try:
            value = float(text)
        except ValueError:
            self.fail(f"a number is needed, got {short_repr(text)}")
        if value - value != 0:
            self.fail(f"a finite number is needed, got {short_repr(text)}")
        return value

    def all(self, *tags: str) -> list[Xml]:
        """The children with one of these names."""
        return [child for child in self.children if child.tag in tags]

    def first(self, *tags: str) -> Xml | None:
        """The first child with one of these names."""
        return next((child for child in self.children if child.tag in tags), None)

    def one(self, *tags: str) -> Xml:
        """The first child with one of these names, which must exist."""
        found = self.first(*tags)
        if found is None:
            self.fail(f"{' or '.join(tags)} is missing")
        return found


def read_xml(data: bytes, name: str) -> Xml:
    """The root element of a document."""
    reader = _Reader(name)
    parser = expat.ParserCreate(namespace_separator=" ")
    reader.parser = parser
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = reader.reject
    parser.EntityDeclHandler = reader.reject
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        message = expat.errors.messages[error.code]
        raise ModelFileError(
            f"{name}, line {error.lineno}: the XML is damaged: {message}.", line=error.lineno
        ) from None
    except (LookupError, ValueError) as error:  # an encoding that does not exist or is not supported
        raise ModelFileError(f"{name}: the XML cannot be decoded: {error}.") from None
    assert reader.root is not None
    return reader.root


class _Reader:
    parser: Any

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0
        self.root: Xml | None = None
        self.open: list[Xml] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        found = Xml(tag.rpartition(" ")[2], attributes, self.parser.CurrentLineNumber, self.name)
        self.count += 1
        if len(self.open) >= MAX_DEPTH or self.count > MAX_ELEMENTS:
            found.fail(f"at most {MAX_DEPTH} levels and {MAX_ELEMENTS} elements are supported")
        if self.open:
            self.open[-1].children.append(found)
        else:
            self.root = found
        self.open.append(found)

    def end(self, tag: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        if self.open[-1].tag == "Array":
            self.open[-1].text += text

    def reject(self, *about: Any) -> None:
        line = self.parser.CurrentLineNumber
        raise ModelFileError(
            f"{self.name}, line {line}: document type declarations and entities are not allowed.", line=line
        )
