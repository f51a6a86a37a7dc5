"""The model card of a page: the sections of `card` that the page has nowhere else."""

from __future__ import annotations

from typing import Any

from hornbeam.drawing.report.text import printable_text
from hornbeam.explanation import card_text
from hornbeam.explanation.card import card
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

_SECTIONS = ("Model", "Recipe", "Identity")  # metrics, columns and diagnostics are sections of the page


def card_values(model: Tree | Forest, min_count: int) -> list[dict[str, Any]]:
    """The sections: title, sentences and a table. Empty without a target, or if counts are hidden."""
    if model.schema.target is None or min_count:  # the digest would confirm a guess of the counts
        return []
    return [
        {
            "title": section.title,
            "sentences": [printable_text(each) for each in section.sentences],
            "head": [printable_text(cell) for cell in section.table[0]] if section.table else [],
            "rows": [[printable_text(cell) for cell in row] for row in section.table[1:]],
        }
        for section in card_text.sections(card(model).content, None)
        if section.title in _SECTIONS
    ]
