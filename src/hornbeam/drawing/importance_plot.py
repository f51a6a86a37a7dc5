"""Importances of columns as bars, the largest first, with intervals where there are any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hornbeam.drawing.axes import CAPTION_TOP, Axes, finish_plot
from hornbeam.drawing.colors import class_color, theme_named
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import Markup, label, line, rect
from hornbeam.drawing.text import short_number, truncate, width_of
from hornbeam.errors import InputError
from hornbeam.explanation import Importance
from hornbeam.explanation import importance as importance_of

_ROW = 22.0


def importance(
    model: Any,
    rows: Any = None,
    method: str = "impurity",
    *,
    most: int = 20,
    theme: str = "light",
    title: str | None = None,
    **settings: Any,
) -> Picture:
    """The importance of the columns of a model as bars; the method and the settings are those of `hb.importance`.

    Instead of a model, an `Importance` or a mapping from names to values. At most `most` columns are drawn.
    """
    if isinstance(model, Mapping):
        return bars(model, most=most, theme=theme, title="Importance" if title is None else title)
    found = model if isinstance(model, Importance) else importance_of(model, rows, method, **settings)
    ranked = found.ranked()
    hidden = len(ranked) - most
    caption = found.description + (f"; {hidden:,} other columns" if hidden > 0 else "")
    return bars(
        ranked,
        found.intervals(),
        most=most,
        theme=theme,
        title=f"Importance by {found.method}" if title is None else title,
        caption=caption,
    )


def plot_importance(ax: Any, values: Mapping[str, float] | Importance, *, most: int = 20, **look: Any) -> Any:
    """Importances as bars on Matplotlib axes, the largest on top."""
    known = values.ranked() if isinstance(values, Importance) else values
    names = _largest(known, most)[::-1]
    ax.barh(range(len(names)), [known[name] for name in names], **look)
    ax.set_yticks(range(len(names)), labels=names)
    ax.set(xlabel="importance")
    return ax


def bars(
    values: Mapping[str, float],
    intervals: Mapping[str, tuple[float, float]] | None = None,
    *,
    most: int | None = None,
    scale: str = "importance",
    theme: str = "light",
    title: str = "Importance",
    caption: str = "",
    with_values: bool = False,
) -> Picture:
    """One bar per value: the `most` largest ones first, or all in the given order; with whiskers for intervals."""
    names = list(values) if most is None else _largest(values, most)
    look = theme_named(theme)
    name_width = min(max([width_of(name, 11) for name in names] + [40.0]), 200.0)
    reach = [*values.values(), *(end for ends in (intervals or {}).values() for end in ends), 0.0]
    low, high = min(reach), max(reach)
    top = high + (0.16 if with_values else 0.04) * (high - low) if high > low else low + 1.0
    above = CAPTION_TOP if caption else 46.0
    width = min(max(340.0, width_of(caption, 11) - name_width), 460.0)
    axes = Axes((low, top), (0.0, 1.0), width, _ROW * len(names) + 6, look, left=name_width + 20, top=above)
    parts = [axes.frame(scale, "", y_ticks=())]
    for row, name in enumerate(names):
        y = axes.top + 6 + _ROW * row
        ends = sorted((axes.x(0.0), axes.x(values[name])))
        text = truncate(name, name_width, 11)
        parts += [
            label(axes.left - 8, y + 12, text, font_size=11, fill=look.text, text_anchor="end"),
            rect(ends[0], y, ends[1] - ends[0], 16, rx=2, fill=class_color(0, look)),
        ]
        if with_values:
            parts.append(label(ends[1] + 5, y + 12, short_number(values[name], 3), font_size=11, fill=look.text))
        if intervals and name in intervals:
            parts += _whisker(axes.x(intervals[name][0]), axes.x(intervals[name][1]), y + 8, look.text)
    return finish_plot(axes, title, *parts, caption=caption)


def _whisker(low: float, high: float, y: float, color: str) -> list[Markup]:
    style: dict[str, object] = {"stroke": color, "stroke_width": 1.4}
    ends = [line(x, y - 3, x, y + 3, **style) for x in (low, high)]
    return [line(low, y, high, y, **style), *ends]


def _largest(values: Mapping[str, float], most: int) -> list[str]:
    if not values:
        raise InputError("There are no importances to plot.")
    return sorted(values, key=lambda name: -values[name])[:most]
