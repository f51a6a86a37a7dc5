"""Pruning: error against the size of the tree, from a `ComplexityTable`; the choice by one standard error is marked."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.drawing.axes import Axes, finish_plot, legend, pad_range, ticks
from hornbeam.drawing.colors import class_color, theme_named
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import Markup, label, line
from hornbeam.drawing.text import short_number
from hornbeam.parts.prunings.machinery.complexity_table import ComplexityTable

_SIDE = 320.0


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
