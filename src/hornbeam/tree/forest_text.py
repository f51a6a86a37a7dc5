"""A forest as a few lines of text: number and size of the trees, how they are combined, the columns they use."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from hornbeam.tree.forest import Forest
from hornbeam.tree.text import printable

_HOW = {
    "mean": "their predictions are averaged",
    "vote": "the trees vote",
    "confidence": "the trees vote with the probability of their class",
    "sum": "their values are added",
    "median": "their predictions are combined by a weighted median",
}
_MAX_COLUMNS = 8


def format_forest(forest: Forest) -> str:
    """A forest as text; `str` of one of its trees shows that tree."""
    about = forest_values(forest)
    lines = [
        f"{about['trees']:,} trees predicting {about['target']}; {_combination(forest)}",
        f"{_span(about['leaves'])} leaves per tree, depth {_span(about['depth'])}, {about['nodes']:,} nodes in total",
    ]
    if about["splits"]:
        lines.append(f"splits per column: {_column_counts(about)}")
    return "\n".join(lines)


def html_forest(forest: Forest) -> str:
    """A forest as an HTML table; all text from data is escaped."""
    about = forest_values(forest)
    metadata = {
        "target": about["target"],
        "trees": f"{about['trees']:,}",
        "leaves per tree": _span(about["leaves"]),
        "depth": _span(about["depth"]),
        "nodes": f"{about['nodes']:,}",
        "combination": _combination(forest),
        "splits per column": _column_counts(about),
    }
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{html.escape(printable(str(text)))}</td></tr>'
        for name, text in metadata.items()
        if text
    )
    return f"<table><caption>Forest</caption><tbody>{rows}</tbody></table>"


def forest_values(forest: Forest) -> dict[str, Any]:
    """The same as JSON values; `splits` is the number of questions per column, the most frequent first."""
    leaves = [tree.n_leaves for tree in forest.trees]
    counts = np.zeros(len(forest.schema.columns), dtype=np.int64)
    for tree in forest.trees:
        columns = tree.questions.column[tree.nodes.question[tree.nodes.question >= 0]]
        counts += np.bincount(columns[columns >= 0], minlength=len(counts))
    order = np.argsort(-counts, kind="stable")
    names = forest.schema.names
    return {
        "target": forest.schema.target.name if forest.schema.target else None,
        "classes": list(forest.schema.classes) if forest.is_class else [],
        "trees": len(forest),
        "nodes": forest.n_nodes,
        "leaves": _range(leaves),
        "depth": _range([tree.depth for tree in forest.trees]),
        "combine": forest.combine,
        "link": forest.link,
        "recipe": dict(forest.recipe),
        "splits": {names[column]: int(counts[column]) for column in order if counts[column]},
    }


def _combination(forest: Forest) -> str:
    return _HOW[forest.combine] + (f", link {forest.link}" if forest.combine == "sum" else "")


def _column_counts(about: dict[str, Any]) -> str:
    shown = [f"{name} {count}" for name, count in list(about["splits"].items())[:_MAX_COLUMNS]]
    more = len(about["splits"]) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more > 0 else ''}"


def _range(numbers: list[int]) -> list[int]:
    return [min(numbers), max(numbers)] if numbers else [0, 0]


def _span(ends: list[int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
