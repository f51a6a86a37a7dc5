r"""The report as one HTML file that is safe to open.

    policy   the page loads nothing; only the one script and the one style with the listed hashes are allowed
    data     a block of JSON, in which <, >, & and the line separators U+2028 and U+2029 are \u escapes
    text     the page inserts names as text, never as markup

The same tree and tables give the same bytes. Without JavaScript the page shows the tree as a static picture.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import html
import importlib.resources
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hornbeam.drawing.draw import draw
from hornbeam.drawing.html_frame import html_page
from hornbeam.drawing.report.contents import page_values, subject_of
from hornbeam.drawing.report.rows import report_table
from hornbeam.drawing.report.text import printable_text
from hornbeam.errors import OptionError, Set, did_you_mean, short_repr
from hornbeam.tree.file.atomic import write_whole
from hornbeam.tree.forest import Forest
from hornbeam.tree.hiding import check_min_count, hide_counts
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped

_MAX_ROWS = 5_000
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}

_BODY = """<div id="page"><noscript><h1>{title}</h1>{still}</noscript></div>
<script type="application/json" id="values">{data}</script>
<script>{script}</script>"""


@dataclasses.dataclass(frozen=True)
class Report:
    """An HTML page."""

    html: str
    title: str

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page atomically."""
        target = Path(path)
        if target.suffix.lower() not in (".html", ".htm"):
            raise OptionError(
                f"The suffix of a report must be .html, got {short_repr(target.name)}.", option="path", got=str(path)
            )
        write_whole(target, self.html.encode("utf-8"))
        return target

    def _repr_html_(self) -> str:
        """A sandboxed frame that runs the page's script and cannot access the notebook."""
        inside = html.escape(self.html, quote=True)
        return f'<iframe sandbox="allow-scripts" width="100%" height="760" frameborder="0" srcdoc="{inside}"></iframe>'

    def __repr__(self) -> str:
        return f"<Report {self.title!r}: {len(self.html.encode('utf-8')) / 1000:,.0f} kB>"


def report(
    tree: Any,
    table: Any = None,
    test: Any = None,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    positive: Any = None,
    rows: int = 0,
    min_count: int = 0,
    more_diagnostics: Sequence[str] = (),
    rerun: Mapping[str, str] | None = None,
) -> Report:
    """A report of a tree, a forest, a boosted model or a fitted estimator as one offline HTML file, saved at `path`.

    The report of an ensemble needs the training rows: it shows a surrogate tree with its fidelity, and the ensemble by
    importance, dependence, contributions, calibration and errors by group.

    `table` has the training rows, `test` held-out rows for evaluation; both are tables, data frames or anything else
    that `read` accepts. `positive` is the class of the metrics, by default the rarer of two classes. The page includes
    no row of the data unless `rows` is the maximum number of rows to include. With `min_count` all counts in the page
    are multiples of it and smaller ones are hidden. `more_diagnostics` and `rerun` (title to code) are added to those
    of the page.
    """
    model = unwrapped(tree)
    _check_options(model, positive, rows, min_count)
    target = model.schema.target.name if model.schema.target else "?"
    training, held_out = report_table(model, table), report_table(model, test)
    subject = subject_of(model, training, held_out)
    heading = printable_text(title if title is not None else f"{subject.kind} of {target}")
    found = page_values(subject, training, held_out, heading, positive, rows, min_count)
    found["diagnostics"] += [printable_text(each) for each in more_diagnostics]
    found["rerun"] += [{"title": heading, "code": code} for heading, code in (rerun or {}).items()]
    # Charts of single rows are drawn only on request. Inside a page SVG needs no namespace, so that the file contains
    # no address except those in the script.
    drawn = draw(hide_counts(subject.tree, min_count), subject.training if rows else None, direction="right").svg
    still = drawn.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)
    page = Report(_page(heading, found, still), heading)
    if path is not None:
        page.save(path)
    return page


def _check_options(model: Tree | Forest, positive: Any, rows: Any, min_count: Any) -> None:
    if isinstance(rows, bool) or not isinstance(rows, int) or not 0 <= rows <= _MAX_ROWS:
        raise OptionError(f"rows must be an integer from 0 to {_MAX_ROWS:,}, got {short_repr(rows)}.", option="rows")
    check_min_count(min_count)
    if rows and min_count:
        raise OptionError(
            "A report that hides counts cannot include rows: their values would reveal the counts.",
            fix=(Set("rows", 0), Set("min_count", 0)),
            option="rows",
        )
    if positive is not None and positive not in model.schema.classes:
        known = [str(label) for label in model.schema.classes]
        raise OptionError(
            f"positive must be a class of the target, got {short_repr(positive)}.",
            hint=did_you_mean(str(positive), known),
            option="positive",
        )


def _page(title: str, found: dict[str, Any], still: str) -> str:
    folder = importlib.resources.files(__package__)
    script = folder.joinpath("page.js").read_text(encoding="utf-8")
    style = folder.joinpath("page.css").read_text(encoding="utf-8")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    safe = html.escape(title)
    return html_page(policy, safe, style, _BODY.format(title=safe, still=still, data=json_block(found), script=script))


def json_block(value: Any) -> str:
    """JSON that is safe between script tags."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter, escape in _ESCAPES.items():
        text = text.replace(letter, escape)
    return text


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
