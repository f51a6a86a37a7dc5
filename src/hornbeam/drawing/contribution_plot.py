"""Contributions of columns to predictions: one row as steps, or many rows as one dot per row and column.

one row      steps from the base to the prediction: increases to the right, decreases to the left
many rows    a line per column, largest mean absolute contribution first; a dot's color is the value of the column
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.axes import CAPTION_TOP, Axes, finish_plot, pad_range
from hornbeam.drawing.colors import Theme, class_color, mix_colors, theme_named
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import Markup, label, line, rect, tag
from hornbeam.drawing.text import count_text, short_number, truncate, width_of
from hornbeam.errors import InputError
from hornbeam.explanation import Contributions, shap_values
from hornbeam.explanation.models import row_of
from hornbeam.table.column import Column, Kind
from hornbeam.tree.model_table import model_table
from hornbeam.tree.one_tree import unwrapped

_ROW, _LINE = 24.0, 30.0
_MAX_ROWS = 500
_N_COLORS = 8
_Y_BINS = 70  # dots of one line that fall into the same bin are stacked


def contributions(
    model: Any,
    rows: Any = None,
    row: int | None = None,
    output: Any = None,
    *,
    most: int = 12,
    theme: str = "light",
    title: str | None = None,
    **settings: Any,
) -> Picture:
    """The contribution of each column to the prediction of one row, or of many rows if `row` is None.

    Instead of a model and rows, `Contributions`. `output` is the class, by default the last one; the settings are those
    of `hb.shap_values`. Of more than 500 rows, evenly spaced ones are drawn; at most `most` columns are drawn.
    """
    shown = row
    if isinstance(model, Contributions):
        found = model
    else:
        if rows is None:
            raise InputError("Contributions require rows.", hint="Pass a table or a data frame.")
        table = model_table(unwrapped(model).schema, rows)
        chosen = table.columns if row is None else row_of(table.columns, row)
        if row is None and len(table) > _MAX_ROWS:
            chosen = table.take(np.linspace(0, len(table) - 1, _MAX_ROWS).astype(np.int64)).columns
        found, row = shap_values(model, chosen, **settings), None if row is None else 0
    if row is None and len(found) == 1:
        row = shown = 0
    index = found.output(output)
    name = found.outputs[index]
    what = name if found.scale == "number" else f"{found.scale} of {name}"
    if row is None:
        return _dots_of_rows(found, index, what, most, theme_named(theme), title)
    return _steps_of_row(found, row, index, what, most, theme_named(theme), title or f"Row {shown}: {what}")


def _steps_of_row(found: Contributions, row: int, index: int, what: str, most: int, look: Theme, title: str) -> Picture:
    steps = _steps(found, row, found.outputs[index], most)
    ends = np.cumsum([float(found.base[index]), *(gain for _, gain in steps)])
    names = [name for name, _ in steps]
    name_width = min(max([width_of(name, 11) for name in names] + [90.0]), 230.0)
    low, high = pad_range(ends.tolist(), 0.12)
    axes = Axes((low, high), (0.0, 1.0), 340.0, _ROW * (len(names) + 2) + 6, look, left=name_width + 20)
    parts: list[Markup] = [axes.frame(what, "", y_ticks=())]
    parts += _marked(axes, look, "base", float(ends[0]), 0)
    for i, (name, gain) in enumerate(steps):
        y = axes.top + 8 + _ROW * (i + 1)
        left, right = sorted((axes.x(float(ends[i])), axes.x(float(ends[i + 1]))))
        text = truncate(name, name_width, 11)
        parts += [
            label(axes.left - 8, y + 12, text, font_size=11, fill=look.text, text_anchor="end"),
            rect(left, y, max(right - left, 1.0), 16, rx=2, fill=class_color(0 if gain >= 0 else 4, look)),
            _gain_text(axes, look, gain, left, right, y),
            _joint(axes, look, float(ends[i + 1]), y + 16, _ROW - 16),
        ]
    parts += _marked(axes, look, "prediction", float(ends[-1]), len(steps) + 1)
    return finish_plot(axes, title, *parts)


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
    style: dict[str, object] = {"font_size": 11, "font_weight": 700, "fill": look.text}
    anchor = "end" if is_left else "start"
    return [
        label(axes.left - 8, y + 12, text, text_anchor="end", **style),
        tag("circle", cx=x, cy=y + 8, r=4.5, fill=look.text),
        label(x + (-9 if is_left else 9), y + 12, short_number(value), text_anchor=anchor, **style),
    ]


def _gain_text(axes: Axes, look: Theme, gain: float, left: float, right: float, y: float) -> Markup:
    text = ("+" if gain >= 0 else "") + short_number(gain, 3)
    wide = width_of(text, 11)
    at, anchor, fill = (left + right) / 2, "middle", look.ground  # inside the bar if it fits on neither side
    if right + wide + 8 < axes.left + axes.width:
        at, anchor, fill = right + 5, "start", look.text
    elif left - wide - 8 > axes.left:
        at, anchor, fill = left - 5, "end", look.text
    return label(at, y + 12, text, font_size=11, fill=fill, text_anchor=anchor)


def _joint(axes: Axes, look: Theme, value: float, y: float, height: float) -> Markup:
    return line(axes.x(value), y, axes.x(value), y + height, stroke=look.quiet, stroke_width=1)


def _dots_of_rows(found: Contributions, index: int, what: str, most: int, look: Theme, title: str | None) -> Picture:
    if not len(found):
        raise InputError("There are no rows to plot.")
    names = [name for name, size in found.strength(found.outputs[index]).items() if size > 0][:most]
    names = names or list(found.schema.names[:1])
    positions = [found.schema.position(name) for name in names]
    name_width = min(max([width_of(name, 11) for name in names] + [90.0]), 200.0)
    low, high = pad_range([0.0, *found.values[:, positions, index].ravel().tolist()], 0.05)
    axes = Axes(
        (low, high), (0.0, 1.0), 380.0, _LINE * len(names) + 6, look, left=name_width + 20, top=CAPTION_TOP + 18
    )
    about = what if found.scale == "number" else f"the {what}"
    zero = axes.x(0.0)
    parts: list[Markup] = [
        axes.frame(f"contribution to {about}", "", y_ticks=()),
        line(zero, axes.top, zero, axes.top + axes.height, stroke=look.quiet, stroke_width=1.2),
        *_scale(axes, look),
    ]
    for number, (name, position) in enumerate(zip(names, positions, strict=True)):
        y = axes.top + 3 + _LINE * (number + 0.5)
        text = truncate(name, name_width, 11)
        parts.append(label(axes.left - 8, y + 4, text, font_size=11, fill=look.text, text_anchor="end"))
        xs = np.array([axes.x(value) for value in found.values[:, position, index].tolist()])
        parts += _dots(xs, y, _color_bins(found.data[position]), axes, look)
    caption = f"one dot per row, {count_text(len(found), 'row')}"
    return finish_plot(axes, f"Contributions to {about}" if title is None else title, *parts, caption=caption)


def _color_bins(column: Column) -> npt.NDArray[np.int64]:
    """The color of each value, from low to high; -1 for missing values and for levels without an order."""
    values = column.values.astype(np.float64)
    known = np.isfinite(values) if column.kind is Kind.NUMERIC else values >= 0
    bins = np.full(len(values), -1, dtype=np.int64)
    if column.kind is Kind.NOMINAL or not known.any():
        return bins
    distinct = np.unique(values[known])
    ranks = np.searchsorted(distinct, values[known]) / max(len(distinct) - 1, 1)
    bins[known] = np.minimum((ranks * _N_COLORS).astype(np.int64), _N_COLORS - 1)
    return bins


def _color(bin_: int, look: Theme) -> str:
    if bin_ < 0:
        return look.quiet
    low, middle, high = (class_color(k, look) for k in (0, 3, 4))
    place = 2 * bin_ / (_N_COLORS - 1)
    return mix_colors(low, middle, place) if place <= 1 else mix_colors(middle, high, place - 1)


def _dots(xs: npt.NDArray[np.float64], y: float, bins: npt.NDArray[np.int64], axes: Axes, look: Theme) -> list[Markup]:
    """Dots on one line, stacked above and below it where they are dense; one path per color."""
    cells = ((xs - axes.left) / axes.width * _Y_BINS).astype(np.int64)
    heights = np.zeros(len(xs))
    for cell in np.unique(cells).tolist():
        members = np.flatnonzero(cells == cell)
        members = members[np.argsort(bins[members], kind="stable")]
        step = min(4.0, (_LINE - 8) / max(len(members) - 1, 1))
        # 0, +1, -1, +2, -2, ...: the dots of a cell are centered on the line
        order = np.array([(k + 1) // 2 * (1 if k % 2 else -1) for k in range(len(members))])
        heights[members] = np.sort(order) * step
    parts = []
    for bin_ in np.unique(bins).tolist():
        points = "".join(f"M{xs[i]:.1f} {y + heights[i]:.1f}h0" for i in np.flatnonzero(bins == bin_).tolist())
        style = {"stroke": _color(bin_, look), "stroke_width": 4.4, "stroke_linecap": "round", "stroke_opacity": 0.75}
        parts.append(tag("path", d=points, fill="none", **style))
    return parts


def _scale(axes: Axes, look: Theme) -> list[Markup]:
    """The colors of low and high values, above the plot."""
    y, x = axes.top - 14, axes.left
    parts = [label(x, y + 4, "value: low", font_size=11, fill=look.quiet)]
    x += width_of("value: low", 11) + 6
    parts += [rect(x + 10 * k, y - 5, 10.4, 9, fill=_color(k, look)) for k in range(_N_COLORS)]
    x += 10 * _N_COLORS + 6
    parts.append(label(x, y + 4, "high", font_size=11, fill=look.quiet))
    x += width_of("high", 11) + 14
    parts += [
        rect(x, y - 5, 10, 9, fill=look.quiet),
        label(x + 14, y + 4, "missing, or a level without an order", font_size=11, fill=look.quiet),
    ]
    return parts
