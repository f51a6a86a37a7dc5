r"""How does everything become one file that is safe to open?

    policy   nothing from outside; the one script and the one style run because their hashes are named
    data     in a block of JSON, with <, >, & and the line separators U+2028 and U+2029 as \u escapes
    words    the page sets them as text, never as markup

The same tree and tables give the same bytes. Without scripts the page shows the tree as a still picture.
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

from hornbeam.drawing.colors import THEMES
from hornbeam.drawing.draw import draw
from hornbeam.drawing.report import values
from hornbeam.drawing.report.evaluation import evaluation_values
from hornbeam.drawing.report.rerun import rerun_values
from hornbeam.drawing.report.rows import MOST_ROWS, ReportTable, report_table, row_values
from hornbeam.drawing.report.text import printable_text as told_text
from hornbeam.drawing.text import count_text
from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.explanation import diagnostics
from hornbeam.tree.file.atomic import write_whole
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree

_MOST_ROWS = 5_000
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}

_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="hornbeam">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="page"><noscript><h1>{title}</h1>{still}</noscript></div>
<script type="application/json" id="facts">{data}</script>
<script>{script}</script>
</body>
</html>
"""


# How a page of ours is known again.
MARK = '<meta name="generator" content="hornbeam">'


@dataclasses.dataclass(frozen=True)
class Report:
    """A whole page as text."""

    html: str
    title: str

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page; never half a file."""
        target = Path(path)
        if target.suffix.lower() not in (".html", ".htm"):
            raise OptionError(
                f"A report is saved as .html; got {short_repr(target.name)}.", option="path", got=str(path)
            )
        write_whole(target, self.html.encode("utf-8"))
        return target

    def _repr_html_(self) -> str:
        """A frame that can run the page's script but reach nothing of the notebook."""
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
    rows: int = MOST_ROWS,
    more_cautions: Sequence[str] = (),
    rerun: Mapping[str, str] | None = None,
) -> Report:
    """One HTML file about a tree, which opens offline; written to `path` when that is given.

    `table` holds the training rows, `test` fresh rows to judge the tree by; `positive` is the class that the figures
    are about. So many `rows` of the tables at most travel with the page, so that nodes can show them; 0 keeps all data
    out of it but for counts and names. `more_cautions` and `rerun` (words to code) are added to what the page says.
    """
    tree = only_tree(tree, "A report")
    if isinstance(rows, bool) or not isinstance(rows, int) or not 0 <= rows <= _MOST_ROWS:
        raise OptionError(
            f"rows must be a whole number from 0 to {_MOST_ROWS:,}; got {short_repr(rows)}.", option="rows"
        )
    if positive is not None and positive not in tree.schema.classes:
        known = [str(label) for label in tree.schema.classes]
        raise OptionError(
            f"positive must be a class of the target; got {short_repr(positive)}.",
            hint=did_you_mean(str(positive), known),
            option="positive",
        )
    target = tree.schema.target.name if tree.schema.target else "?"
    heading = told_text(title if title is not None else f"Decision tree of {target}")
    training, held_out = report_table(tree, table), report_table(tree, test)
    printable_text = page_values(tree, training, held_out, heading, positive, rows)
    printable_text["cautions"] += [told_text(each) for each in more_cautions]
    printable_text["rerun"] += [{"words": words, "text": text} for words, text in (rerun or {}).items()]
    # Inside a page SVG needs no namespace, and the file names no address at all but for those in the script.
    still = draw(tree, None if training is None else training.matched, direction="right").svg.replace(
        ' xmlns="http://www.w3.org/2000/svg"', "", 1
    )
    made = Report(_page(heading, printable_text, still), heading)
    if path is not None:
        made.save(path)
    return made


def page_values(
    tree: Tree, training: ReportTable | None, held_out: ReportTable | None, title: str, positive: Any, rows: int
) -> dict[str, Any]:
    """All that the page is told."""
    upper, hidden = values.fit_to_page(tree)
    table, test = (None if rows_of is None else rows_of.matched for rows_of in (training, held_out))
    judges = test if test is not None else table
    scores, curves = (None, []) if judges is None else evaluation_values(tree, judges, test is not None, positive)
    words = [told_text(each) for each in diagnostics(tree, table, test)]
    if hidden:
        words.append(f"The tree has {len(tree):,} nodes; this page holds the upper {len(upper):,}.")
    return {
        "title": title,
        "summary": _summary(tree),
        "target": told_text(tree.schema.target.name if tree.schema.target else "?"),
        "is_class": tree.is_class,
        "classes": [told_text(label) for label in tree.schema.classes],
        "colours": values.color_values(tree),
        "number_colour": THEMES["light"].number,
        "unseen": tree.unseen,
        "columns": values.column_values(upper, table),
        "data": None if training is None else values.data_values(training.given),
        "nodes": values.node_values(upper, hidden, test),
        "reasons": list(tree.reasons),
        "questions": values.question_values(upper),
        "alphas": values.alpha_values(upper),
        "rows": row_values(upper, training, held_out, rows),
        "scores": scores,
        "roc": curves,
        "importances": values.importance_values(tree),
        "cautions": words,
        "rerun": rerun_values(tree, None if training is None else training.given),
    }


def _summary(tree: Tree) -> str:
    parts = [count_text(len(tree), "node"), f"{tree.n_leaves:,} leaves", f"depth {tree.depth}"]
    parts.append(f"grown on {count_text(float(tree.nodes.rows[0]), 'row')}")
    name = tree.recipe.get("name")
    return told_text(", ".join(parts) + (f" by the recipe {name}" if name else ""))


def _page(title: str, printable_text: dict[str, Any], still: str) -> str:
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
    return _FRAME.format(
        policy=policy,
        title=html.escape(title),
        style=style,
        still=still,
        data=json_block(printable_text),
        script=script,
    )


def json_block(value: Any) -> str:
    """JSON that may stand between script tags."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter, escape in _ESCAPES.items():
        text = text.replace(letter, escape)
    return text


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
