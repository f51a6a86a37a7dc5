"""Draws a tree as a picture.

folding    nodes below `depth` become "+N nodes" on the node above them; by default six levels, fewer if there would be
           more than 300 nodes
cards      the contents of each node (cards.py), with charts of its rows if a table is given
layout     downwards, or to the right with one line per leaf if there are many leaves
links      as wide as the fraction of rows that take them, with the outcome along each; "?" where missing values go
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.cards import PRESETS, Card, Cards
from hornbeam.drawing.colors import THEMES, Theme, class_color
from hornbeam.drawing.folding import VisibleNodes
from hornbeam.drawing.layout import lay_out
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.rows import node_rows
from hornbeam.drawing.svg import Markup, document, escape, join, label, rect, tag
from hornbeam.drawing.text import count_text, truncate, width_of, wrap
from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import ALL_BRANCHES, Tree
from hornbeam.tree.one_tree import only_tree

_MAX_LEAVES_DOWN = 14
_MARGIN = 18.0
Choice = TypeVar("Choice")

_DIRECTIONS = ("auto", "down", "right")


def draw(
    tree: Any,
    table: Any = None,
    *,
    depth: int | None = None,
    preset: str = "plain",
    theme: str = "light",
    direction: str = "auto",
    width: float | None = None,
    title: str | None = None,
) -> Picture:
    """A picture of a tree or of the tree of an estimator, with charts of the rows in each node if a table is given.

    `table` is a table, a data frame or anything else that `read` accepts. Nodes below `depth` are not drawn; `preset`
    is plain, lecture (impurity, gain, counts), clinic (yes and no) or compact; `theme` is light or dark; `direction` is
    down, right or auto; `width` scales the picture to a number of pixels.
    """
    tree = only_tree(tree, "draw", labels=False)
    look, colors = _choice("preset", preset, PRESETS), _choice("theme", theme, THEMES)
    if direction not in _DIRECTIONS:
        raise OptionError(
            f"direction must be one of {', '.join(_DIRECTIONS)}, got {short_repr(direction)}.", option="direction"
        )
    visible = VisibleNodes.of(tree, depth)
    rows = None if table is None else node_rows(tree, model_table(tree.schema, table), visible.deepest)
    target = rows.target if rows is not None and not tree.is_class else None
    cards = Cards(tree, colors, look, rows, _scale(tree, target), _prediction_range(tree, visible.nodes))
    goes_right = direction == "right" or (direction == "auto" and visible.n_ends > _MAX_LEAVES_DOWN)
    frame = _Frame.of(visible, cards, goes_right)
    return _picture(tree, cards, visible, frame, title, width)


def _choice(name: str, value: str, known: Mapping[str, Choice]) -> Choice:
    if value not in known:
        raise OptionError(
            f"{name} must be one of {', '.join(known)}, got {short_repr(value)}.",
            hint=did_you_mean(str(value), known),
            option=name,
        )
    return known[value]


@dataclasses.dataclass(frozen=True)
class _Frame:
    """Positions: the upper left corner of each card, the end of its level, and the lines along each link."""

    goes_right: bool
    cards: list[Card]
    corners: list[tuple[float, float]]
    level_ends: list[float]
    outcomes: list[list[str]]
    width: float
    height: float

    @classmethod
    def of(cls, visible: VisibleNodes, cards: Cards, goes_right: bool) -> _Frame:
        """Create the cards and their layout."""
        pairs = list(zip(visible.nodes, visible.hidden, strict=True))
        placed = [cards.chip(node, hidden) if goes_right else cards.card(node, hidden) for node, hidden in pairs]
        outcomes = _outcomes(visible, cards, goes_right)
        widths = [max([width_of(text, _size(cards)) for text in lines] + [0.0]) for lines in outcomes]
        if goes_right:
            breadths = [max(card.height, 1.6 * _size(cards)) for card in placed]
            lengths = [card.width for card in placed]
            gap = 5.0
            level_gap: list[float] | float = _level_gaps(visible, widths)
        else:
            breadths = [max(card.width, wide + 4) for card, wide in zip(placed, widths, strict=True)]
            lengths = [card.height for card in placed]
            gap = 10.0 if cards.preset.is_small else 16.0
            level_gap = 34.0 + 1.25 * _size(cards) * max(len(lines) for lines in outcomes)
        found = lay_out(visible.parent, visible.children, breadths, lengths, gap=gap, level_gap=level_gap)
        corners = []
        level = _levels(visible.parent)
        ends = list(found.level_start)
        for index, card in enumerate(placed):
            at, start = found.across[index], found.level_start[level[index]]
            corners.append((start, at - card.height / 2) if goes_right else (at - card.width / 2, start))
            ends[level[index]] = max(ends[level[index]], start + lengths[index])
        level_ends = [ends[each] for each in level]
        size = (found.length, found.breadth) if goes_right else (found.breadth, found.length)
        return cls(goes_right, placed, corners, level_ends, outcomes, *size)


def _levels(parent: list[int]) -> list[int]:
    level = [0] * len(parent)
    for index, above in enumerate(parent):
        level[index] = level[above] + 1 if above >= 0 else 0
    return level


def _level_gaps(visible: VisibleNodes, widths: list[float]) -> list[float]:
    level = _levels(visible.parent)
    widest = [0.0] * (max(level) + 1)
    for at, wide in zip(level, widths, strict=True):
        widest[at] = max(widest[at], wide)
    return [wide + 34.0 for wide in widest]


def _size(cards: Cards) -> float:
    return cards.preset.size - (1.0 if cards.preset.is_small else 1.5)


def _outcomes(visible: VisibleNodes, cards: Cards, goes_right: bool) -> list[list[str]]:
    """The lines along the link to each node; none for the root."""
    out: list[list[str]] = [[]]
    for index in range(1, len(visible.nodes)):
        above = visible.nodes[visible.parent[index]]
        text = cards.labels(above).outcomes[visible.branch[index]]
        if goes_right:
            out.append([truncate(text, 120, _size(cards))])
        else:
            out.append(wrap(text, 118, _size(cards), 2))
    return out


def _scale(tree: Tree, target: npt.NDArray[np.float64] | None) -> tuple[float, float]:
    """The range of target values of all small charts (regression)."""
    if tree.is_class:
        return 0.0, 1.0
    if target is not None and np.isfinite(target).any():
        known = target[np.isfinite(target)]
        low, high = float(known.min()), float(known.max())
    else:
        weight = np.maximum(tree.nodes.stats[:, 0], 1e-300)
        reach = np.sqrt(np.maximum(tree.nodes.stats[:, 2], 0.0) / weight)
        low, high = float((tree.nodes.answer - reach).min()), float((tree.nodes.answer + reach).max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _prediction_range(tree: Tree, nodes: list[int]) -> tuple[float, float]:
    predictions = tree.nodes.answer[nodes]
    return float(predictions.min()), float(predictions.max())


def _picture(
    tree: Tree, cards: Cards, visible: VisibleNodes, frame: _Frame, title: str | None, width: float | None
) -> Picture:
    colors = cards.theme
    target = tree.schema.target.name if tree.schema.target else "?"
    heading = title if title is not None else target
    full = max(frame.width, 300.0) + 2 * _MARGIN
    marked = [
        index for index, below in enumerate(visible.children) if below and cards.marks_missing(visible.nodes[index])
    ]
    legend, legend_height = _legend(tree, colors, heading, full - 2 * _MARGIN, bool(marked))
    top = _MARGIN + legend_height + 10
    left = (full - frame.width) / 2
    links = [_link(tree, cards, visible, frame, index) for index in range(1, len(visible.nodes))]
    labels = [_along(tree, cards, visible, frame, index) for index in range(1, len(visible.nodes))]
    badges = [badge for index in marked for badge in _badges(tree, cards, visible, frame, index)]
    boxes = [
        tag("g", tag("title", escape(card.about)), card.inside, transform=f"translate({x:.2f} {y:.2f})")
        for card, (x, y) in zip(frame.cards, frame.corners, strict=True)
    ]
    body = tag("g", *links, *badges, *boxes, *labels, transform=f"translate({left:.2f} {top:.2f})")
    height = top + frame.height + _MARGIN
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    about = truncate(f"Tree of {heading}: {count_text(len(tree), 'node')}, {leaves}", 900, 8)
    svg = document(full, height, legend, body, about=about, background=colors.ground)
    if width is not None:
        svg, full, height = _scaled_to(svg, full, height, width)
    return Picture(svg, full, height, about, colors.ground)


def _scaled_to(svg: str, full: float, height: float, width: float) -> tuple[str, float, float]:
    """The same drawing at another width."""
    if not width > 0:
        raise OptionError(f"width must be above 0, got {short_repr(width)}.", option="width")
    tall = height * width / full
    head, rest = svg.split(" viewBox=", 1)
    start = head[: head.index(" width=")]
    return f'{start} width="{width:.6g}" height="{tall:.6g}" viewBox={rest}', float(width), tall


def _legend(tree: Tree, colors: Theme, heading: str, available: float, has_marks: bool) -> tuple[Markup, float]:
    """The title and the legend, wrapped to the width of the picture."""
    parts = [
        label(
            _MARGIN,
            _MARGIN + 13,
            truncate(heading, available, 15, True),
            font_size=15,
            font_weight=700,
            fill=colors.text,
        )
    ]
    entries: list[tuple[str, str]] = []
    if tree.is_class:
        classes = tree.schema.classes
        entries = [(class_color(k, colors), truncate(str(name), 150, 11)) for k, name in enumerate(classes[:12])]
        if len(classes) > 12:
            entries.append(("", f"and {len(classes) - 12} more"))
    else:
        entries.append((colors.number, "darker: higher" if colors.name == "light" else "brighter: higher"))
    if has_marks:
        entries.append(("?", "missing values"))
    x, y = _MARGIN, _MARGIN + 34
    for color, text in entries:
        wide = width_of(text, 11) + 30
        if x > _MARGIN and x + wide > _MARGIN + available:
            x, y = _MARGIN, y + 17
        if color == "?":
            parts.append(_badge(x + 6, y - 4, colors))
        elif color:
            parts.append(rect(x, y - 9, 11, 11, rx=2, fill=color))
        parts.append(label(x + (16 if color else 0), y, text, font_size=11, fill=colors.quiet))
        x += wide
    return join(parts), y - _MARGIN + 6


def _ends(visible: VisibleNodes, frame: _Frame, index: int) -> tuple[float, float, float, float]:
    """The start and end of the link to a node; starts are distributed along the parent's edge."""
    above = visible.parent[index]
    siblings = visible.children[above]
    spread = (siblings.index(index) + 0.5) / len(siblings) - 0.5 if len(siblings) < 400 else 0.0
    (px, py), card, (cx, cy), child = frame.corners[above], frame.cards[above], frame.corners[index], frame.cards[index]
    if frame.goes_right:
        return px + card.width, py + card.height * (0.5 + 0.5 * spread), cx, cy + child.height / 2
    return px + card.width * (0.5 + 0.55 * spread), py + card.height, cx + child.width / 2, cy


