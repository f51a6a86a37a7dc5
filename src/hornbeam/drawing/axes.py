"""The frame of a plot: a box with round ticks and labels, and the scales from values to pixels."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence

from hornbeam.drawing.colors import Theme
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import Markup, document, join, label, line, rect, tag
from hornbeam.drawing.text import short_number, truncate, width_of

_LEFT, _TOP, _BOTTOM, _RIGHT = 62.0, 46.0, 46.0, 18.0
_LEGEND_LINE = 17.0
CAPTION_TOP = 58.0  # the top of a plot with a caption


@dataclasses.dataclass(frozen=True)
class Axes:
    """The area of a plot: two ranges of values on a box of pixels."""

    across: tuple[float, float]
    up: tuple[float, float]
    width: float
    height: float
    theme: Theme
    left: float = _LEFT
    top: float = _TOP
    bottom: float = _BOTTOM

    def x(self, at: float) -> float:
        """The pixel of a value on the horizontal axis."""
        low, high = self.across
        return self.left + (at - low) / (high - low) * self.width

    def y(self, at: float) -> float:
        """The pixel of a value on the vertical axis."""
        low, high = self.up
        return self.top + self.height - (at - low) / (high - low) * self.height

    def curve(self, xs: Iterable[float], ys: Iterable[float], **look: object) -> Markup:
        """Points joined by lines."""
        points = " ".join(f"{self.x(a):.2f},{self.y(b):.2f}" for a, b in zip(xs, ys, strict=True))
        return tag("polyline", points=points, fill="none", **look)

    def dot(self, x: float, y: float, radius: float = 3.5, **look: object) -> Markup:
        """A point."""
        return tag("circle", cx=self.x(x), cy=self.y(y), r=radius, **look)

    def text(self, x: float, y: float, text: str, **look: object) -> Markup:
        """Text at a point of the plot."""
        given: dict[str, object] = {"font_size": 11, "fill": self.theme.quiet, **look}
        return label(self.x(x), self.y(y), text, **given)

    def frame(
        self,
        x_label: str,
        y_label: str,
        *,
        x_ticks: Sequence[float] | None = None,
        y_ticks: Sequence[float] | None = None,
        x_text: Callable[[float], str] = short_number,
    ) -> Markup:
        """Box, grid, ticks and labels."""
        theme = self.theme
        xs = ticks(*self.across) if x_ticks is None else x_ticks
        ys = ticks(*self.up) if y_ticks is None else y_ticks
        floor, right = self.top + self.height, self.left + self.width
        grid = {"stroke": theme.edge, "stroke_width": 0.6, "stroke_opacity": 0.6}
        small: dict[str, object] = {"font_size": 10, "fill": theme.quiet}
        parts = [line(self.x(at), self.top, self.x(at), floor, **grid) for at in xs]
        parts += [line(self.left, self.y(at), right, self.y(at), **grid) for at in ys]
        parts += [label(self.x(at), floor + 14, x_text(at), text_anchor="middle", **small) for at in xs]
        parts += [label(self.left - 6, self.y(at) + 3.5, short_number(at), text_anchor="end", **small) for at in ys]
        parts.append(rect(self.left, self.top, self.width, self.height, fill="none", stroke=theme.edge))
        middle = self.left + self.width / 2
        parts.append(
            label(
                middle,
                floor + self.bottom - 13,
                truncate(x_label, self.width, 12),
                font_size=12,
                fill=theme.text,
                text_anchor="middle",
            )
        )
        if y_label:
            at = self.top + self.height / 2
            parts.append(
                label(
                    0,
                    0,
                    truncate(y_label, self.height, 12),
                    font_size=12,
                    fill=theme.text,
                    text_anchor="middle",
                    transform=f"translate(16 {at:.2f}) rotate(-90)",
                )
            )
        return join(parts)


def finish_plot(axes: Axes, title: str, *inside: Markup, caption: str = "") -> Picture:
    """A whole plot with a title, and a line below it where `axes.top` leaves space."""
    width, height = axes.left + axes.width + _RIGHT, axes.top + axes.height + axes.bottom
    theme = axes.theme
    lines = [(26.0, title, 15.0, True), *([(43.0, caption, 11.0, False)] if caption else [])]
    head = _headings(axes, lines)
    about = truncate(title, 900, 8)
    markup = document(width, height, head, *inside, about=about, background=theme.ground)
    return Picture(markup, width, height, about, theme.ground)


def _headings(axes: Axes, lines: Sequence[tuple[float, str, float, bool]]) -> Markup:
    """Lines above the plot (height, text, size, bold); they start at the plot, or further left if one is too long."""
    available = axes.left + axes.width - 10
    texts = [truncate(text, available, size, is_bold) for _, text, size, is_bold in lines]
    widest = max(width_of(text, size, is_bold) for text, (_, _, size, is_bold) in zip(texts, lines, strict=True))
    x = min(axes.left, max(10.0, axes.left + axes.width - widest))
    parts = []
    for text, (y, _, size, is_bold) in zip(texts, lines, strict=True):
        look = {"font_weight": 700, "fill": axes.theme.text} if is_bold else {"fill": axes.theme.quiet}
        parts.append(label(x, y, text, font_size=size, **look))
    return join(parts)


def key(axes: Axes, entries: Sequence[tuple[str, str]], *, is_right: bool = True) -> Markup:
    """Colored squares with labels inside the plot, one per line, in its lower right or upper left corner."""
    if not entries:
        return join(())
    parts: list[Markup] = []
    x = axes.left + axes.width - 10 - max((width_of(name, 11) for _, name in entries)) - 14
    y = axes.top + axes.height - 12 - 16 * (len(entries) - 1)
    if not is_right:
        x, y = axes.left + 12, axes.top + 18
    back = rect(x - 6, y - 14, axes.left + axes.width - 4 - x + 2, 16 * len(entries) + 6, rx=3, fill=axes.theme.ground)
    for color, name in entries:
        parts += [rect(x, y - 9, 10, 10, rx=2, fill=color), label(x + 14, y, name, font_size=11, fill=axes.theme.text)]
        y += 16
    return join([*([back] if is_right else ()), *parts])


def legend(axes: Axes, entries: Sequence[tuple[str, str]], y: float = 40.0) -> Markup:
    """Colored squares with labels above the plot; `y` is the baseline of the first line."""
    parts: list[Markup] = []
    for row, line_ in enumerate(legend_lines(entries, axes.width)):
        x = axes.left
        for color, text in line_:
            parts += [
                rect(x, y + _LEGEND_LINE * row - 9, 10, 10, rx=2, fill=color),
                label(x + 14, y + _LEGEND_LINE * row, text, font_size=11, fill=axes.theme.quiet),
            ]
            x += _entry_width(text)
    return join(parts)


def legend_lines(entries: Sequence[tuple[str, str]], width: float) -> list[list[tuple[str, str]]]:
    """The entries of a legend in lines that fit."""
    lines: list[list[tuple[str, str]]] = [[]]
    used = 0.0
    for color, name in entries:
        text = truncate(name, 140, 11)
        if lines[-1] and used + _entry_width(text) - 16 > width:
            lines.append([])
            used = 0.0
        lines[-1].append((color, text))
        used += _entry_width(text)
    return lines


def _entry_width(text: str) -> float:
    return width_of(text, 11) + 30


def left_margin(up: tuple[float, float]) -> float:
    """The margin that the numbers of a vertical axis and its label need."""
    return max(_LEFT, 34 + max(width_of(short_number(at), 10) for at in ticks(*up)))


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers inside a range: steps of 1, 2 or 5 times a power of ten."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    first = math.ceil(low / step - 1e-9)
    found = [0.0 if abs(k * step) < step / 1e6 else k * step for k in range(first, first + 2 * about + 2)]
    return [at for at in found if at <= high + step * 1e-9]


def pad_range(values: Sequence[float], share: float = 0.04) -> tuple[float, float]:
    """The range of finite values with a margin at both ends."""
    known = [value for value in values if math.isfinite(value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if high <= low:
        return low - 0.5, high + 0.5
    return low - share * (high - low), high + share * (high - low)
