"""Markdown: the model as tables of rules, one row per leaf."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import ClassVar

from hornbeam.exporting.base import Format
from hornbeam.exporting.features import Feature
from hornbeam.exporting.model import ExportModel, ForestModel, NestedModel, RulesModel
from hornbeam.options import option
from hornbeam.rules.leaves import extract_rules
from hornbeam.tree.nodes import Tree

_MAX_TREES = 200


@dataclasses.dataclass(frozen=True)
class Markdown(Format):
    """Tables of rules in Markdown: condition, prediction, rows, accuracy and lift of every leaf."""

    name: ClassVar[str] = "markdown"
    suffixes: ClassVar[tuple[str, ...]] = (".md",)
    cannot: ClassVar[Mapping[Feature, str]] = {
        Feature.NO_TARGET: "The tree was grown without a target, so its leaves have no predictions."
    }
    is_complete: ClassVar[bool] = False
    show_missing: bool = option(False, "state how missing values and unseen levels are handled")

    def unsupported(self, model: ExportModel) -> Sequence[str]:
        """Also ensembles that are too long to read."""
        found = list(super().unsupported(model))
        if len(model.trees) > _MAX_TREES:
            found.append(f"{len(model.trees)} trees are too many for a document.")
        return found

    def write(self, model: ExportModel) -> str:
        """The document."""
        if isinstance(model, RulesModel):
            return str(model.source.markdown(show_missing=self.show_missing)).rstrip("\n") + "\n"
        if not isinstance(model, (ForestModel, NestedModel)):
            return self._table(model.trees[0].source)
        sections = [f"## Tree {number}\n\n{self._table(tree.source)}" for number, tree in enumerate(model.trees)]
        return "\n".join(sections)

    def _table(self, tree: Tree) -> str:
        rules = extract_rules(tree)
        return rules.markdown(show_missing=self.show_missing).rstrip("\n") + "\n"
