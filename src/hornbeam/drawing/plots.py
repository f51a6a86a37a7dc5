"""Plots of curves and bars, in the style of the trees.

roc           sensitivity against 1 - specificity, from a RocCurve or Scores
calibration   observed fraction against predicted probability, with intervals, from reliability bins or Scores
importance    bars, largest first, with intervals where given
complexity    error against the size of the tree, from a ComplexityTable; the 1-SE choice is marked

Each is a Picture, and `plot_...` draws it on Matplotlib axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.drawing.axes import Axes, finish_plot, legend, pad_range, ticks
from hornbeam.drawing.colors import THEMES, Theme, class_color
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import Markup, label, line, rect
from hornbeam.drawing.text import short_number, truncate, width_of
from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.evaluation import Scores
from hornbeam.evaluation.calibration import Bin
from hornbeam.evaluation.roc import RocCurve
from hornbeam.parts.prunings.machinery.complexity_table import ComplexityTable

_SIDE = 320.0


def theme_named(theme: str) -> Theme:
    """A theme by name."""
    if theme not in THEMES:
        raise OptionError(f"theme must be one of {', '.join(THEMES)}, got {short_repr(theme)}.", option="theme")
    return THEMES[theme]


def roc(given: RocCurve | Scores, *, theme: str = "light", title: str = "ROC") -> Picture:
    """The ROC curve as a picture."""
    curve, area = _roc_of(given)
    axes = Axes((0.0, 1.0), (0.0, 1.0), _SIDE, _SIDE, theme_named(theme))
    look = {"stroke": class_color(0, axes.theme), "stroke_width": 2.2, "stroke_linejoin": "round"}
    diagonal = axes.curve((0, 1), (0, 1), stroke=axes.theme.quiet, stroke_dasharray="4 4", stroke_width=1)
    area_label = axes.text(0.97, 0.06, area, text_anchor="end", font_size=12, fill=axes.theme.text)
    return finish_plot(
        axes,
        title,
        axes.frame("1 − specificity", "sensitivity"),
        diagonal,
        axes.curve(curve.false_positive_rates, curve.true_positive_rates, **look),
        area_label,
    )


def plot_roc(ax: Any, given: RocCurve | Scores, **look: Any) -> Any:
    """The ROC curve on Matplotlib axes."""
    curve, area = _roc_of(given)
    ax.plot([0, 1], [0, 1], linestyle="--", color="0.6", linewidth=1)
    ax.plot(curve.false_positive_rates, curve.true_positive_rates, **{"label": area or None, **look})
    ax.set(xlabel="1 - specificity", ylabel="sensitivity", xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    return ax


def _roc_of(given: RocCurve | Scores) -> tuple[RocCurve, str]:
    if isinstance(given, RocCurve):
        return given, ""
    if given.roc is None:
        raise InputError(
            "These scores have no ROC curve.",
            fix=Set("positive", inside="evaluate", purpose="with class probabilities, on rows of two classes"),
        )
    area = given.metrics.get("auc")
    return given.roc, "" if area is None else f"AUC {area.value_text} ({area.interval_text})"


def calibration(given: Sequence[Bin] | Scores, *, theme: str = "light", title: str = "Calibration") -> Picture:
    """The reliability curve as a picture: the size of a dot is the weight of its bin, with intervals."""
    bins = _bins_of(given)
    axes = Axes((0.0, 1.0), (0.0, 1.0), _SIDE, _SIDE, theme_named(theme))
    color = class_color(0, axes.theme)
    most = max((each.weight for each in bins), default=1.0)
    parts: list[Markup] = [axes.curve((0, 1), (0, 1), stroke=axes.theme.quiet, stroke_dasharray="4 4", stroke_width=1)]
    for each in bins:
        x = axes.x(each.mean_probability)
        parts.append(line(x, axes.y(each.low), x, axes.y(each.high), stroke=color, stroke_width=1.4))
        parts.append(axes.dot(each.mean_probability, each.positive, 2.5 + 5 * (each.weight / most) ** 0.5, fill=color))
    return finish_plot(axes, title, axes.frame("predicted probability", "observed fraction"), *parts)


def plot_calibration(ax: Any, given: Sequence[Bin] | Scores, **look: Any) -> Any:
    """The reliability curve on Matplotlib axes."""
    bins = _bins_of(given)
    predicted, observed = [each.mean_probability for each in bins], [each.positive for each in bins]
    reach = [
        [max(each.positive - each.low, 0.0) for each in bins],
        [max(each.high - each.positive, 0.0) for each in bins],
    ]
    ax.plot([0, 1], [0, 1], linestyle="--", color="0.6", linewidth=1)
    ax.errorbar(predicted, observed, yerr=reach, **{"fmt": "o", **look})
    ax.set(xlabel="predicted probability", ylabel="observed fraction", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return ax


def _bins_of(given: Sequence[Bin] | Scores) -> Sequence[Bin]:
    bins = given.reliability if isinstance(given, Scores) else given
    if not bins:
        raise InputError(
            "There are no reliability bins to plot.",
            fix=Set("positive", inside="evaluate", purpose="with class probabilities"),
        )
    return bins


def importance(
    values: Mapping[str, float],
    intervals: Mapping[str, tuple[float, float]] | None = None,
    *,
    most: int = 20,
    theme: str = "light",
    title: str = "Importance",
) -> Picture:
    """Importances as bars, the largest first; `intervals` draws whiskers."""
    names = _ranked(values, most)
    look = theme_named(theme)
    name_width = min(max([width_of(name, 11) for name in names] + [40.0]), 200.0)
    reach = [*values.values(), *(end for ends in (intervals or {}).values() for end in ends), 0.0]
    low, high = min(reach), max(reach)
    top = high + 0.04 * (high - low) if high > low else low + 1.0
    axes = Axes((low, top), (0.0, 1.0), 300.0, 22.0 * len(names) + 6, look, left=name_width + 20)
    parts = [axes.frame("importance", "", y_ticks=())]
    for row, name in enumerate(names):
        y = axes.top + 6 + 22.0 * row
        ends = sorted((axes.x(0.0), axes.x(values[name])))
        parts += [
            label(
                axes.left - 8, y + 12, truncate(name, name_width, 11), font_size=11, fill=look.text, text_anchor="end"
            ),
            rect(ends[0], y, ends[1] - ends[0], 16, rx=2, fill=class_color(0, look)),
        ]
        if intervals and name in intervals:
            a, b = (axes.x(end) for end in intervals[name])
            parts.append(line(a, y + 8, b, y + 8, stroke=look.text, stroke_width=1.4))
    return finish_plot(axes, title, *parts)


def plot_importance(ax: Any, values: Mapping[str, float], *, most: int = 20, **look: Any) -> Any:
    """Importances as bars on Matplotlib axes, the largest on top."""
    names = _ranked(values, most)[::-1]
    ax.barh(range(len(names)), [values[name] for name in names], **look)
    ax.set_yticks(range(len(names)), labels=names)
    ax.set(xlabel="importance")
    return ax


def _ranked(values: Mapping[str, float], most: int) -> list[str]:
    if not values:
        raise InputError("There are no importances to plot.")
    return sorted(values, key=lambda name: -values[name])[:most]


def complexity(table: ComplexityTable, *, theme: str = "light", title: str = "Complexity") -> Picture:
    """Error against size: on training rows, and on held-out rows with their standard error where known."""
    look = theme_named(theme)
    n = len(table)
    reach = [*table.relative_error.tolist(), 0.0]
    if table.xerror is not None and table.xstd is not None:
        reach += [*(table.xerror + table.xstd).tolist(), *(table.xerror - table.xstd).tolist()]
    axes = Axes((-0.5, n - 0.5), pad_range(reach), max(_SIDE, 26.0 * min(n, 30)), 260.0, look, top=72.0)
    positions = np.arange(n)
    parts: list[Markup] = []
    if table.xerror is not None and table.xstd is not None:
        color = class_color(0, look)
        limit = table.xerror.min() + table.xstd[int(table.xerror.argmin())]
        parts.append(
            axes.curve((-0.5, n - 0.5), (limit, limit), stroke=look.quiet, stroke_dasharray="4 4", stroke_width=1)
        )
        for at in positions.tolist():
            ends = axes.y(table.xerror[at] - table.xstd[at]), axes.y(table.xerror[at] + table.xstd[at])
            parts.append(line(axes.x(at), ends[0], axes.x(at), ends[1], stroke=color, stroke_width=1.3))
        parts.append(axes.curve(positions, table.xerror, stroke=color, stroke_width=1.8))
        chosen = table.chosen()
        parts += [axes.dot(at, table.xerror[at], fill=color) for at in positions.tolist()]
        parts.append(axes.dot(chosen, table.xerror[chosen], 7, fill="none", stroke=look.mark, stroke_width=2))
    rest = class_color(1, look)
    parts.append(axes.curve(positions, table.relative_error, stroke=rest, stroke_width=1.8))
    parts += [axes.dot(at, table.relative_error[at], 2.5, fill=rest) for at in positions.tolist()]
    few = [round(at) for at in ticks(0, n - 1, 8) if float(at).is_integer()] if n > 1 else [0]
    small: dict[str, object] = {"font_size": 10, "fill": look.quiet, "text_anchor": "middle"}
    floor = axes.top + axes.height + 14
    parts += [label(axes.x(at), floor, f"{int(table.n_splits[at]) + 1}", **small) for at in few]
    parts += [label(axes.x(at), axes.top - 5, short_number(float(table.cp[at]), 2), **small) for at in few]
    entries = [(rest, "training rows")]
    if table.xerror is not None:
        entries = [(class_color(0, look), "held-out rows"), *entries]
    frame = axes.frame("leaves (cp above)", "error, as a fraction of the root's", x_ticks=())
    return finish_plot(axes, title, legend(axes, entries, 44.0), frame, *parts)


def plot_complexity(ax: Any, table: ComplexityTable, **look: Any) -> Any:
    """Error against the number of leaves on Matplotlib axes."""
    leaves = table.n_splits + 1
    ax.plot(leaves, table.relative_error, marker=".", label="training rows")
    if table.xerror is not None:
        ax.errorbar(leaves, table.xerror, yerr=table.xstd, **{"marker": "o", "label": "held-out rows", **look})
    ax.set(xlabel="leaves", ylabel="error, as a fraction of the root's")
    ax.legend()
    return ax
