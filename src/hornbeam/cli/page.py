"""How does a tree look as one page?  Sections of text and tables in one HTML file that asks for nothing from outside.

Everything that comes from data is escaped; a strict policy in the page forbids scripts and outside requests altogether.
"""

from __future__ import annotations

import dataclasses
import html

from hornbeam.cli.output import safe

MARK = '<meta name="generator" content="hornbeam">'
_STYLE = """
:root { color-scheme: light dark; --line: #8886; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid var(--line); }
pre { overflow-x: auto; font: 14px/1.4 ui-monospace, monospace; border: 1px solid var(--line); padding: .8rem; }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); font-weight: normal; }
thead th { font-weight: 600; } td { font-variant-numeric: tabular-nums; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclasses.dataclass(frozen=True)
class Section:
    """A heading and what stands under it, already HTML."""

    title: str
    body: str


def paragraph(text: str) -> str:
    """Text as a paragraph."""
    return f"<p>{html.escape(safe(text))}</p>"


def preformatted(text: str) -> str:
    """Text whose lines and spaces stay as they are."""
    return f'<pre tabindex="0">{html.escape(safe(text))}</pre>'


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of text."""
    top = "".join(f'<th scope="col">{html.escape(safe(cell))}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(safe(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def page(title: str, sections: list[Section]) -> str:
    """The whole file."""
    name = html.escape(safe(title))
    parts = [f"<section><h2>{html.escape(safe(each.title))}</h2>{each.body}</section>" for each in sections]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{MARK}'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{name}</title><style>{_STYLE}</style></head><body><main><h1>{name}</h1>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )
