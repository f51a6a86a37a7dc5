"""A comparison of methods: one line per method, one dot per metric on a common scale, a whisker for its uncertainty.

    reduced error       o-----|--*--|        12 leaves
    pessimistic           o    |-*-|          7 leaves

The best line is marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hornbeam.drawing.axes import Axes, finish_plot, legend, pad_range
from hornbeam.drawing.colors import class_color, theme_named
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import Markup, label, line, rect
from hornbeam.drawing.text import truncate, width_of
from hornbeam.errors import InputError

_ROW = 22.0


def dot_plot(
    names: Sequence[str],
    metrics: Mapping[str, Sequence[float | None]],
    *,
    whiskers: Mapping[str, Sequence[float | None]] | None = None,
    notes: Sequence[str] = (),
    marked: int | None = None,
    scale: str = "error",
    title: str = "Comparison",
    theme: str = "light",
) -> Picture:
    """A dot per metric and name; `whiskers` are plus and minus, `notes` are printed at the right end of a line."""
    if not names:
        raise InputError("names must not be empty.")
    look, spread = theme_named(theme), whiskers or {}
    available = min(max([width_of(name, 11) for name in names] + [40.0]), 260.0)
    wide = max([width_of(note, 11) for note in notes] + [0.0]) + 14
    axes = Axes(
        pad_range(_reach(metrics, spread)), (0.0, 1.0), 320.0, _ROW * len(names) + 6, look, left=available + 20, top=58
    )
    parts: list[Markup] = [axes.frame(scale, "", y_ticks=())]
    for row, name in enumerate(names):
        y = axes.top + _ROW * (row + 0.5) + 3
        if row == marked:
            frame = rect(axes.left, y - 10, axes.width, 20, rx=3, fill="none", stroke=look.mark, stroke_width=1.4)
            parts.append(frame)
        style: dict[str, object] = {"font_size": 11, "fill": look.text}
        parts.append(label(axes.left - 8, y + 4, truncate(name, available, 11), text_anchor="end", **style))
        for index, (metric, values) in enumerate(metrics.items()):
            parts += _mark(axes, y, values[row], spread.get(metric, [None] * len(names))[row], class_color(index, look))
        if notes:
            parts.append(label(axes.left + axes.width + 8, y + 4, notes[row], font_size=11, fill=look.quiet))
    keys = [(class_color(index, look), metric) for index, metric in enumerate(metrics)]
    parts.append(legend(axes, keys, y=46.0))
    whole = Axes(axes.across, axes.up, axes.width + wide, axes.height, look, left=axes.left, top=axes.top)
    return finish_plot(whole, title, *parts)


def _mark(axes: Axes, y: float, value: float | None, spread: float | None, color: str) -> list[Markup]:
    if value is None:
        return []
    up = 1 - (y - axes.top) / axes.height
    parts = [axes.dot(value, up, 4, fill=color, fill_opacity=0.9)]
    if spread:
        parts.append(line(axes.x(value - spread), y, axes.x(value + spread), y, stroke=color, stroke_width=1.4))
    return parts


def _reach(metrics: Mapping[str, Sequence[float | None]], spread: Mapping[str, Sequence[float | None]]) -> list[float]:
    """All values that must be on the scale."""
    found = []
    for metric, values in metrics.items():
        around = spread.get(metric, [None] * len(values))
        for value, more in zip(values, around, strict=True):
            if value is not None:
                found += [value - (more or 0.0), value + (more or 0.0)]
    return found
