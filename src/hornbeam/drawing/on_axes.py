"""A tree on Matplotlib axes: the same layout, with boxes, lines and text of Matplotlib.

Each node has its question or its prediction, its rows, and for classification a bar of class probabilities; the
outcomes are along the links, which are as wide as the fraction of rows that take them. The font is as large as the axes
allow; `depth` limits a tree that would be too small to read.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from hornbeam.drawing.colors import Theme, class_color, theme_named
from hornbeam.drawing.folding import VisibleNodes
from hornbeam.drawing.layout import Layout, lay_out
from hornbeam.drawing.node_colors import node_color, predicted_probability
from hornbeam.drawing.question_labels import question_labels
from hornbeam.drawing.text import count_text, short_number, truncate, width_of, wrap
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.text import percent

_SIZE = 12.0
_LINE = 1.25 * _SIZE
_BAR = 6.0
_MARGIN = 10.0


@dataclasses.dataclass(frozen=True)
class _Box:
    """The lines of a node, its size and its background color."""

    lines: list[str]
    width: float
    height: float
    ground: str


def plot_tree_cards(ax: Any, tree: Any, *, depth: int | None = None, theme: str = "light") -> Any:
    """A tree, or that of a fitted estimator, on Matplotlib axes; nodes below `depth` are counted only."""
    tree = only_tree(tree, "A picture")
    look, visible = theme_named(theme), VisibleNodes.of(tree, depth)
    boxes = [_box(tree, index, visible, look) for index in range(len(visible.nodes))]
    outcomes = ["", *(_outcome(tree, visible, index) for index in range(1, len(boxes)))]
    breadths = [max(box.width, width_of(text, _SIZE)) for box, text in zip(boxes, outcomes, strict=True)]
    found = lay_out(
        visible.parent, visible.children, breadths, [b.height for b in boxes], gap=14.0, level_gap=3 * _LINE
    )
    ax.set(xlim=(-_MARGIN, found.breadth + _MARGIN), ylim=(found.length + _MARGIN, -_MARGIN), aspect="equal")
    ax.set_axis_off()
    points = _points(ax, found)
    tops = _tops(visible, found)
    for index, box in enumerate(boxes):
        at = found.across[index], tops[index]
        if index:
            above = visible.parent[index]
            start = found.across[above], tops[above] + boxes[above].height
            share = float(tree.nodes.rows[visible.nodes[index]]) / max(float(tree.nodes.rows[0]), 1.0)
            wide = points * max(1.0, 12.0 * share)
            ax.plot([start[0], at[0]], [start[1], at[1]], color=look.link, linewidth=wide, zorder=1)
            style: dict[str, Any] = {"fontsize": points * _SIZE, "color": look.text, "zorder": 4, "ha": "center"}
            ax.text(at[0], at[1] - 5, outcomes[index], va="bottom", **style)
        _draw_box(ax, tree, visible.nodes[index], box, at, points, look)
    return ax


def _points(ax: Any, found: Layout) -> float:
    """The number of points per unit of the layout on these axes."""
    extent = ax.get_window_extent()
    across = extent.width / (found.breadth + 2 * _MARGIN)
    down = extent.height / (found.length + 2 * _MARGIN)
    return float(min(across, down) * 72.0 / ax.figure.dpi)


def _tops(visible: VisibleNodes, found: Layout) -> list[float]:
    level = [0] * len(visible.nodes)
    for index, above in enumerate(visible.parent):
        level[index] = level[above] + 1 if above >= 0 else 0
    return [found.level_start[each] for each in level]


def _box(tree: Tree, index: int, visible: VisibleNodes, look: Theme) -> _Box:
    node, hidden = visible.nodes[index], visible.hidden[index]
    rows = count_text(float(tree.nodes.rows[node]), "row")
    if visible.children[index]:
        lines = [*wrap(_question(tree, node)[0], 150, _SIZE, 3), rows]
        ground = look.card
    else:
        more = [f"+{hidden:,} nodes"] if hidden else []
        lines = [*wrap(_prediction(tree, node), 150, _SIZE, 2), rows, *more]
        ends = float(tree.nodes.answer.min()), float(tree.nodes.answer.max())
        ground = node_color(tree, node, ends, look)
    wide = max(width_of(text, _SIZE) for text in lines) + 2 * _SIZE
    return _Box(lines, max(wide, 60.0), _LINE * len(lines) + 10 + (_BAR + 4 if tree.is_class else 0), ground)


def _question(tree: Tree, node: int) -> tuple[str, tuple[str, ...]]:
    found = question_labels(tree.question(node), tree.schema, n_branches=int(tree.nodes.n_branches[node]))
    return found.title, found.outcomes


def _outcome(tree: Tree, visible: VisibleNodes, index: int) -> str:
    above = visible.nodes[visible.parent[index]]
    return truncate(_question(tree, above)[1][visible.branch[index]], 130, _SIZE)


def _prediction(tree: Tree, node: int) -> str:
    if not tree.is_class:
        return short_number(float(tree.nodes.answer[node]))
    probability = predicted_probability(tree, node)
    return tree.prediction_text(node) + ("" if math.isnan(probability) else f" {percent(probability)}")


def _draw_box(ax: Any, tree: Tree, node: int, box: _Box, at: tuple[float, float], points: float, look: Theme) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    (x, y), left = at, at[0] - box.width / 2
    style = f"round,pad=0,rounding_size={4.0}"
    edge: dict[str, Any] = {"facecolor": box.ground, "edgecolor": look.edge, "linewidth": 0.8 * points, "zorder": 2}
    ax.add_patch(FancyBboxPatch((left, y), box.width, box.height, boxstyle=style, **edge))
    for row, text in enumerate(box.lines):
        is_first = row == 0
        ax.text(
            x,
            y + 5 + _LINE * (row + 0.5),
            text,
            fontsize=points * _SIZE,
            fontweight="bold" if is_first else "normal",
            color=look.text,
            ha="center",
            va="center",
            zorder=4,
        )
    stats = tree.nodes.stats[node]
    if not tree.is_class or not stats.sum() > 0:
        return
    start, available = left + _SIZE, box.width - 2 * _SIZE
    for k, share in enumerate((stats / stats.sum()).tolist()):
        corner = start, y + box.height - _BAR - 5
        ax.add_patch(Rectangle(corner, share * available, _BAR, facecolor=class_color(k, look), linewidth=0, zorder=3))
        start += share * available
