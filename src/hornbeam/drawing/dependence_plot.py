"""The prediction as one column changes: partial dependence, and single rows as thin lines (ICE)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hornbeam.drawing.axes import CAPTION_TOP, Axes, finish_plot, left_margin, legend, legend_lines, pad_range, ticks
from hornbeam.drawing.colors import Theme, class_color, theme_named
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import Markup, label, line
from hornbeam.drawing.text import count_text, truncate, width_of
from hornbeam.errors import InputError
from hornbeam.explanation import PartialDependence, importance, partial_dependence
from hornbeam.explanation.models import Floats
from hornbeam.table.column import Kind
from hornbeam.table.table import Table
from hornbeam.tree.model_table import model_table
from hornbeam.tree.one_tree import unwrapped

_WIDTH = 400.0
_SLANTED = 62.0  # space for names of levels that are too long to be horizontal
_MAX_LINES = 120
_MAX_LEVELS = 40
_MAX_OUTPUTS = 8


def dependence(
    model: Any,
    rows: Any = None,
    column: str | None = None,
    *,
    theme: str = "light",
    title: str | None = None,
    threads: int | None = None,
) -> Picture:
    """The mean prediction as one column changes (partial dependence), by default the most important column.

    A line per class, of two classes the second only. Instead of a model, a `PartialDependence`. With rows, the marks
    on the lower edge are the deciles of the column.
    """
    if isinstance(model, PartialDependence):
        return _picture(model, _outputs(model), theme, title, None)
    table, name = _table_and_column(model, rows, column)
    found = partial_dependence(model, name, table, threads=threads)
    return _picture(found, _outputs(found), theme, title, table)


def ice(
    model: Any,
    rows: Any,
    column: str | None = None,
    output: Any = None,
    *,
    theme: str = "light",
    title: str | None = None,
    threads: int | None = None,
) -> Picture:
    """The prediction of single rows as one column changes (individual conditional expectation), with their mean.

    Thin lines are rows, at most 120 of them, evenly spaced; the thick line is the mean of all rows. `output` is the
    class, by default the last one. The default column is the most important one.
    """
    if rows is None:
        raise InputError("Curves of single rows require rows.", hint="Pass a table or a data frame.")
    table, name = _table_and_column(model, rows, column)
    found = partial_dependence(model, name, table, individual=True, threads=threads)
    return _picture(found, [found.output(output)], theme, title, table)


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


def _table_and_column(model: Any, rows: Any, column: str | None) -> tuple[Table | None, str]:
    table = None if rows is None else model_table(unwrapped(model).schema, rows)
    return table, column if column is not None else next(iter(importance(model).ranked()))


def _outputs(found: PartialDependence) -> list[int]:
    if len(found.outputs) <= 2:
        return [len(found.outputs) - 1]
    return list(range(min(len(found.outputs), _MAX_OUTPUTS)))


def _picture(
    found: PartialDependence, outputs: list[int], theme: str, title: str | None, table: Table | None
) -> Picture:
    look = theme_named(theme)
    single = found.individual if len(outputs) == 1 else None
    drawn = [found.mean[:, outputs].ravel()] + ([] if single is None else [single[:, :, outputs].ravel()])
    up = (0.0, 1.0) if found.scale == "probability" else pad_range(np.concatenate(drawn).tolist())
    has_legend = len(outputs) > 1
    entries = [(class_color(k, look), found.outputs[k]) for k in outputs] if has_legend else []
    top = CAPTION_TOP + (17.0 * len(legend_lines(entries, _WIDTH)) + 1 if entries else 0.0)
    bottom = 46.0 if _names_fit(found) else 46.0 + _SLANTED
    axes = Axes(_across(found), up, _WIDTH, 260.0, look, left=left_margin(up), top=top, bottom=bottom)
    name = found.spec.name
    what = found.outputs[-1] if found.scale == "number" else found.scale
    what = what if has_legend or found.scale == "number" else f"{what} of {found.outputs[outputs[0]]}"
    parts = [_frame(axes, found, what)]
    parts.append(legend(axes, entries, 63.0))
    if single is not None:
        parts += _single_rows(axes, found, single[:, :, outputs[0]], look)
    for k in outputs:
        parts += _mean(axes, found, k, class_color(k if has_legend else 0, look))
    parts += _level_names(axes, found, look) if found.spec.has_levels else _deciles(axes, name, table, look)
    heading = f"Prediction by {name}" + ("" if has_legend else f": {found.outputs[outputs[0]]}")
    return finish_plot(axes, heading if title is None else title, *parts, caption=_caption(found, single))


def _caption(found: PartialDependence, single: Floats | None) -> str:
    if not found.n_rows:
        return "mean along the training paths"
    rows = count_text(found.n_rows, "row")
    small, large = ("small dots", "large dots") if found.spec.kind is Kind.NOMINAL else ("thin lines", "thick line")
    return f"mean over {rows}" if single is None else f"{small}: single rows; {large}: mean over {rows}"


def _frame(axes: Axes, found: PartialDependence, what: str) -> Markup:
    if found.spec.has_levels:
        return axes.frame(found.spec.name, what, x_ticks=())
    text_format = found.spec.text_format
    if text_format is None or not text_format.date:
        return axes.frame(found.spec.name, what)
    days = [float(at) for at in ticks(*axes.across, 4)]
    return axes.frame(found.spec.name, what, x_ticks=days, x_text=text_format.text)


def _across(found: PartialDependence) -> tuple[float, float]:
    if found.spec.has_levels:
        if len(found.grid) > _MAX_LEVELS:
            raise InputError(f"A plot of partial dependence has at most {_MAX_LEVELS} levels, got {len(found.grid)}.")
        return -0.5, len(found.grid) - 0.5
    ends = found.edges if len(found.edges) else found.grid
    low, high = float(ends[0]), float(ends[-1])
    return (low, high) if high > low and math.isfinite(high - low) else (low - 0.5, low + 0.5)


def _mean(axes: Axes, found: PartialDependence, k: int, color: str) -> list[Markup]:
    parts = []
    if found.spec.kind is not Kind.NOMINAL:  # there is no value between nominal levels
        parts.append(_curve(axes, found, found.mean[:, k], stroke=color, stroke_width=2.4))
    if found.spec.has_levels:
        dots = zip(found.grid.tolist(), found.mean[:, k].tolist(), strict=True)
        parts += [axes.dot(x, y, 5, fill=color) for x, y in dots]
    return parts


def _single_rows(axes: Axes, found: PartialDependence, curves: Floats, look: Theme) -> list[Markup]:
    """Single rows as thin lines; for nominal levels as dots next to each other."""
    chosen = np.linspace(0, len(curves) - 1, min(len(curves), _MAX_LINES)).astype(np.int64)
    if found.spec.kind is not Kind.NOMINAL:
        style: dict[str, object] = {"stroke": look.quiet, "stroke_width": 0.8, "stroke_opacity": 0.3}
        return [_curve(axes, found, curves[row], **style) for row in chosen.tolist()]
    shift = (np.arange(len(chosen)) * 0.618) % 1 * 0.56 - 0.28  # spread evenly, whatever the order of the rows
    return [
        axes.dot(x + dx, float(y), 1.8, fill=look.quiet, fill_opacity=0.45)
        for dx, row in zip(shift.tolist(), chosen.tolist(), strict=True)
        for x, y in zip(found.grid.tolist(), curves[row], strict=True)
    ]


def _curve(axes: Axes, found: PartialDependence, values: Any, **look: object) -> Markup:
    """Steps between the cuts, or points joined by lines."""
    if not len(found.edges):
        return axes.curve(found.grid.tolist(), values.tolist(), **look)
    starts = np.flatnonzero(np.concatenate(([True], np.diff(values) != 0)))  # equal steps are one line
    edges = found.edges[[*starts.tolist(), -1]]
    return axes.curve(np.repeat(edges, 2)[1:-1].tolist(), np.repeat(values[starts], 2).tolist(), **look)


def _deciles(axes: Axes, name: str, table: Table | None, look: Theme) -> list[Markup]:
    """Marks on the lower edge at the deciles of the column: between two marks are a tenth of the rows."""
    if table is None:
        return []
    values = table[name].values
    known = values[np.isfinite(values)]
    if not len(known):
        return []
    floor = axes.top + axes.height
    deciles = np.quantile(known, np.arange(0, 1.01, 0.1)).tolist()
    return [
        line(axes.x(at), floor, axes.x(at), floor - 7, stroke=look.text, stroke_width=1.2)
        for at in deciles
        if axes.across[0] <= at <= axes.across[1]
    ]


def _names_fit(found: PartialDependence) -> bool:
    if not found.spec.has_levels:
        return True
    available = _WIDTH / max(len(found.grid), 1) - 4
    return all(width_of(text, 10) <= available for text in found.labels())


def _level_names(axes: Axes, found: PartialDependence, look: Theme) -> list[Markup]:
    """The names of the levels below the plot, slanted if they are long."""
    style: dict[str, object] = {"font_size": 10, "fill": look.quiet}
    floor = axes.top + axes.height + 14
    names = list(zip(found.grid.tolist(), found.labels(), strict=True))
    if _names_fit(found):
        return [label(axes.x(x), floor, text, text_anchor="middle", **style) for x, text in names]
    return [
        label(
            0,
            0,
            truncate(text, min(1.6 * _SLANTED, axes.x(x) / 0.8), 10),
            text_anchor="end",
            transform=f"translate({axes.x(x) + 4:.2f} {floor - 2:.2f}) rotate(-38)",
            **style,
        )
        for x, text in names
    ]
