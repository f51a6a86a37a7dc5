"""Plots of explanations.

    importances     bars, largest first, with intervals where the method is repeated
    contributions   one row as steps from the base to the prediction: increases to the right, decreases to the left
    dependence      the prediction as one column changes: steps, points or levels; single rows as thin lines behind

Each is a Picture; partial dependence can also be drawn on Matplotlib axes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hornbeam.drawing.axes import Axes, finish_plot, legend, pad_range
from hornbeam.drawing.colors import Theme, class_color
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.plots import importance as bars
from hornbeam.drawing.plots import theme_named
from hornbeam.drawing.svg import Markup, label, line, rect, tag
from hornbeam.drawing.text import short_number, truncate, width_of
from hornbeam.errors import InputError
from hornbeam.explanation import Contributions, Importance, PartialDependence
from hornbeam.table.column import Kind

_ROW = 24.0
_MAX_LINES = 120
_MAX_LEVELS = 40
_MAX_OUTPUTS = 8


def importance_bars(found: Importance, *, most: int = 20, theme: str = "light", title: str | None = None) -> Picture:
    """Importances as bars, with intervals where there are any."""
    named = title if title is not None else f"Importance by {found.method}"
    return bars(found.ranked(), found.intervals() or None, most=most, theme=theme, title=named)


def contribution_steps(
    found: Contributions,
    row: int = 0,
    output: Any = None,
    *,
    most: int = 12,
    theme: str = "light",
    title: str | None = None,
) -> Picture:
    """The contributions of one row as steps from the base to the prediction, largest first."""
    look = theme_named(theme)
    index = found.output(output)
    steps = _steps(found, row, output, most)
    ends = np.cumsum([float(found.base[index]), *(gain for _, gain in steps)])
    names = [name for name, _ in steps]
    name_width = min(max([width_of(name, 11) for name in names] + [90.0]), 230.0)
    low, high = pad_range(ends.tolist(), 0.12)
    axes = Axes((low, high), (0.0, 1.0), 340.0, _ROW * (len(names) + 2) + 6, look, left=name_width + 20)
    name = found.outputs[index]
    what = name if found.scale == "number" else f"{found.scale} of {name}"
    parts: list[Markup] = [axes.frame(what, "", y_ticks=())]
    parts += _marked(axes, look, "base", float(ends[0]), 0)
    for i, (_, gain) in enumerate(steps):
        y = axes.top + 8 + _ROW * (i + 1)
        left, right = sorted((axes.x(float(ends[i])), axes.x(float(ends[i + 1]))))
        color = class_color(0 if gain >= 0 else 4, look)
        parts += [
            label(
                axes.left - 8,
                y + 12,
                truncate(names[i], name_width, 11),
                font_size=11,
                fill=look.text,
                text_anchor="end",
            ),
            rect(left, y, max(right - left, 1.0), 16, rx=2, fill=color),
            *_gain_text(axes, look, gain, left, right, y),
        ]
        parts.append(_joint(axes, look, float(ends[i + 1]), y + 16, _ROW - 16))
    parts += _marked(axes, look, "prediction", float(ends[-1]), len(steps) + 1)
    return finish_plot(axes, title if title is not None else f"Row {row}: {what}", *parts)


def _steps(found: Contributions, row: int, output: Any, most: int) -> list[tuple[str, float]]:
    gains = [(name, gain) for name, gain in found.of(row, output).items() if gain != 0]
    steps = [
        (f"{name} = {found.data[found.schema.position(name)].shown_value(row)}", gain) for name, gain in gains[:most]
    ]
    if len(gains) > most:
        steps.append((f"{len(gains) - most} other columns", sum(gain for _, gain in gains[most:])))
    return steps


def _marked(axes: Axes, look: Theme, text: str, value: float, row: int) -> list[Markup]:
    """The base or the prediction: a dot with its number."""
    y = axes.top + 8 + _ROW * row
    x = axes.x(value)
    is_left = x > axes.left + axes.width - 60
    return [
        label(axes.left - 8, y + 12, text, font_size=11, font_weight=700, fill=look.text, text_anchor="end"),
        tag("circle", cx=x, cy=y + 8, r=4.5, fill=look.text),
        label(
            x + (-9 if is_left else 9),
            y + 12,
            short_number(value),
            font_size=11,
            font_weight=700,
            fill=look.text,
            text_anchor="end" if is_left else "start",
        ),
    ]


def _gain_text(axes: Axes, look: Theme, gain: float, left: float, right: float, y: float) -> list[Markup]:
    text = ("+" if gain >= 0 else "") + short_number(gain, 3)
    wide = width_of(text, 11)
    at, anchor = (right + 5, "start") if right + wide + 8 < axes.left + axes.width else (left - 5, "end")
    return [label(at, y + 12, text, font_size=11, fill=look.text, text_anchor=anchor)]


def _joint(axes: Axes, look: Theme, value: float, y: float, height: float) -> Markup:
    return line(axes.x(value), y, axes.x(value), y + height, stroke=look.quiet, stroke_width=1)


def dependence_curve(found: PartialDependence, *, theme: str = "light", title: str | None = None) -> Picture:
    """The prediction as one column changes: one line per class, of two classes the second only."""
    look = theme_named(theme)
    outputs = _outputs(found)
    values = found.mean[:, outputs]
    drawn = [values.ravel()] if found.individual is None else [values.ravel(), found.individual[:, :, outputs].ravel()]
    up = (0.0, 1.0) if found.scale == "probability" else pad_range(np.concatenate(drawn).tolist())
    across = _across(found)
    axes = Axes(across, up, 380.0, 260.0, look, top=56.0)
    name = found.spec.name
    what = found.scale if found.scale != "number" else found.outputs[-1]
    parts: list[Markup] = [axes.frame(name, what, x_ticks=() if found.spec.has_levels else None)]
    if len(outputs) > 1:
        parts.insert(0, legend(axes, [(class_color(k, look), found.outputs[k]) for k in outputs], 44.0))
    if found.individual is not None and len(outputs) == 1 and found.spec.kind is not Kind.NOMINAL:
        chosen = np.linspace(0, len(found.individual) - 1, min(len(found.individual), _MAX_LINES)).astype(np.int64)
        for each in found.individual[chosen, :, outputs[0]]:
            parts.append(_curve(axes, found, each, stroke=look.quiet, stroke_width=0.7, stroke_opacity=0.35))
    for k in outputs:
        if found.spec.kind is not Kind.NOMINAL:  # there is no value between nominal levels
            parts.append(_curve(axes, found, found.mean[:, k], stroke=class_color(k, look), stroke_width=2.2))
        if found.spec.has_levels:
            dots = zip(found.grid.tolist(), found.mean[:, k].tolist(), strict=True)
            parts += [axes.dot(x, y, fill=class_color(k, look)) for x, y in dots]
    if found.spec.has_levels:
        parts += _level_names(axes, found, look)
    about = f"Prediction by {name}" + ("" if len(outputs) > 1 else f": {found.outputs[outputs[0]]}")
    return finish_plot(axes, title if title is not None else about, *parts)


def _outputs(found: PartialDependence) -> list[int]:
    if len(found.outputs) <= 2:
        return [len(found.outputs) - 1]
    return list(range(min(len(found.outputs), _MAX_OUTPUTS)))


def _across(found: PartialDependence) -> tuple[float, float]:
    if found.spec.has_levels:
        if len(found.grid) > _MAX_LEVELS:
            raise InputError(f"A plot of partial dependence has at most {_MAX_LEVELS} levels, got {len(found.grid)}.")
        return -0.5, len(found.grid) - 0.5
    ends = found.edges if len(found.edges) else found.grid
    low, high = float(ends[0]), float(ends[-1])
    return (low, high) if high > low and math.isfinite(high - low) else (low - 0.5, low + 0.5)


def _curve(axes: Axes, found: PartialDependence, values: Any, **look: object) -> Markup:
    """Steps between the cuts, or points joined by lines."""
    if not len(found.edges):
        return axes.curve(found.grid.tolist(), values.tolist(), **look)
    xs = np.repeat(found.edges, 2)[1:-1]
    return axes.curve(xs.tolist(), np.repeat(values, 2).tolist(), **look)


def _level_names(axes: Axes, found: PartialDependence, look: Theme) -> list[Markup]:
    name_width = axes.width / max(len(found.grid), 1)
    floor = axes.top + axes.height + 14
    return [
        label(axes.x(x), floor, truncate(text, name_width, 10), font_size=10, fill=look.quiet, text_anchor="middle")
        for x, text in zip(found.grid.tolist(), found.labels(), strict=True)
    ]


def plot_dependence(ax: Any, found: PartialDependence, **look: Any) -> Any:
    """The prediction as one column changes, on Matplotlib axes."""
    for k in _outputs(found):
        given = {"label": found.outputs[k], **look}
        if found.spec.has_levels:
            joined = "" if found.spec.kind is Kind.NOMINAL else "-"
            ax.plot(found.labels(), found.mean[:, k], marker="o", **{"linestyle": joined, **given})
        elif len(found.edges):
            ax.stairs(found.mean[:, k], found.edges, baseline=None, **given)
        else:
            ax.plot(found.grid, found.mean[:, k], **given)
    ax.set(xlabel=found.spec.name, ylabel=found.scale if found.scale != "number" else found.outputs[-1])
    return ax