def _breadth(tree: Tree, visible: VisibleNodes, frame: _Frame, index: int) -> float:
    """The width of a link, proportional to the rows that take it."""
    fraction = float(tree.nodes.rows[visible.nodes[index]]) / max(float(tree.nodes.rows[0]), 1.0)
    return max(1.2, (9.0 if frame.goes_right else 14.0) * min(fraction, 1.0))


def _link(tree: Tree, cards: Cards, visible: VisibleNodes, frame: _Frame, index: int) -> Markup:
    sx, sy, ex, ey = _ends(visible, frame, index)
    wide = _breadth(tree, visible, frame, index)
    # First straight past the longest card of the level, so that no link is behind a neighbor.
    end = frame.level_ends[visible.parent[index]]
    if frame.goes_right:
        bend = (
            f"M{sx:.2f} {sy:.2f}L{end:.2f} {sy:.2f}C{end + 22:.2f} {sy:.2f} {end + 4:.2f} {ey:.2f} "
            f"{end + 26:.2f} {ey:.2f}L{ex:.2f} {ey:.2f}"
        )
    else:
        middle = (end + ey) / 2
        bend = f"M{sx:.2f} {sy:.2f}L{sx:.2f} {end:.2f}C{sx:.2f} {middle:.2f} {ex:.2f} {middle:.2f} {ex:.2f} {ey:.2f}"
    return tag("path", d=bend, fill="none", stroke=cards.theme.link, stroke_width=wide)


