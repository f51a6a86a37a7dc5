"""A tree on Matplotlib axes in the style of scikit-learn's plot_tree."""

from __future__ import annotations

import itertools
from typing import Any

from hornbeam.drawing.layout import lay_out
from hornbeam.drawing.sklearn_style.labels import NodeText, ShownTree, fill_color, shown_tree

_TRUNCATED = "\n  (...)  \n"
_MAX_FONT = 12.0
_FACE, _EDGE = "white", "black"


def plot_tree(
    decision_tree: Any,
    *,
    max_depth: int | None = None,
    feature_names: Any = None,
    class_names: Any = None,
    label: str = "all",
    filled: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rounded: bool = False,
    precision: int = 3,
    ax: Any = None,
    fontsize: int | None = None,
) -> list[Any]:
    """Draw a fitted estimator's tree with Matplotlib, as scikit-learn does; returns the annotations of the nodes.

    `hornbeam.draw` draws the same tree with distributions, thresholds and the widths of branches.
    """
    import matplotlib.pyplot as plt

    shown = shown_tree(decision_tree, feature_names, class_names, "x[{}]")
    text = NodeText(label, impurity, node_ids, proportion, precision)
    axes = plt.gca() if ax is None else ax
    axes.clear()
    axes.set_axis_off()
    places = _Places(shown, text, max_depth)
    box = {"boxstyle": "round" if rounded else "square", "ec": _EDGE}
    style = {"ha": "center", "va": "center", "fontsize": fontsize, "bbox": box, "xycoords": "axes fraction"}
    drawn: list[Any] = []
    for index, node in enumerate(places.nodes):
        face = fill_color(shown, node) if filled else axes.get_facecolor()
        options = {**style, "bbox": {**box, "fc": face}, "zorder": 100 - 10 * places.depth[index]}
        above = places.parent[index]
        if above < 0:
            drawn.append(axes.annotate(places.labels[index], places.at[index], **options))
            continue
        arrow = {"arrowstyle": "<-", "edgecolor": plt.rcParams["text.color"]}
        settings = {**options, "xytext": places.at[index], "textcoords": "axes fraction", "arrowprops": arrow}
        drawn.append(axes.annotate(places.labels[index], places.at[above], **settings))
        if outcome := places.outcome(index):
            middle = [(a + b) / 2 for a, b in zip(places.at[above], places.at[index], strict=True)]
            side = "right" if outcome.endswith(" ") else "left"
            drawn.append(
                axes.annotate(outcome, middle, ha=side, va="center", fontsize=fontsize, xycoords="axes fraction")
            )
    if fontsize is None and drawn:
        _fit_font(axes, drawn)
    return drawn


class _Places:
    """The nodes that are drawn, depth first, with their labels and their places on the axes."""

    def __init__(self, shown: ShownTree, text: NodeText, max_depth: int | None) -> None:
        self.shown = shown
        self.nodes: list[int] = []
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.branch: list[int] = []
        self.labels: list[str] = []
        pending = [(0, -1, 0, 0)]
        while pending:
            node, parent, depth, branch = pending.pop()
            index = len(self.nodes)
            is_shown = max_depth is None or depth <= max_depth
            for values, value in (
                (self.nodes, node),
                (self.parent, parent),
                (self.depth, depth),
                (self.branch, branch),
            ):
                values.append(value)
            self.labels.append("\n".join(text.lines(shown, node)) if is_shown else _TRUNCATED)
            if is_shown and not shown.tree.nodes.is_leaf[node]:
                children = shown.tree.nodes.children(node)
                pending += [(children[b], index, depth + 1, b) for b in reversed(range(len(children)))]
        self.at = self._laid_out()

    def _laid_out(self) -> list[tuple[float, float]]:
        """The place of each node, as fractions of the axes."""
        # The layout needs parents before their children, level by level.
        order = sorted(range(len(self.nodes)), key=lambda index: (self.depth[index], index))
        rank = {index: place for place, index in enumerate(order)}
        parent = [rank[self.parent[index]] if self.parent[index] >= 0 else -1 for index in order]
        children: list[list[int]] = [[] for _ in order]
        for place, above in enumerate(parent):
            if above >= 0:
                children[above].append(place)
        sizes = [1.0] * len(order)
        found = lay_out(parent, children, sizes, sizes, gap=0.3, level_gap=1.0)
        levels = max(self.depth) + 1
        return [
            (found.across[rank[index]] / max(found.breadth, 1e-9), 1.0 - (self.depth[index] + 0.5) / levels)
            for index in range(len(self.nodes))
        ]

    def outcome(self, index: int) -> str:
        """The text on the edge to a node: True and False below the root, outcomes of other splits."""
        parent = self.nodes[self.parent[index]]
        if self.shown.is_threshold(parent):
            return ("True  ", "  False")[self.branch[index]] if parent == 0 else ""
        return self.shown.branch(parent, self.branch[index])


def _fit_font(axes: Any, drawn: list[Any]) -> None:
    """Reduce the font until the boxes fit into the width and height that the axes have for them."""
    renderer = axes.figure.canvas.get_renderer()
    extents = [each.get_window_extent(renderer) for each in drawn]
    window = axes.get_window_extent()
    centers = sorted({round((box.x0 + box.x1) / 2) for box in extents})
    room = min([b - a for a, b in itertools.pairwise(centers)] or [window.width])
    widest = max(box.width for box in extents)
    size = min(_MAX_FONT, max(2.0, drawn[0].get_fontsize() * room / max(widest, 1.0)))
    for each in drawn:
        each.set_fontsize(size)
