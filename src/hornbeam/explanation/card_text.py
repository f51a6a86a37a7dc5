"""The text of a model card: sections of sentences and tables, as Markdown and as HTML."""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hornbeam.evaluation.scores import Scores
from hornbeam.tree.text_tables import html_table

_MAX_LEVELS = 8
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}th,td{border:1px solid #8888;padding:.2rem .6rem;text-align:left}"
    "code{overflow-wrap:anywhere}"
)


@dataclasses.dataclass(frozen=True)
class Section:
    """A heading, sentences, and a table whose first line is its head."""

    title: str
    sentences: Sequence[str] = ()
    table: Sequence[Sequence[str]] = ()


def sections(content: Mapping[str, Any], scores: Scores | None) -> list[Section]:
    """The sections of a card; those without content are left out."""
    found = [
        Section("", [content["purpose"]] if content["purpose"] else []),
        Section("Model", _about(content)),
        Section("Columns", (), _column_rows(content["columns"])),
        _scores(scores),
        Section("Diagnostics", [f"{each['kind']}: {each['text']}" for each in content["diagnostics"]]),
        Section("Recipe", (), _recipe_rows(content["recipe"])),
        Section("Identity", [f"digest {content['digest'] or 'not available'}", f"hornbeam {content['hornbeam']}"]),
    ]
    return [each for each in found if each.sentences or each.table]


def _about(content: Mapping[str, Any]) -> list[str]:
    model, training = content["model"], content["training"]
    classes = f" ({', '.join(map(str, content['classes']))})" if content["classes"] else ""
    lines = [f"{content['task']} of {content['target']}{classes}"]
    if model["type"] == "tree":
        lines.append(f"a tree of {model['leaves']} leaves, depth {model['depth']}")
    else:
        lines.append(f"{model['trees']} trees, {model['nodes']} nodes; combined by {model['combine']}")
    names = {"rows": "training rows", "weight": "training weight", "seed": "seed", "converted_from": "converted from"}
    lines += [f"{text}: {_value_text(training[name])}" for name, text in names.items() if name in training]
    return lines


def _column_rows(columns: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    rows = [["column", "kind", "levels", "importance"]]
    for column in sorted(columns, key=lambda each: -each["importance"]):
        levels = [str(level) for level in column["levels"][:_MAX_LEVELS]]
        more = len(column["levels"]) - len(levels)
        shown = ", ".join(levels) + (f" and {more} more" if more else "")
        rows.append([column["name"], column["kind"], shown, f"{100 * column['importance']:.1f}%"])
    return rows


def _scores(scores: Scores | None) -> Section:
    if scores is None:
        return Section("Scores", ["no rows were given to compute scores on"])
    rows = [["metric", "value", f"{100 * scores.confidence:g}% interval"]]
    rows += [[metric.text, metric.value_text, metric.interval_text] for metric in scores.metrics.values()]
    note = f"on {scores.n_rows} rows; scores of rows that were used for training are optimistic"
    return Section("Scores", [note], rows)


def _recipe_rows(recipe: Mapping[str, Any]) -> list[list[str]]:
    rows = [[name, _value_text(value)] for name, value in recipe.items()]
    return [["setting", "value"], *rows] if rows else []


def _value_text(value: Any) -> str:
    """A value of a recipe as text: a part as its name with its settings."""
    if isinstance(value, Mapping):
        settings = ", ".join(f"{key} = {_value_text(each)}" for key, each in value.items() if key != "name")
        name = str(value.get("name", ""))
        return f"{name} ({settings})" if name and settings else name or settings
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_value_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def markdown(content: Mapping[str, Any], scores: Scores | None) -> str:
    """The card as Markdown."""
    blocks = [f"# {_escaped(content['title'])}"]
    for section in sections(content, scores):
        if section.title:
            blocks.append(f"## {section.title}")
        if section.sentences:
            marks = "- " if section.title else ""
            blocks.append("\n".join(f"{marks}{_escaped(each)}" for each in section.sentences))
        if section.table:
            head, *body = [[_escaped(cell) for cell in line] for line in section.table]
            lines = [head, ["---"] * len(head), *body]
            blocks.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    return "\n\n".join(blocks) + "\n"


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is: no line breaks, no markup; an underscore inside a word is no markup."""
    return re.sub(r"[\\`*\[\]<>|#]|\b_|_\b", lambda mark: f"\\{mark[0]}", " ".join(str(text).split()))


def html_body(content: Mapping[str, Any], scores: Scores | None) -> str:
    """The card as HTML, without the page around it."""
    parts = [f"<h1>{html.escape(content['title'])}</h1>"]
    for section in sections(content, scores):
        if section.title:
            parts.append(f"<h2>{section.title}</h2>")
        if section.sentences:
            items = "".join(f"<li>{html.escape(each)}</li>" for each in section.sentences)
            parts.append(f"<ul>{items}</ul>" if section.title else f"<p>{html.escape(section.sentences[0])}</p>")
        if section.table:
            parts.append(html_table(section.table))
    return "".join(parts)


def html_page(content: Mapping[str, Any], scores: Scores | None) -> str:
    """The card as a complete HTML page."""
    head = f'<meta charset="utf-8"><title>{html.escape(content["title"])}</title><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{html_body(content, scores)}</body></html>\n'