def _along(tree: Tree, cards: Cards, visible: VisibleNodes, frame: _Frame, index: int) -> Markup:
    """The outcome of a link: above it, or next to the node that it leads to, outlined in the background color."""
    size = _size(cards)
    (x, y), card, lines = frame.corners[index], frame.cards[index], frame.outcomes[index]
    look: dict[str, object] = {
        "font_size": size,
        "fill": cards.theme.text,
        "stroke": cards.theme.ground,
        "stroke_width": 3,
        "stroke_linejoin": "round",
        "paint_order": "stroke",
    }
    if frame.goes_right:
        above = y + card.height / 2 - _breadth(tree, visible, frame, index) / 2 - 3
        return label(x - 5, above, lines[0], text_anchor="end", **look)
    start = y - 8 - (len(lines) - 1) * 1.25 * size
    return join(
        label(x + card.width / 2, start + row * 1.25 * size, text, text_anchor="middle", **look)
        for row, text in enumerate(lines)
    )


def _badges(tree: Tree, cards: Cards, visible: VisibleNodes, frame: _Frame, index: int) -> list[Markup]:
    """A question mark on the link that missing values take; on every link for fractional rows."""
    goes_to = int(tree.nodes.missing_branch[visible.nodes[index]])
    below = visible.children[index]
    chosen = below if goes_to == ALL_BRANCHES else below[goes_to : goes_to + 1] if goes_to >= 0 else []
    out = []
    end = frame.level_ends[index]
    for child in chosen:
        sx, sy, ex, ey = _ends(visible, frame, child)
        if frame.goes_right:
            out.append(_badge(end + 13, (sy + ey) / 2, cards.theme))
        else:
            out.append(_badge(sx + (ex - sx) * 0.16, end + (ey - end) * 0.3, cards.theme))
    return out


def _badge(x: float, y: float, colors: Theme) -> Markup:
    ring = tag("circle", cx=x, cy=y, r=6, fill=colors.card, stroke=colors.quiet, stroke_width=1)
    return join([ring, label(x, y + 3.2, "?", font_size=9, font_weight=700, fill=colors.quiet, text_anchor="middle")])
