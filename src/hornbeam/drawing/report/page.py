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

from hornbeam.drawing.colors import THEMES
from hornbeam.drawing.draw import draw
from hornbeam.drawing.report import columns, values
from hornbeam.drawing.report.curve import curve_values
from hornbeam.drawing.report.ensemble import Imitation, ensemble_values, imitate
from hornbeam.drawing.report.evaluation import class_weights, evaluation_values, rarer_class
from hornbeam.drawing.report.privacy import privacy_values
from hornbeam.drawing.report.profiles import profile_values
from hornbeam.drawing.report.rerun import rerun_values
from hornbeam.drawing.report.rows import ReportTable, report_table, row_values
from hornbeam.drawing.report.text import printable_text
from hornbeam.drawing.text import count_text
from hornbeam.errors import InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.explanation import diagnostics
from hornbeam.parts.prunings.cost_complexity import sequence
from hornbeam.table.table import Table
from hornbeam.tree.file.atomic import write_whole
from hornbeam.tree.forest import Forest
from hornbeam.tree.hiding import hidden_count, hide_counts
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped

_MAX_ROWS = 5_000
_MAX_HIDDEN = 1_000
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
<script type="application/json" id="values">{data}</script>
<script>{script}</script>
</body>
</html>
"""


# Identifies a page of this package.
MARK = '<meta name="generator" content="hornbeam">'


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
    _check_integer("rows", rows, _MAX_ROWS)
    _check_integer("min_count", min_count, _MAX_HIDDEN)
    if rows and min_count:
        raise OptionError(
            f"A report with min_count={min_count} cannot include rows: their values would reveal the hidden counts.",
            hint="pass either rows or min_count",
            option="rows",
        )
    if positive is not None and positive not in model.schema.classes:
        known = [str(label) for label in model.schema.classes]
        raise OptionError(
            f"positive must be a class of the target, got {short_repr(positive)}.",
            hint=did_you_mean(str(positive), known),
            option="positive",
        )
    target = model.schema.target.name if model.schema.target else "?"
    training, held_out = report_table(model, table), report_table(model, test)
    subject = _subject(model, training, held_out)
    heading = printable_text(title if title is not None else f"{subject.kind} of {target}")
    found = page_values(subject, training, held_out, heading, positive, rows, min_count)
    found["diagnostics"] += [printable_text(each) for each in more_diagnostics]
    found["rerun"] += [{"title": heading, "code": code} for heading, code in (rerun or {}).items()]
    # Inside a page SVG needs no namespace, so that the file contains no address except those in the script.
    charted = None if training is None or min_count else training.matched
    still = draw(hide_counts(subject.tree, min_count), charted, direction="right").svg.replace(
        ' xmlns="http://www.w3.org/2000/svg"', "", 1
    )
    page = Report(_page(heading, found, still), heading)
    if path is not None:
        page.save(path)
    return page


def _check_integer(name: str, value: Any, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise OptionError(f"{name} must be an integer from 0 to {most:,}, got {short_repr(value)}.", option=name)


@dataclasses.dataclass(frozen=True, eq=False)
class Subject:
    """What a report is about: the model, the tree that is drawn, and the tables with the target of that tree."""

    model: Tree | Forest
    tree: Tree
    training: Table | None
    test: Table | None
    imitation: Imitation | None

    @property
    def kind(self) -> str:
        """The kind of model, for the title."""
        return "Decision tree" if self.imitation is None else self.imitation.name.partition(" of ")[0].capitalize()


def _subject(model: Tree | Forest, training: ReportTable | None, held_out: ReportTable | None) -> Subject:
    table, test = (None if each is None else each.matched for each in (training, held_out))
    if isinstance(model, Tree):
        return Subject(model, model, table, test, None)
    if table is None or not len(table):
        raise InputError("The report of an ensemble needs its training rows.", fix=Set("table"))
    found = imitate(model, table, test)
    return Subject(model, found.tree, found.training, found.test, found)


def page_values(
    subject: Subject,
    training: ReportTable | None,
    held_out: ReportTable | None,
    title: str,
    positive: Any,
    rows: int,
    min_count: int,
) -> dict[str, Any]:
    """The values that the page shows, in the structure that web/src/report/values.ts declares."""
    model, tree = subject.model, subject.tree
    upper, hidden = values.fit_to_page(tree)
    table, test = (None if each is None else each.matched for each in (training, held_out))
    evaluated = test if test is not None else table
    scores: dict[str, Any] | None = None
    curves: list[dict[str, Any]] = []
    prior = class_weights(model, table)
    if evaluated is not None:
        scores, curves = evaluation_values(model, evaluated, test is not None, positive, prior, min_count)
    included = row_values(upper, training, held_out, rows)
    shown = hide_counts(upper, min_count)
    losses = values.losses_on_test_rows(upper, subject.test)
    links = sequence(upper)
    ensemble = None
    if subject.imitation is not None and table is not None and evaluated is not None:
        chosen = rarer_class(model.schema.classes, prior) if positive is None else positive
        ensemble = ensemble_values(subject.imitation, table, evaluated, chosen, min_count)
    return {
        "title": title,
        "summary": _summary(subject, min_count),
        "target": printable_text(tree.schema.target.name if tree.schema.target else "?"),
        "is_class": tree.is_class,
        "classes": [printable_text(label) for label in tree.schema.classes],
        "colors": values.color_values(tree),
        "number_color": {name: theme.number for name, theme in THEMES.items()},
        "hide_below": min_count,
        "privacy": privacy_values(model, included, has_table=table is not None, min_count=min_count),
        "unseen": tree.unseen,
        "columns": columns.column_values(upper, table, min_count),
        "data": None if training is None else columns.data_values(training.given, min_count),
        "nodes": values.node_values(shown, hidden, losses, links.collapse, min_count),
        "reasons": list(tree.reasons),
        "questions": values.question_values(upper),
        "profiles": profile_values(upper, subject.training, min_count),
        "pruning": curve_values(upper, links, losses, min_count),
        "rows": included,
        "scores": scores,
        "roc": curves,
        "importances": values.importance_values(model),
        "ensemble": ensemble,
        "diagnostics": _warnings(subject, upper, table, test, min_count),
        "rerun": rerun_values(model, None if training is None else training.given),
    }


def _warnings(subject: Subject, upper: Tree, table: Table | None, test: Table | None, min_count: int) -> list[str]:
    tree = subject.tree
    found = [str(each) for each in diagnostics(tree, table, test)] if subject.imitation is None else []
    if subject.imitation is not None and test is None:
        found.append("No test rows were given: metrics on the training rows are optimistic.")
    if min_count:
        found = [*columns.without_numbers(found), "Diagnostics that state counts are not in this file."]
    if len(upper) < len(tree):
        found.append(f"The tree has {len(tree):,} nodes; this page contains the upper {len(upper):,}.")
    return [printable_text(each) for each in found]


def _summary(subject: Subject, min_count: int) -> str:
    tree = hide_counts(subject.tree, min_count)
    parts = [count_text(len(tree), "node"), f"{tree.n_leaves:,} leaves", f"depth {tree.depth}"]
    if subject.imitation is not None:
        parts = [subject.imitation.name, f"surrogate tree of {tree.n_leaves:,} leaves"]
    rows = float(tree.nodes.rows[0])
    if subject.imitation is not None:
        rows = hidden_count(len(subject.imitation.training), min_count)
    parts.append(f"trained on {count_text(rows, 'row')}")
    name = subject.model.recipe.get("name")
    return printable_text(", ".join(parts) + (f", recipe {name}" if name else ""))


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
    return _FRAME.format(
        policy=policy,
        title=html.escape(title),
        style=style,
        still=still,
        data=json_block(found),
        script=script,
    )


def json_block(value: Any) -> str:
    """JSON that is safe between script tags."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter, escape in _ESCAPES.items():
        text = text.replace(letter, escape)
    return text


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
