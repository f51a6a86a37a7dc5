"""A picture of a nested dichotomy: sets of classes as cards, split in two down to single classes.

A card that is split has its two groups, the number of rows and the score of the split; a bar shows the colors of its
classes, as wide as the classes have rows. Trees of many classes extend to the right.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from hornbeam.drawing.colors import Theme, class_color, leaf_color, theme_named
from hornbeam.drawing.layout import lay_out
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import Markup, document, escape, join, label, rect, tag
from hornbeam.drawing.text import count_text, short_number, truncate, width_of, wrap
from hornbeam.ensembles.reductions.dichotomy import NestedDichotomy

_MARGIN = 18.0
_SIZE = 12.0
_LINE = 16.0
_MAX_WIDTH = 190.0
_MAX_LEAVES_DOWN = 14


@dataclasses.dataclass(frozen=True)
class _Card:
    """The lines of a node, bold ones first, and its size."""

    bold: list[str]
    normal: list[str]
    width: float
    height: float


def draw_nested_dichotomy(tree: NestedDichotomy, *, theme: str = "light", title: str = "Classes") -> Picture:
    """A picture of a nested dichotomy, such as that of a fitted `NestedDichotomyClassifier`."""
    look = theme_named(theme)
    cards = [_card(tree, index) for index in range(len(tree.nodes))]
    goes_right = tree.n_classifiers >= _MAX_LEAVES_DOWN
    corners, across, down = _laid_out(tree, cards, goes_right)
    links = [
        _link(cards, corners, node.parent, index, look, goes_right)
        for index, node in enumerate(tree.nodes)
        if node.parent >= 0
    ]
    boxes = [_box(tree, index, cards[index], corners[index], look) for index in range(len(tree.nodes))]
    summary = f"{count_text(tree.n_classifiers, 'classifier')}, {_path_text(tree)} per row"
    width = max(across, width_of(summary, 11), 200.0) + 2 * _MARGIN
    top = _MARGIN + 50
    named = truncate(title, width - 2 * _MARGIN, 15, True)
    heading = label(_MARGIN, _MARGIN + 13, named, font_size=15, font_weight=700, fill=look.text)
    below = label(_MARGIN, _MARGIN + 32, summary, font_size=11, fill=look.quiet)
    body = tag("g", *links, *boxes, transform=f"translate({(width - across) / 2:.2f} {top:.2f})")
    about = truncate(f"{title}: a nested dichotomy of {tree.n_classifiers + 1} classes, {summary}", 900, 8)
    height = top + down + _MARGIN
    svg = document(width, height, heading, below, body, about=about, background=look.ground)
    return Picture(svg, width, height, about, look.ground)


def _path_text(tree: NestedDichotomy) -> str:
    """The number of classifiers on a path: '1 to 3'."""
    lengths = tree.path_lengths.values()
    low, high = min(lengths), max(lengths)
    return f"{low}" if low == high else f"{low} to {high}"


def _card(tree: NestedDichotomy, index: int) -> _Card:
    node = tree.nodes[index]
    normal = [] if node.rows is None else [count_text(node.rows, "row")]
    if node.is_leaf:
        bold = [truncate(tree.group_text(index), _MAX_WIDTH, _SIZE, True)]
    else:
        bold = wrap(tree.group_text(node.first), _MAX_WIDTH, _SIZE, 2, True)
        bold += wrap(f"or {tree.group_text(node.second)}", _MAX_WIDTH, _SIZE, 2, True)
        score = [] if node.score is None else [f"{tree.scored_by} {short_number(node.score)}"]
        normal = [" · ".join([*normal, *score])] if normal or score else []
    widths = [width_of(line, _SIZE, True) for line in bold] + [width_of(line, 11) for line in normal]
    lines = _LINE * (len(bold) + len(normal))
    return _Card(bold, normal, max(widths) + 22, lines + (10 if node.is_leaf else 20))


def _laid_out(
    tree: NestedDichotomy, cards: Sequence[_Card], goes_right: bool
) -> tuple[list[tuple[float, float]], float, float]:
    """The upper left corner of every card, and the width and height of all together."""
    parents = [node.parent for node in tree.nodes]
    children = [[] if node.is_leaf else [node.first, node.second] for node in tree.nodes]
    widths, heights = [card.width for card in cards], [card.height for card in cards]
    breadths, lengths = (heights, widths) if goes_right else (widths, heights)
    found = lay_out(parents, children, breadths, lengths, gap=8.0 if goes_right else 16.0, level_gap=38.0)
    level = [0] * len(cards)
    corners = []
    for index, card in enumerate(cards):
        level[index] = level[parents[index]] + 1 if parents[index] >= 0 else 0
        at, start = found.across[index], found.level_start[level[index]]
        corners.append((start, at - card.height / 2) if goes_right else (at - card.width / 2, start))
    return corners, *((found.length, found.breadth) if goes_right else (found.breadth, found.length))


def _link(
    cards: Sequence[_Card],
    corners: Sequence[tuple[float, float]],
    above: int,
    below: int,
    look: Theme,
    goes_right: bool,
) -> Markup:
    (px, py), (cx, cy) = corners[above], corners[below]
    if goes_right:
        sx, sy, ex, ey = px + cards[above].width, py + cards[above].height / 2, cx, cy + cards[below].height / 2
        middle = (sx + ex) / 2
        bend = f"M{sx:.2f} {sy:.2f}C{middle:.2f} {sy:.2f} {middle:.2f} {ey:.2f} {ex:.2f} {ey:.2f}"
    else:
        sx, sy, ex, ey = px + cards[above].width / 2, py + cards[above].height, cx + cards[below].width / 2, cy
        middle = (sy + ey) / 2
        bend = f"M{sx:.2f} {sy:.2f}C{sx:.2f} {middle:.2f} {ex:.2f} {middle:.2f} {ex:.2f} {ey:.2f}"
    return tag("path", d=bend, fill="none", stroke=look.link, stroke_width=2.5)


def _box(tree: NestedDichotomy, index: int, card: _Card, corner: tuple[float, float], look: Theme) -> Markup:
    node = tree.nodes[index]
    fill = leaf_color(node.classes[0], 0.8, look) if node.is_leaf else look.card
    parts = [rect(0, 0, card.width, card.height, rx=5, fill=fill, stroke=look.edge, stroke_width=1)]
    middle, y = card.width / 2, 17.0
    for text in card.bold:
        bold: dict[str, object] = {"font_size": _SIZE, "font_weight": 600, "fill": look.text}
        parts.append(label(middle, y, text, text_anchor="middle", **bold))
        y += _LINE
    for text in card.normal:
        quiet = look.text if node.is_leaf else look.quiet
        parts.append(label(middle, y, text, text_anchor="middle", font_size=11, fill=quiet))
        y += _LINE
    if not node.is_leaf:
        parts.append(_bar(tree, index, card, look))
    about = tag("title", escape(tree.group_text(index)))
    return tag("g", about, *parts, transform=f"translate({corner[0]:.2f} {corner[1]:.2f})")


def _bar(tree: NestedDichotomy, index: int, card: _Card, look: Theme) -> Markup:
    """The colors of a node's classes, as wide as they have rows, the first group first."""
    node = tree.nodes[index]
    rows = {each.classes[0]: float(each.rows or 1) for each in tree.nodes if each.is_leaf}
    order = [*tree.nodes[node.first].classes, *tree.nodes[node.second].classes]
    row_width = (card.width - 16) / sum(rows[code] for code in order)
    parts, x = [], 8.0
    for code in order:
        parts.append(rect(x, card.height - 11, rows[code] * row_width, 5, fill=class_color(code, look)))
        x += rows[code] * row_width
    return join(parts)
