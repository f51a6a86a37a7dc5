"""How is a forest told in a few lines?  How many trees, how large they are, how they answer together, what they ask."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from hornbeam.tree.forest import Forest
from hornbeam.tree.text import printable

_HOW = {
    "mean": "the answers are averaged",
    "vote": "the trees vote",
    "confidence": "the trees vote with the share of their leaf's class",
    "sum": "the numbers add up",
}
_MOST_ASKED = 8


def format_forest(forest: Forest) -> str:
    """A forest in words; its members are printed as trees."""
    about = forest_values(forest)
    lines = [
        f"{about['trees']} trees that tell {about['target']}; {_together(forest)}",
        f"{_span(about['leaves'])} leaves a tree, {_span(about['depth'])} deep, {about['nodes']} nodes in all",
    ]
    if about["asked"]:
        lines.append(f"asked most often: {_asked_most(about)}")
    return "\n".join(lines)


def html_forest(forest: Forest) -> str:
    """A forest for a notebook: the same as a table; everything from data is escaped."""
    about = forest_values(forest)
    metadata = {
        "target": about["target"],
        "trees": f"{about['trees']:,}",
        "leaves a tree": _span(about["leaves"]),
        "depth": _span(about["depth"]),
        "nodes": f"{about['nodes']:,}",
        "together": _together(forest),
        "asked most often": _asked_most(about),
    }
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{html.escape(printable(str(words)))}</td></tr>'
        for name, words in metadata.items()
        if words
    )
    return f"<table><caption>Forest</caption><tbody>{rows}</tbody></table>"


def forest_values(forest: Forest) -> dict[str, Any]:
    """The same as plain values; `asked` counts questions by column, the commonest first."""
    leaves = [tree.n_leaves for tree in forest.trees]
    counts = np.zeros(len(forest.schema.columns), dtype=np.int64)
    for tree in forest.trees:
        asked = tree.questions.column[tree.nodes.question[tree.nodes.question >= 0]]
        counts += np.bincount(asked[asked >= 0], minlength=len(counts))
    order = np.argsort(-counts, kind="stable")
    names = forest.schema.names
    return {
        "target": forest.schema.target.name if forest.schema.target else None,
        "classes": list(forest.schema.classes) if forest.is_class else [],
        "trees": len(forest),
        "nodes": forest.n_nodes,
        "leaves": _least_to_most(leaves),
        "depth": _least_to_most([tree.depth for tree in forest.trees]),
        "combine": forest.combine,
        "link": forest.link,
        "recipe": dict(forest.recipe),
        "asked": {names[place]: int(counts[place]) for place in order if counts[place]},
    }


def _together(forest: Forest) -> str:
    return _HOW[forest.combine] + (f", link {forest.link}" if forest.combine == "sum" else "")


def _asked_most(about: dict[str, Any]) -> str:
    asked = [f"{name} {count}" for name, count in list(about["asked"].items())[:_MOST_ASKED]]
    more = len(about["asked"]) - len(asked)
    return f"{', '.join(asked)}{f' and {more} more' if more > 0 else ''}"


def _least_to_most(numbers: list[int]) -> list[int]:
    return [min(numbers), max(numbers)] if numbers else [0, 0]


def _span(ends: list[int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
