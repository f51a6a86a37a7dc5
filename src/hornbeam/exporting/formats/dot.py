"""DOT: the language of Graphviz."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from hornbeam.exporting.base import Format
from hornbeam.exporting.features import Feature
from hornbeam.exporting.graph import edges, node_lines
from hornbeam.exporting.model import ExportModel, ExportTree
from hornbeam.options import option
from hornbeam.tree.text import printable

# Characters of a quoted piece of text: Graphviz reads at most 16,384 bytes, and a character takes up to ten.
_PIECE = 1000


@dataclasses.dataclass(frozen=True)
class Dot(Format):
    """A graph in Graphviz's language DOT: `dot -Tpdf tree.dot -o tree.pdf`; a forest has one cluster per tree."""

    name: ClassVar[str] = "dot"
    suffixes: ClassVar[tuple[str, ...]] = (".dot", ".gv")
    cannot: ClassVar[Mapping[Feature, str]] = {
        Feature.RULES_FIRST: "Rules are not a graph.",
        Feature.RULES_VOTE: "Rules are not a graph.",
    }
    is_complete: ClassVar[bool] = False
    horizontal: bool = option(False, "branches go from left to right")

    def write(self, model: ExportModel) -> str:
        """The graph."""
        lines = ["digraph tree {", f"  rankdir={'LR' if self.horizontal else 'TB'};"]
        lines += ['  node [shape=box, style=rounded, fontname="sans-serif"];', '  edge [fontname="sans-serif"];']
        trees = model.trees
        for number, tree in enumerate(trees):
            if len(trees) > 1:
                lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(f'tree {number}')};"]
            lines += [
                f"  {'  ' * (len(trees) > 1)}{line}" for line in _tree(tree, f"t{number}_" if len(trees) > 1 else "n")
            ]
            lines += ["  }"] * (len(trees) > 1)
        return "\n".join([*lines, "}", ""])


def _tree(tree: ExportTree, prefix: str) -> list[str]:
    lines = []
    for node in range(len(tree)):
        label = "\\n".join(_escaped(line) for line in node_lines(tree, node))
        lines.append(f'{prefix}{node} [label="{label}"];')
    lines += [f"{prefix}{node} -> {prefix}{child} [label={_quoted(text)}];" for node, child, text in edges(tree)]
    return lines


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    """Text inside quotes: no control characters, no entities, and in pieces, since Graphviz reads at most 16 kB."""
    shown = printable(" ".join(text.split()))
    pieces = [shown[start : start + _PIECE] for start in range(0, len(shown), _PIECE)]
    return '" + "'.join(map(_piece, pieces))


def _piece(text: str) -> str:
    return text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
