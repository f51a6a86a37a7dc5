"""How is a tree drawn on Matplotlib axes of the user's own?  The same layout, in boxes, lines and text of Matplotlib.

Each node says its question or its answer, its rows, and for classes their shares as a bar; the answers stand along the
links, which are as wide as the share of rows that take them. Letters are as large as the axes allow; a tree that would
be too small to read is folded by `depth`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from hornbeam.drawing.colors import Theme, class_color, leaf_color, number_color
from hornbeam.drawing.folding import VisibleNodes
from hornbeam.drawing.layout import Layout, lay_out
from hornbeam.drawing.plots import theme_named
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
    """What a node says, how large that is, and the colour behind it."""

    lines: list[str]
    width: float
    height: float
    ground: str


def plot_tree(ax: Any, tree: Tree, *, depth: int | None = None, theme: str = "light") -> Any:
    """A tree on Matplotlib axes; `depth` folds what lies deeper."""
    tree = only_tree(tree, "A picture")
    look, shown_nodes = theme_named(theme), VisibleNodes.of(tree, depth)
    boxes = [_box(tree, place, shown_nodes, look) for place in range(len(shown_nodes.nodes))]
    answers = ["", *(_answer(tree, shown_nodes, place) for place in range(1, len(boxes)))]
    breadths = [max(box.width, width_of(text, _SIZE)) for box, text in zip(boxes, answers, strict=True)]
    found = lay_out(
        shown_nodes.parent, shown_nodes.children, breadths, [b.height for b in boxes], gap=14.0, level_gap=3 * _LINE
    )
    ax.set(xlim=(-_MARGIN, found.breadth + _MARGIN), ylim=(found.length + _MARGIN, -_MARGIN), aspect="equal")
    ax.set_axis_off()
    points = _points(ax, found)
    tops = _tops(shown_nodes, found)
    for place, box in enumerate(boxes):
        at = found.across[place], tops[place]
        if place:
            above = shown_nodes.parent[place]
            start = found.across[above], tops[above] + boxes[above].height
            share = float(tree.nodes.rows[shown_nodes.nodes[place]]) / max(float(tree.nodes.rows[0]), 1.0)
            wide = points * max(1.0, 12.0 * share)
            ax.plot([start[0], at[0]], [start[1], at[1]], color=look.link, linewidth=wide, zorder=1)
            words: dict[str, Any] = {"fontsize": points * _SIZE, "color": look.words, "zorder": 4, "ha": "center"}
            ax.text(at[0], at[1] - 5, answers[place], va="bottom", **words)
        _draw_box(ax, tree, shown_nodes.nodes[place], box, at, points, look)
    return ax


def _points(ax: Any, found: Layout) -> float:
    """How many points of print one unit of the layout takes on these axes."""
    extent = ax.get_window_extent()
    across = extent.width / (found.breadth + 2 * _MARGIN)
    down = extent.height / (found.length + 2 * _MARGIN)
    return float(min(across, down) * 72.0 / ax.figure.dpi)


def _tops(shown_nodes: VisibleNodes, found: Layout) -> list[float]:
    level = [0] * len(shown_nodes.nodes)
    for place, above in enumerate(shown_nodes.parent):
        level[place] = level[above] + 1 if above >= 0 else 0
    return [found.level_start[each] for each in level]


def _box(tree: Tree, place: int, shown_nodes: VisibleNodes, look: Theme) -> _Box:
    node, hidden = shown_nodes.nodes[place], shown_nodes.hidden[place]
    rows = count_text(float(tree.nodes.rows[node]), "row")
    if shown_nodes.children[place]:
        lines = [*wrap(_question(tree, node)[0], 150, _SIZE, 3), rows]
        ground = look.card
    else:
        more = [f"+{hidden} nodes"] if hidden else []
        lines = [*wrap(_says(tree, node), 150, _SIZE, 2), rows, *more]
        ground = _ground(tree, node, look)
    wide = max(width_of(text, _SIZE) for text in lines) + 2 * _SIZE
    return _Box(lines, max(wide, 60.0), _LINE * len(lines) + 10 + (_BAR + 4 if tree.is_class else 0), ground)


def _question(tree: Tree, node: int) -> tuple[str, tuple[str, ...]]:
    found = question_labels(tree.question(node), tree.schema, n_branches=int(tree.nodes.n_branches[node]))
    return found.title, found.answers


def _answer(tree: Tree, shown_nodes: VisibleNodes, place: int) -> str:
    above = shown_nodes.nodes[shown_nodes.parent[place]]
    return truncate(_question(tree, above)[1][shown_nodes.branch[place]], 130, _SIZE)


def _says(tree: Tree, node: int) -> str:
    if not tree.is_class:
        return short_number(float(tree.nodes.answer[node]))
    total = float(tree.nodes.stats[node].sum())
    share = float(tree.nodes.stats[node][int(tree.nodes.answer[node])]) / total if total > 0 else 0.0
    return f"{tree.prediction_text(node)} {percent(share)}"


def _ground(tree: Tree, node: int, look: Theme) -> str:
    answer = float(tree.nodes.answer[node])
    if not tree.is_class:
        low, high = float(tree.nodes.answer.min()), float(tree.nodes.answer.max())
        return number_color((answer - low) / ((high - low) or 1.0), look)
    stats = tree.nodes.stats[node]
    n_classes, total = max(len(stats), 2), float(stats.sum())
    share = float(stats[int(answer)]) / total if total > 0 else 1.0
    return leaf_color(int(answer), (share - 1 / n_classes) / (1 - 1 / n_classes), look)


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
            color=look.words,
            ha="center",
            va="center",
            zorder=4,
        )
    stats = tree.nodes.stats[node]
    if not tree.is_class or not stats.sum() > 0:
        return
    start, room = left + _SIZE, box.width - 2 * _SIZE
    for k, share in enumerate((stats / stats.sum()).tolist()):
        corner = start, y + box.height - _BAR - 5
        ax.add_patch(Rectangle(corner, share * room, _BAR, facecolor=class_color(k, look), linewidth=0, zorder=3))
        start += share * room
