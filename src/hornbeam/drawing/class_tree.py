"""How does a tree of classes look?  Sets of classes as cards, split in two down to single classes in their colours.

A card that is split says how many classes and rows it holds and how well its two groups are told apart; a bar shows its
classes' colours, as wide as the classes have rows. Wide trees go to the right, like all our trees.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam.drawing.colours import Theme, class_colour, leaf_colour
from hornbeam.drawing.layout import Placed, placed
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.plots import themed
from hornbeam.drawing.svg import Markup, drawing, joined, label, rect, tag, written
from hornbeam.drawing.text import counted, cut, short_number, width_of, wrapped
from hornbeam.ensembles.reductions.class_tree import ClassTree

_MARGIN = 18.0
_SIZE = 12.0
_WIDEST = 190.0
_MOST_LEAVES_DOWN = 14


def class_tree(tree: ClassTree, *, theme: str = "light", title: str = "Classes") -> Picture:
    """A picture of a class tree, `ClassTreeClassifier.class_tree_`."""
    look = themed(theme)
    lines = [_lines(tree, place) for place in range(len(tree.nodes))]
    widths = [max(width_of(line, _SIZE, row == 0) for row, line in enumerate(each)) + 22 for each in lines]
    heights = [16.0 * len(each) + (10.0 if node.is_leaf else 20.0) for each, node in zip(lines, tree.nodes)]
    leaves = sum(node.is_leaf for node in tree.nodes)
    goes_right = leaves > _MOST_LEAVES_DOWN
    found = _laid_out(tree, widths, heights, goes_right)
    corners = _corners(tree, found, widths, heights, goes_right)
    links = [_link(corners, widths, heights, node.parent, place, look, goes_right)
             for place, node in enumerate(tree.nodes) if node.parent >= 0]  # fmt: skip
    cards = [_card(tree, place, lines[place], widths[place], heights[place], corners[place], look)
             for place in range(len(tree.nodes))]  # fmt: skip
    size = (found.length, found.breadth) if goes_right else (found.breadth, found.length)
    words = f"{counted(tree.n_classifiers, 'classifier')}, a row meets {_met(tree)}"
    width = max(size[0], width_of(words, 11), width_of(title, 15, True), 200.0) + 2 * _MARGIN
    top = _MARGIN + 50
    heading = label(_MARGIN, _MARGIN + 13, cut(title, width - 2 * _MARGIN, 15, True), font_size=15, font_weight=700,
                    fill=look.words)  # fmt: skip
    below = label(_MARGIN, _MARGIN + 32, words, font_size=11, fill=look.quiet)
    body = tag("g", *links, *cards, transform=f"translate({(width - size[0]) / 2:.2f} {top:.2f})")
    about = cut(f"{title}: {counted(leaves, 'class').replace('classs', 'classes')}, {words}", 900, 8)
    height = top + size[1] + _MARGIN
    svg = drawing(width, height, heading, below, body, about=about, background=look.ground)
    return Picture(svg, width, height, about, look.ground)


def _met(tree: ClassTree) -> str:
    """How many classifiers rows meet: '1 to 3 of them'."""
    lengths = tree.path_lengths.values()
    low, high = min(lengths), max(lengths)
    return f"{low} of them" if low == high else f"{low} to {high} of them"


def _lines(tree: ClassTree, place: int) -> list[str]:
    """The words on a card."""
    node = tree.nodes[place]
    rows = [] if node.rows is None else [counted(node.rows, "row")]
    if node.is_leaf:
        return [cut(tree.group_words(place), _WIDEST, _SIZE, True), *rows]
    groups = [wrapped(tree.group_words(side), _WIDEST, _SIZE, 2, True) for side in (node.first, node.second)]
    score = [] if node.score is None else [f"{tree.scored_by} {short_number(node.score)}"]
    return [*groups[0], *(f"or {line}" if not row else line for row, line in enumerate(groups[1])),
            " · ".join([*rows, *score]) or f"{len(node.classes)} classes"]  # fmt: skip


def _laid_out(tree: ClassTree, widths: Sequence[float], heights: Sequence[float], goes_right: bool) -> Placed:
    parents = [node.parent for node in tree.nodes]
    children = [[] if node.is_leaf else [node.first, node.second] for node in tree.nodes]
    breadths, lengths = (heights, widths) if goes_right else (widths, heights)
    return placed(parents, children, breadths, lengths, gap=8.0 if goes_right else 16.0, level_gap=38.0)


def _corners(
    tree: ClassTree, found: Placed, widths: Sequence[float], heights: Sequence[float], goes_right: bool
) -> list[tuple[float, float]]:
    level = [0] * len(tree.nodes)
    out = []
    for place, node in enumerate(tree.nodes):
        level[place] = level[node.parent] + 1 if node.parent >= 0 else 0
        at, start = found.across[place], found.level_start[level[place]]
        out.append((start, at - heights[place] / 2) if goes_right else (at - widths[place] / 2, start))
    return out


def _link(
    corners: Sequence[tuple[float, float]], widths: Sequence[float], heights: Sequence[float], above: int, below: int,
    look: Theme, goes_right: bool,
) -> Markup:  # fmt: skip
    (px, py), (cx, cy) = corners[above], corners[below]
    if goes_right:
        sx, sy, ex, ey = px + widths[above], py + heights[above] / 2, cx, cy + heights[below] / 2
        middle = (sx + ex) / 2
        bend = f"M{sx:.2f} {sy:.2f}C{middle:.2f} {sy:.2f} {middle:.2f} {ey:.2f} {ex:.2f} {ey:.2f}"
    else:
        sx, sy, ex, ey = px + widths[above] / 2, py + heights[above], cx + widths[below] / 2, cy
        middle = (sy + ey) / 2
        bend = f"M{sx:.2f} {sy:.2f}C{sx:.2f} {middle:.2f} {ex:.2f} {middle:.2f} {ex:.2f} {ey:.2f}"
    return tag("path", d=bend, fill="none", stroke=look.link, stroke_width=2.5)


def _card(
    tree: ClassTree, place: int, lines: Sequence[str], width: float, height: float, corner: tuple[float, float],
    look: Theme,
) -> Markup:  # fmt: skip
    node = tree.nodes[place]
    fill = leaf_colour(node.classes[0], 0.8, look) if node.is_leaf else look.card
    n_bold = 1 if node.is_leaf else len(lines) - 1
    parts = [rect(0, 0, width, height, rx=5, fill=fill, stroke=look.edge, stroke_width=1)]
    for row, text in enumerate(lines):
        is_bold = row < n_bold
        parts.append(
            label(
                width / 2,
                17 + 16 * row,
                text,
                font_size=_SIZE if is_bold else 11,
                text_anchor="middle",
                font_weight=600 if is_bold else None,
                fill=look.words if is_bold or node.is_leaf else look.quiet,
            )  # fmt: skip
        )
    if not node.is_leaf:
        parts.append(_bar(tree, place, width, height - 11, look))
    title = tag("title", written(tree.group_words(place)))
    return tag("g", title, *parts, transform=f"translate({corner[0]:.2f} {corner[1]:.2f})")


def _bar(tree: ClassTree, place: int, width: float, y: float, look: Theme) -> Markup:
    """The classes of a node in their colours, as wide as they have rows, the first group first."""
    node = tree.nodes[place]
    order = [*tree.nodes[node.first].classes, *tree.nodes[node.second].classes]
    rows = {each.classes[0]: each.rows for each in tree.nodes if each.is_leaf}
    sizes = [float(rows[code] or 1) for code in order]
    room, x = width - 16, 8.0
    parts = []
    for code, size in zip(order, sizes, strict=True):
        wide = room * size / sum(sizes)
        parts.append(rect(x, y, wide, 5, fill=class_colour(code, look)))
        x += wide
    return joined(parts)
