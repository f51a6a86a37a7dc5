"""`Document`: a page of tables and figures as one HTML file that is safe to open.

The page loads nothing and runs no script: its policy allows one style, by its hash. It is light or dark as the system
is. Names from data are inserted as text.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import html
import importlib.resources
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from hornbeam.drawing.html_frame import html_page
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.report.text import printable_text
from hornbeam.errors import OptionError, short_repr
from hornbeam.tree.file.atomic import write_whole

_BODY = "<header><h1>{title}</h1><p>{about}</p></header>\n<main>\n{blocks}\n</main>"


@dataclasses.dataclass(frozen=True)
class Document:
    """A title, one line about it, and blocks of HTML."""

    title: str
    about: str
    blocks: tuple[str, ...]

    @property
    def html(self) -> str:
        """The page."""
        style = importlib.resources.files("hornbeam.drawing").joinpath("document.css").read_text(encoding="utf-8")
        digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
        policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
        title = _safe(self.title)
        body = _BODY.format(title=title, about=_safe(self.about), blocks="\n".join(self.blocks))
        return html_page(policy, title, style, body)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page atomically."""
        target = Path(path)
        if target.suffix.lower() not in (".html", ".htm"):
            raise OptionError(f"The suffix of a page must be .html, got {short_repr(target.name)}.", option="path")
        write_whole(target, self.html.encode("utf-8"))
        return target


def table_block(title: str, lines: Sequence[Sequence[str]], *, best: int | None = None) -> str:
    """A table with a heading; the first line and the first column are headers, the line `best` is marked."""
    head = "".join(f'<th scope="col">{_safe(cell)}</th>' for cell in lines[0])
    rows = [
        ('<tr class="best">' if number == best else "<tr>")
        + f'<th scope="row">{_safe(line[0])}</th>'
        + "".join(f"<td{_text_class(cell)}>{_safe(cell)}</td>" for cell in line[1:])
        + "</tr>"
        for number, line in enumerate(lines[1:])
    ]
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<section><h2>{_safe(title)}</h2><div class="scroll">{table}</div></section>'


def figure_block(*draw: Callable[[str], Picture]) -> str:
    """Figures next to each other; each is drawn for the light and for the dark theme."""
    figures = []
    for each in draw:
        pictures = [f'<div class="{theme}">{_inline(each(theme))}</div>' for theme in ("light", "dark")]
        figures.append(f"<figure>{''.join(pictures)}</figure>")
    return f'<section class="figures">{"".join(figures)}</section>'


def text_block(lines: Sequence[str], kind: str = "quiet") -> str:
    """Paragraphs; `kind` is quiet or failed."""
    return "".join(f'<p class="{kind}">{_safe(line)}</p>' for line in lines)


def _inline(picture: Picture) -> str:
    # Inside a page SVG needs no namespace, so that the file contains no address.
    return picture.svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)


def _text_class(cell: str) -> str:
    return ' class="text"' if len(cell) > 40 else ""


def _safe(text: str) -> str:
    return html.escape(printable_text(text))
