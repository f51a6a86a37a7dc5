"""`card`: a model card, a description of a model on one page, as Markdown, HTML or JSON.

    print(hb.card(tree, test))                    Markdown
    hb.card(tree, test).save("card.html")         by the suffix: .md, .html or .json

The card has the task, the training, the columns with their importance, the recipe, the scores of a table with
intervals, the diagnostics, and the digest of the model file, so that a file and its card can be matched.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

import hornbeam
from hornbeam.errors import ModelFileError, OutputError, short_repr
from hornbeam.evaluation.evaluate import evaluate
from hornbeam.evaluation.scores import Scores, json_label
from hornbeam.explanation import card_text
from hornbeam.explanation.diagnostics import diagnostics
from hornbeam.explanation.impurity import gain_fractions
from hornbeam.tree.file.atomic import write_whole
from hornbeam.tree.file.files import to_bytes
from hornbeam.tree.forest import Forest
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped

_SUFFIXES = (".md", ".html", ".json")


@dataclasses.dataclass(frozen=True, eq=False)
class Card:
    """A model card: `content` are JSON values, `scores` those of the table or None."""

    content: Mapping[str, Any]
    scores: Scores | None = None

    def as_dict(self) -> dict[str, Any]:
        """The card as JSON values."""
        scores = None if self.scores is None else self.scores.as_dict()
        return {**self.content, "scores": scores}

    def markdown(self) -> str:
        """The card as Markdown."""
        return card_text.markdown(self.content, self.scores)

    def html(self) -> str:
        """The card as one HTML page without scripts or other files."""
        return card_text.html_page(self.content, self.scores)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the card to a file; the suffix .md, .html or .json selects the format."""
        suffix = os.path.splitext(os.fspath(path))[1].lower()
        if suffix not in _SUFFIXES:
            raise OutputError(f"A card is saved as {', '.join(_SUFFIXES)}; got {short_repr(os.fspath(path))}.")
        text = self.markdown() if suffix == ".md" else self.html() if suffix == ".html" else self._json()
        write_whole(path, text.encode("utf-8"))

    def _json(self) -> str:
        return json.dumps(self.as_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def __str__(self) -> str:
        return self.markdown()

    def _repr_html_(self) -> str:
        return card_text.html_body(self.content, self.scores)


def card(model: Any, table: Any = None, *, title: str = "", purpose: str = "") -> Card:
    """The card of a tree, a forest, a boosted model or a fitted estimator.

    `table` has rows with the target that the scores are computed on, best rows that were not used for training.
    `title` and `purpose` are texts of the author: a heading, and what the model is made for.
    """
    found = unwrapped(model)
    target = found.schema.target
    assert target is not None
    rows = None if table is None else model_table(found.schema, table, needs_target=True)
    content = {
        "title": title or f"Model of {target.name}",
        "purpose": purpose,
        "task": "classification" if found.is_class else "regression",
        "target": target.name,
        "classes": [json_label(label) for label in found.schema.classes] if found.is_class else [],
        "model": _model(found),
        "training": _training(found),
        "columns": _columns(found),
        "recipe": dict(found.recipe),
        "diagnostics": _diagnostics(found, rows),
        "digest": _digest(found),
        "hornbeam": hornbeam.__version__,
    }
    return Card(content, None if rows is None else evaluate(found, rows))


def _model(model: Tree | Forest) -> dict[str, Any]:
    """The type and the size of a model."""
    if isinstance(model, Tree):
        return {"type": "tree", "leaves": model.n_leaves, "depth": model.depth, "nodes": len(model)}
    return {
        "type": "forest",
        "combine": model.combine,
        "link": model.link,
        "trees": len(model),
        "nodes": model.n_nodes,
        "depth": max((tree.depth for tree in model.trees), default=0),
    }


def _training(model: Tree | Forest) -> dict[str, Any]:
    """What is known about the training: rows, weight, seed, or the program that the model was converted from."""
    names = ("rows", "weight", "seed", "converted_from")
    found = {name: model.metadata[name] for name in names if name in model.metadata}
    if "rows" not in found and isinstance(model, Tree) and model.nodes.rows[0] > 0:
        found["rows"] = int(model.nodes.rows[0])
    return found


def _columns(model: Tree | Forest) -> list[dict[str, Any]]:
    """The columns with their kinds and fractions of the decrease in impurity."""
    fractions = np.nan_to_num(gain_fractions(model))
    return [
        {
            "name": spec.name,
            "kind": str(spec.kind),
            "levels": [json_label(level) for level in spec.levels],
            "importance": float(fraction),
        }
        for spec, fraction in zip(model.schema.columns, fractions, strict=True)
    ]


def _diagnostics(model: Tree | Forest, rows: Any) -> list[dict[str, str]]:
    """The diagnostics of a tree; the rows of the card are test rows. None for a forest."""
    if isinstance(model, Forest):
        return []
    return [{"kind": each.kind, "text": each.text} for each in diagnostics(model, test=rows)]


def _digest(model: Tree | Forest) -> str | None:
    """The digest of the model file; None for a model that a file cannot contain, such as one with NUL in a level."""
    try:
        return f"sha256:{hashlib.sha256(to_bytes(model)).hexdigest()}"
    except ModelFileError:
        return None
