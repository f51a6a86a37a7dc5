"""A small table as aligned text for a terminal and as HTML for a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence

from hornbeam.tree.text import printable


def aligned_text(lines: Sequence[Sequence[str]]) -> str:
    """Aligned columns: the first to the left, the others to the right; control characters are escaped."""
    safe = [[printable(cell) for cell in line] for line in lines]
    widths = [max(len(line[index]) for line in safe) for index in range(len(safe[0]))]
    return "\n".join(
        "   ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in safe
    )


def html_table(lines: Sequence[Sequence[str]]) -> str:
    """An HTML table whose first line and first column are headers."""
    head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in lines[0])
    body = "".join(
        f'<tr><th scope="row">{html.escape(line[0])}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in line[1:])
        + "</tr>"
        for line in lines[1:]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
