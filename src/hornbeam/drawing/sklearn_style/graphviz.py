"""A tree in the DOT language of Graphviz, in the format of scikit-learn's export_graphviz."""

from __future__ import annotations

import html
import os
from typing import Any

from hornbeam.drawing.sklearn_style.labels import NodeText, NotAnEstimatorError, ShownTree, fill_color, shown_tree
from hornbeam.errors import OptionError
from hornbeam.options import is_integer
from hornbeam.tree.text import printable

_TRUNCATED = "#C0C0C0"


def export_graphviz(
    decision_tree: Any,
    out_file: Any = None,
    *,
    max_depth: int | None = None,
    feature_names: Any = None,
    class_names: Any = None,
    label: str = "all",
    filled: bool = False,
    leaves_parallel: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rotate: bool = False,
    rounded: bool = False,
    special_characters: bool = False,
    precision: int = 3,
    fontname: str = "helvetica",
) -> str | None:
    """A fitted estimator's tree in the DOT language; returned as text, or written to `out_file` (a path or a file)."""
    if not hasattr(decision_tree, "fit"):
        raise NotAnEstimatorError(f"{decision_tree!r} is not an estimator instance.", hint="Pass a fitted estimator.")
    if not is_integer(precision) or precision < 0:
        raise OptionError(f"precision must be an integer of at least 0, got {precision!r}.", option="precision")
    pattern = "x<SUB>{}</SUB>" if special_characters else "x[{}]"
    shown = shown_tree(decision_tree, feature_names, class_names, pattern)
    if shown.class_names is not None and len(shown.class_names) < len(shown.tree.schema.classes):
        raise IndexError(f"class_names needs {len(shown.tree.schema.classes)} names, got {len(shown.class_names)}.")
    text = NodeText(label, impurity, node_ids, proportion, precision)
    writer = _Writer(shown, text, filled, rotate, special_characters)
    lines = ["digraph Tree {", *_head(filled, rounded, leaves_parallel, rotate, fontname)]
    lines += writer.nodes(max_depth)
    if leaves_parallel:
        lines += ["{rank=same ; " + "; ".join(map(str, nodes)) + "} ;" for nodes in writer.ranks()]
    dot = "\n".join([*lines, "}"])
    if out_file is None:
        return dot
    if isinstance(out_file, (str, os.PathLike)):
        with open(out_file, "w", encoding="utf-8") as file:
            file.write(dot)
    else:
        out_file.write(dot)
    return None


def _head(filled: bool, rounded: bool, leaves_parallel: bool, rotate: bool, fontname: str) -> list[str]:
    styles = [name for name, is_on in (("filled", filled), ("rounded", rounded)) if is_on]
    style = f', style="{", ".join(styles)}", color="black"' if styles else ""
    lines = [f'node [shape=box{style}, fontname="{fontname}"] ;']
    lines += ["graph [ranksep=equally, splines=polyline] ;"] if leaves_parallel else []
    lines += [f'edge [fontname="{fontname}"] ;']
    return [*lines, *(["rankdir=LR ;"] if rotate else [])]


class _Writer:
    """Writes nodes and edges, depth first."""

    def __init__(self, shown: ShownTree, text: NodeText, filled: bool, rotate: bool, special: bool) -> None:
        self.shown, self.text, self.filled, self.rotate, self.special = shown, text, filled, rotate, special
        self.leaves: list[int] = []
        self.inner: dict[int, list[int]] = {}

    def nodes(self, max_depth: int | None) -> list[str]:
        """A line per node and one per edge."""
        lines = []
        pending = [(0, 0, -1, 0)]  # node, depth, parent, branch
        while pending:
            node, depth, parent, branch = pending.pop()
            is_shown = max_depth is None or depth <= max_depth
            is_leaf = bool(self.shown.tree.nodes.is_leaf[node])
            (self.leaves if is_leaf else self.inner.setdefault(depth, [])).append(node)
            color = (fill_color(self.shown, node) if is_shown else _TRUNCATED) if self.filled else ""
            fill = f', fillcolor="{color}"' if color else ""
            label = self._label(node) if is_shown else '"(...)"'
            lines.append(f"{node} [label={label}{fill}] ;")
            if parent >= 0:
                lines.append(f"{parent} -> {node}{self._edge(parent, branch) if is_shown else ''} ;")
            if is_shown and not is_leaf:
                children = self.shown.tree.nodes.children(node)
                pending += [(children[b], depth + 1, node, b) for b in reversed(range(len(children)))]
        return lines

    def ranks(self) -> list[list[int]]:
        """The nodes that are drawn at the same height: those of a depth, and all leaves."""
        return [*self.inner.values(), self.leaves]

    def _label(self, node: int) -> str:
        lines = self.text.lines(self.shown, node)
        if self.special:
            return f"<{'<br/>'.join(map(_as_html, lines))}>"
        return '"' + "\\n".join(map(_in_quotes, lines)) + '"'

    def _edge(self, parent: int, branch: int) -> str:
        is_binary = len(self.shown.tree.nodes.children(parent)) == 2
        if self.shown.is_threshold(parent) and parent:
            return ""
        angle = (45 if branch == 0 else -45) * (-1 if self.rotate else 1)
        text = ("True", "False")[branch] if self.shown.is_threshold(parent) else self.shown.branch(parent, branch)
        return f' [labeldistance=2.5, labelangle={angle if is_binary else 0}, headlabel="{_in_quotes(text)}"]'


def _in_quotes(line: str) -> str:
    """Text inside quotes: no control characters and no entities."""
    return printable(line).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


def _as_html(line: str) -> str:
    """A line of a label in Graphviz's HTML; subscripts of column names stay."""
    safe = (
        html.escape(printable(line))
        .replace("#", "&#35;")
        .replace("&lt;SUB&gt;", "<SUB>")
        .replace("&lt;/SUB&gt;", "</SUB>")
    )
    return safe.replace(" &lt;= ", " &le; ")
