"""Draws the figures of docs/gallery.md by running its examples: python -m docs.images.gallery."""

from __future__ import annotations

import contextlib
import doctest
import re
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parents[1]
PAGE = DOCS / "gallery.md"
FOLDER = Path(__file__).with_name("gallery")


def examples() -> Iterator[str]:
    """The statements of the page, in order."""
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL):
        yield from (example.source for example in doctest.DocTestParser().get_examples(block))


def draw() -> None:
    """Replace the figures."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    names: dict[str, object] = {}
    with contextlib.chdir(FOLDER):
        for source in examples():
            exec(compile(source, str(PAGE), "exec"), names)


if __name__ == "__main__":
    draw()
