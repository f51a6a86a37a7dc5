"""How does a tree become a picture?

fold       what lies deeper than `depth` becomes "+N nodes" on its node; by default six levels, fewer where the
picture would hold more than 300 nodes
cards      what each node shows (cards.py), with charts of its rows when a table is given
layout     down like a family tree, or to the right with one line a leaf when there are many leaves
links      as wide as the share of rows that take them, the answer along each; "?" where unknown answers go
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TypeVar

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
from hornbeam.table.table import Table
from hornbeam.tree.nodes import ALL_BRANCHES, Tree
from hornbeam.tree.one_tree import only_tree

_MOST_LEAVES_DOWN = 14
_MARGIN = 18.0
Choice = TypeVar("Choice")

_DIRECTIONS = ("auto", "down", "right")


def draw(
    tree: Tree,
    table: Table | None = None,
    *,
    depth: int | None = None,
    preset: str = "plain",
    theme: str = "light",
    direction: str = "auto",
    width: float | None = None,
    title: str | None = None,
) -> Picture:
    """A picture of a tree, with charts of the rows in each node when a table is given.

    `depth` folds what lies deeper; `preset` is plain, lecture (impurity, gain, counts), clinic (yes and no) or compact;
    `theme` light or dark; `direction` down, right or auto; `width` scales the picture to so many pixels.
    """
    tree = only_tree(tree, "A picture", labels=False)
    look, colours = _chosen("preset", preset, PRESETS), _chosen("theme", theme, THEMES)
    if direction not in _DIRECTIONS:
        raise OptionError(
            f"direction must be one of {', '.join(_DIRECTIONS)}; got {short_repr(direction)}.", option="direction"
        )
    shown_nodes = VisibleNodes.of(tree, depth)
    rows = None if table is None else node_rows(tree, table, shown_nodes.deepest)
    target = rows.target if rows is not None and not tree.is_class else None
    cards = Cards(tree, colours, look, rows, _scale(tree, target), _answers_range(tree, shown_nodes.nodes))
    goes_right = direction == "right" or (direction == "auto" and shown_nodes.n_ends > _MOST_LEAVES_DOWN)
    frame = _Frame.of(shown_nodes, cards, goes_right)
    return _picture(tree, cards, shown_nodes, frame, title, width)


def _chosen(name: str, wanted: str, known: Mapping[str, Choice]) -> Choice:
    if wanted not in known:
        raise OptionError(
            f"{name} must be one of {', '.join(known)}; got {short_repr(wanted)}.",
            hint=did_you_mean(str(wanted), known),
            option=name,
        )
    return known[wanted]


@dataclasses.dataclass(frozen=True)
class _Frame:
    """Where everything stands: the upper left corner of each card, where its level ends, the lines along each link."""

    goes_right: bool
    cards: list[Card]
    corners: list[tuple[float, float]]
    level_ends: list[float]
    answers: list[list[str]]
    width: float
    height: float

    @classmethod
    def of(cls, shown_nodes: VisibleNodes, cards: Cards, goes_right: bool) -> _Frame:
        """Make the cards and lay them out."""
        pairs = list(zip(shown_nodes.nodes, shown_nodes.hidden, strict=True))
        made = [cards.chip(node, hidden) if goes_right else cards.card(node, hidden) for node, hidden in pairs]
        answers = _answers(shown_nodes, cards, goes_right)
        widths = [max([width_of(text, _size(cards)) for text in lines] + [0.0]) for lines in answers]
        if goes_right:
            breadths = [max(card.height, 1.6 * _size(cards)) for card in made]
            lengths = [card.width for card in made]
            gap = 5.0
            level_gap: list[float] | float = _level_gaps(shown_nodes, widths)
        else:
            breadths = [max(card.width, wide + 4) for card, wide in zip(made, widths, strict=True)]
            lengths = [card.height for card in made]
            gap = 10.0 if cards.preset.is_small else 16.0
            level_gap = 34.0 + 1.25 * _size(cards) * max(len(lines) for lines in answers)
        found = lay_out(shown_nodes.parent, shown_nodes.children, breadths, lengths, gap=gap, level_gap=level_gap)
        corners = []
        level = _levels(shown_nodes.parent)
        ends = list(found.level_start)
        for place, card in enumerate(made):
            at, start = found.across[place], found.level_start[level[place]]
            corners.append((start, at - card.height / 2) if goes_right else (at - card.width / 2, start))
            ends[level[place]] = max(ends[level[place]], start + lengths[place])
        level_ends = [ends[each] for each in level]
        size = (found.length, found.breadth) if goes_right else (found.breadth, found.length)
        return cls(goes_right, made, corners, level_ends, answers, *size)


def _levels(parent: list[int]) -> list[int]:
    level = [0] * len(parent)
    for place, above in enumerate(parent):
        level[place] = level[above] + 1 if above >= 0 else 0
    return level


def _level_gaps(shown_nodes: VisibleNodes, widths: list[float]) -> list[float]:
    level = _levels(shown_nodes.parent)
    widest = [0.0] * (max(level) + 1)
    for at, wide in zip(level, widths, strict=True):
        widest[at] = max(widest[at], wide)
    return [wide + 34.0 for wide in widest]


def _size(cards: Cards) -> float:
    return cards.preset.size - (1.0 if cards.preset.is_small else 1.5)


def _answers(shown_nodes: VisibleNodes, cards: Cards, goes_right: bool) -> list[list[str]]:
    """The lines along the link to each node; none for the root."""
    out: list[list[str]] = [[]]
    for place in range(1, len(shown_nodes.nodes)):
        above = shown_nodes.nodes[shown_nodes.parent[place]]
        words = cards.asked(above).answers[shown_nodes.branch[place]]
        if goes_right:
            out.append([truncate(words, 120, _size(cards))])
        else:
            out.append(wrap(words, 118, _size(cards), 2))
    return out


def _scale(tree: Tree, target: npt.NDArray[np.float64] | None) -> tuple[float, float]:
    """The range of target values that every small chart shares (numbers)."""
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


def _answers_range(tree: Tree, nodes: list[int]) -> tuple[float, float]:
    answers = tree.nodes.answer[nodes]
    return float(answers.min()), float(answers.max())


def _picture(
    tree: Tree, cards: Cards, shown_nodes: VisibleNodes, frame: _Frame, title: str | None, width: float | None
) -> Picture:
    colours = cards.theme
    target = tree.schema.target.name if tree.schema.target else "?"
    heading = title if title is not None else target
    full = max(frame.width, 300.0) + 2 * _MARGIN
    marked = [
        place
        for place, below in enumerate(shown_nodes.children)
        if below and cards.marks_missing(shown_nodes.nodes[place])
    ]
    legend, legend_height = _legend(tree, colours, heading, full - 2 * _MARGIN, bool(marked))
    top = _MARGIN + legend_height + 10
    left = (full - frame.width) / 2
    links = [_link(tree, cards, shown_nodes, frame, place) for place in range(1, len(shown_nodes.nodes))]
    words = [_along(tree, cards, shown_nodes, frame, place) for place in range(1, len(shown_nodes.nodes))]
    badges = [badge for place in marked for badge in _badges(tree, cards, shown_nodes, frame, place)]
    boxes = [
        tag("g", tag("title", escape(card.about)), card.inside, transform=f"translate({x:.2f} {y:.2f})")
        for card, (x, y) in zip(frame.cards, frame.corners, strict=True)
    ]
    body = tag("g", *links, *badges, *boxes, *words, transform=f"translate({left:.2f} {top:.2f})")
    height = top + frame.height + _MARGIN
    about = truncate(
        f"Tree of {heading}: {count_text(len(tree), 'node')}, {count_text(tree.n_leaves, 'leaf').replace('leafs', 'leaves')}",
        900,
        8,
    )
    svg = document(full, height, legend, body, about=about, background=colours.ground)
    if width is not None:
        svg, full, height = _scaled_to(svg, full, height, width)
    return Picture(svg, full, height, about, colours.ground)


def _scaled_to(svg: str, full: float, height: float, width: float) -> tuple[str, float, float]:
    """The same drawing shown at another width."""
    if not width > 0:
        raise OptionError(f"width must be above 0; got {short_repr(width)}.", option="width")
    tall = height * width / full
    head, rest = svg.split(" viewBox=", 1)
    start = head[: head.index(" width=")]
    return f'{start} width="{width:.6g}" height="{tall:.6g}" viewBox={rest}', float(width), tall


def _legend(tree: Tree, colours: Theme, heading: str, room: float, has_marks: bool) -> tuple[Markup, float]:
    """The title and what the colours mean, wrapped to the width of the picture."""
    parts = [
        label(
            _MARGIN,
            _MARGIN + 13,
            truncate(heading, room, 15, True),
            font_size=15,
            font_weight=700,
            fill=colours.words,
        )
    ]
    entries: list[tuple[str, str]] = []
    if tree.is_class:
        classes = tree.schema.classes
        entries = [(class_color(k, colours), truncate(str(name), 150, 11)) for k, name in enumerate(classes[:12])]
        if len(classes) > 12:
            entries.append(("", f"and {len(classes) - 12} more"))
    else:
        entries.append(
            (colours.number, "the darker, the higher" if colours.name == "light" else "the brighter, the higher")
        )
    if has_marks:
        entries.append(("?", "where unknown values go"))
    x, y = _MARGIN, _MARGIN + 34
    for colour, words in entries:
        wide = width_of(words, 11) + 30
        if x > _MARGIN and x + wide > _MARGIN + room:
            x, y = _MARGIN, y + 17
        if colour == "?":
            parts.append(_badge(x + 6, y - 4, colours))
        elif colour:
            parts.append(rect(x, y - 9, 11, 11, rx=2, fill=colour))
        parts.append(label(x + (16 if colour else 0), y, words, font_size=11, fill=colours.quiet))
        x += wide
    return join(parts), y - _MARGIN + 6


def _ends(shown_nodes: VisibleNodes, frame: _Frame, place: int) -> tuple[float, float, float, float]:
    """Where the link to a node starts and ends; starts are spread along the parent's edge."""
    above = shown_nodes.parent[place]
    siblings = shown_nodes.children[above]
    spread = (siblings.index(place) + 0.5) / len(siblings) - 0.5 if len(siblings) < 400 else 0.0
    (px, py), card, (cx, cy), child = frame.corners[above], frame.cards[above], frame.corners[place], frame.cards[place]
    if frame.goes_right:
        return px + card.width, py + card.height * (0.5 + 0.5 * spread), cx, cy + child.height / 2
    return px + card.width * (0.5 + 0.55 * spread), py + card.height, cx + child.width / 2, cy


def _breadth(tree: Tree, shown_nodes: VisibleNodes, frame: _Frame, place: int) -> float:
    """How wide a link is: in proportion to the rows that take it."""
    share = float(tree.nodes.rows[shown_nodes.nodes[place]]) / max(float(tree.nodes.rows[0]), 1.0)
    return max(1.2, (9.0 if frame.goes_right else 14.0) * min(share, 1.0))


def _link(tree: Tree, cards: Cards, shown_nodes: VisibleNodes, frame: _Frame, place: int) -> Markup:
    sx, sy, ex, ey = _ends(shown_nodes, frame, place)
    wide = _breadth(tree, shown_nodes, frame, place)
    # Straight past the longest card of the level first, so that no link runs behind a neighbour.
    end = frame.level_ends[shown_nodes.parent[place]]
    if frame.goes_right:
        bend = (
            f"M{sx:.2f} {sy:.2f}L{end:.2f} {sy:.2f}C{end + 22:.2f} {sy:.2f} {end + 4:.2f} {ey:.2f} "
            f"{end + 26:.2f} {ey:.2f}L{ex:.2f} {ey:.2f}"
        )
    else:
        middle = (end + ey) / 2
        bend = f"M{sx:.2f} {sy:.2f}L{sx:.2f} {end:.2f}C{sx:.2f} {middle:.2f} {ex:.2f} {middle:.2f} {ex:.2f} {ey:.2f}"
    return tag("path", d=bend, fill="none", stroke=cards.theme.link, stroke_width=wide)


def _along(tree: Tree, cards: Cards, shown_nodes: VisibleNodes, frame: _Frame, place: int) -> Markup:
    """The answer that a link stands for: above it, or close to the node it leads to, the ground round the letters."""
    size = _size(cards)
    (x, y), card, lines = frame.corners[place], frame.cards[place], frame.answers[place]
    look: dict[str, object] = {
        "font_size": size,
        "fill": cards.theme.words,
        "stroke": cards.theme.ground,
        "stroke_width": 3,
        "stroke_linejoin": "round",
        "paint_order": "stroke",
    }
    if frame.goes_right:
        above = y + card.height / 2 - _breadth(tree, shown_nodes, frame, place) / 2 - 3
        return label(x - 5, above, lines[0], text_anchor="end", **look)
    start = y - 8 - (len(lines) - 1) * 1.25 * size
    return join(
        label(x + card.width / 2, start + row * 1.25 * size, text, text_anchor="middle", **look)
        for row, text in enumerate(lines)
    )


def _badges(tree: Tree, cards: Cards, shown_nodes: VisibleNodes, frame: _Frame, place: int) -> list[Markup]:
    """A question mark on the link that unknown values take; on every link when they are shared out."""
    goes_to = int(tree.nodes.missing_branch[shown_nodes.nodes[place]])
    below = shown_nodes.children[place]
    chosen = below if goes_to == ALL_BRANCHES else below[goes_to : goes_to + 1] if goes_to >= 0 else []
    out = []
    end = frame.level_ends[place]
    for child in chosen:
        sx, sy, ex, ey = _ends(shown_nodes, frame, child)
        if frame.goes_right:
            out.append(_badge(end + 13, (sy + ey) / 2, cards.theme))
        else:
            out.append(_badge(sx + (ex - sx) * 0.16, end + (ey - end) * 0.3, cards.theme))
    return out


def _badge(x: float, y: float, colours: Theme) -> Markup:
    ring = tag("circle", cx=x, cy=y, r=6, fill=colours.card, stroke=colours.quiet, stroke_width=1)
    return join([ring, label(x, y + 3.2, "?", font_size=9, font_weight=700, fill=colours.quiet, text_anchor="middle")])
