"""Finds the numbered definitions of docs/definitions and links to them, and to the pages of the lecture notes.

known()                       every definition by its number: {"4.2.7": Definition(...)}
cited("see definition 4.2")   the numbers that a text cites
linked(text, page)            the text with every citation as a link
parts()                       the numbers of the definitions that name a part on a line "Parts: ..."
"""

from __future__ import annotations

import dataclasses
import functools
import os
import re
from pathlib import Path, PurePosixPath

FOLDER = Path(__file__).resolve().parents[1] / "definitions"
_NUMBER = r"\d+\.\d+(?:\.\d+)?"
_CITATION = re.compile(rf"\b[Dd]efinitions? {_NUMBER}(?:(?:, | and |, and ){_NUMBER})*")
_EACH = re.compile(rf"(?:[Dd]efinitions? )?{_NUMBER}")
_NOTE = re.compile(r"(?<!\[)\b[Ll]ecture note ([1-5])\b")
_HEADING = re.compile(r"^(#+ (\d+(?:\.\d+)*) (.+?))$", flags=re.MULTILINE)
_PARTS = re.compile(r"^Parts: (.+?)\.$", flags=re.MULTILINE | re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Definition:
    """A heading with a number: the page of the site, the anchor on it and the title."""

    number: str
    page: str
    title: str

    @property
    def anchor(self) -> str:
        """The identifier of the heading."""
        return "definition-" + self.number.replace(".", "-")


@functools.cache
def known() -> dict[str, Definition]:
    """Every definition by its number; a number that occurs twice is an error."""
    found: dict[str, Definition] = {}
    for path in sorted(FOLDER.glob("*.md")):
        for _, number, title in _HEADING.findall(path.read_text("utf-8")):
            if number in found:
                raise ValueError(f"Definition {number} is on the pages {found[number].page} and {path.name}.")
            found[number] = Definition(number, f"definitions/{path.name}", title)
    return found


@functools.cache
def parts() -> dict[str, tuple[str, ...]]:
    """The numbers of the definitions of each part, by its name."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(FOLDER.glob("*.md")):
        text = path.read_text("utf-8")
        numbers = [(each.start(), each[2]) for each in _HEADING.finditer(text)]
        for line in _PARTS.finditer(text):
            number = [each for start, each in numbers if start < line.start()][-1]
            for name in re.findall(r"`(\w+)`", line[1]):
                found[name] = (*found.get(name, ()), number)
    return found


def cited(text: str) -> list[str]:
    """The numbers of the definitions that a text cites, in order; a citation may continue on the next line."""
    flat = re.sub(r"\s*\n\s*(?://|#)?\s*", " ", text)
    return [number for each in _CITATION.findall(flat) for number in re.findall(_NUMBER, each)]


def with_anchors(text: str) -> str:
    """A page of definitions whose headings have their identifiers."""
    return _HEADING.sub(lambda found: f"{found[1]} {{ #{known()[found[2]].anchor} }}", text)


def linked(text: str, page: str) -> str:
    """A text of a page of the site with every citation of a known definition or of a lecture note as a link."""

    def link(found: re.Match[str]) -> str:
        definition = known().get(found[0].split()[-1])
        return f"[{found[0]}]({_address(definition, page)})" if definition else found[0]

    text = _NOTE.sub(lambda found: f"[{found[0]}]({_relative(f'lecture-notes/note-{found[1]}.md', page)})", text)
    return _CITATION.sub(lambda found: _EACH.sub(link, found[0]), text)


def link_to(number: str, page: str) -> str:
    """A link to a definition with its title."""
    definition = known()[number]
    return f"[{number} {definition.title}]({_address(definition, page)})"


def cited_notes(text: str) -> list[str]:
    """The lecture notes that a text cites, as "lecture note 3"."""
    return [found[0].lower() for found in _NOTE.finditer(re.sub(r"\s+", " ", text))]


def _address(definition: Definition, page: str) -> str:
    return f"{_relative(definition.page, page)}#{definition.anchor}"


def _relative(target: str, page: str) -> str:
    return PurePosixPath(os.path.relpath(target, PurePosixPath(page).parent)).as_posix()
