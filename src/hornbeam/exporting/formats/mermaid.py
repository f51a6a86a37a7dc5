"""Mermaid: flowcharts in Markdown documents."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from hornbeam.exporting.base import Format
from hornbeam.exporting.features import Feature
from hornbeam.exporting.graph import edges, node_lines
from hornbeam.exporting.model import ExportModel, TreeModel
from hornbeam.options import option

_ENTITIES = {"&": "#amp;", "#": "#35;", ";": "#59;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\\": "#92;"}

_MANY = (
    Feature.MEAN,
    Feature.VOTE,
    Feature.CONFIDENCE,
    Feature.MEDIAN,
    Feature.SUM,
    Feature.NESTED,
    Feature.RULES_FIRST,
    Feature.RULES_VOTE,
)


@dataclasses.dataclass(frozen=True)
class Mermaid(Format):
    """A Mermaid flowchart of one tree, which GitHub and many editors show as a figure."""

    name: ClassVar[str] = "mermaid"
    suffixes: ClassVar[tuple[str, ...]] = (".mmd", ".mermaid")
    cannot: ClassVar[Mapping[Feature, str]] = dict.fromkeys(_MANY, "A flowchart shows one tree: export one of them.")
    is_complete: ClassVar[bool] = False
    horizontal: bool = option(False, "branches go from left to right")

    def write(self, model: ExportModel) -> str:
        """The flowchart."""
        assert isinstance(model, TreeModel)
        lines = [f"flowchart {'LR' if self.horizontal else 'TD'}"]
        for node in range(len(model.tree)):
            label = "<br/>".join(map(_escaped, node_lines(model.tree, node)))
            is_leaf = not model.tree[node].children
            lines.append(f'  n{node}(["{label}"])' if is_leaf else f'  n{node}["{label}"]')
        lines += [f'  n{node} -->|"{_escaped(text)}"| n{child}' for node, child, text in edges(model.tree)]
        return "\n".join([*lines, ""])


def _escaped(text: str) -> str:
    return "".join(_ENTITIES.get(char, char) for char in " ".join(text.split()))
