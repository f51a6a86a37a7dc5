"""Calibration: the observed fraction of a class against its predicted probability, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hornbeam.drawing.axes import CAPTION_TOP, Axes, finish_plot, key
from hornbeam.drawing.class_scores import class_rows
from hornbeam.drawing.colors import class_color, theme_named
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import Markup, line, rect
from hornbeam.drawing.text import truncate
from hornbeam.errors import InputError, Set
from hornbeam.evaluation import Scores
from hornbeam.evaluation.calibration import Bin

_SIDE = 320.0
_STRIP = 34.0  # height of the bars that show how many rows a bin has


def calibration(
    model: Any,
    rows: Any = None,
    y: Any = None,
    *,
    positive: Any = None,
    theme: str = "light",
    title: str | None = None,
) -> Picture:
    """The reliability curve of a model on rows, or of `Scores` or their bins.

    The rows contain the target, or `y` is passed. Rows are grouped by predicted probability; a dot shows the observed
    fraction of the positive class (by default the rarer of two classes) with its interval, a bar the number of rows.
    Of more than two classes each has dots against the rest, without intervals.
    """
    lines, heading, caption = _bins_of(model, rows, y, positive)
    look = theme_named(theme)
    axes = Axes((0.0, 1.0), (0.0, 1.0), _SIDE, _SIDE, look, top=CAPTION_TOP)
    parts: list[Markup] = [
        axes.frame("predicted probability", "observed fraction"),
        axes.curve((0, 1), (0, 1), stroke=look.quiet, stroke_dasharray="4 4", stroke_width=1),
    ]
    for code, _, bins in lines:
        parts += _dots(axes, bins, class_color(code, look), with_intervals=len(lines) == 1)
    entries = [(class_color(code, look), truncate(name, _SIDE - 60, 11)) for code, name, _ in lines if name]
    named = heading if title is None else title
    return finish_plot(axes, named, *parts, key(axes, entries, is_right=False), caption=caption)


def plot_calibration(ax: Any, given: Sequence[Bin] | Scores, **look: Any) -> Any:
    """The reliability curve on Matplotlib axes."""
    bins = _known(given)
    predicted, observed = [each.mean_probability for each in bins], [each.positive for each in bins]
    reach = [
        [max(each.positive - each.low, 0.0) for each in bins],
        [max(each.high - each.positive, 0.0) for each in bins],
    ]
    ax.plot([0, 1], [0, 1], linestyle="--", color="0.6", linewidth=1)
    ax.errorbar(predicted, observed, yerr=reach, **{"fmt": "o", **look})
    ax.set(xlabel="predicted probability", ylabel="observed fraction", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return ax


def _dots(axes: Axes, bins: Sequence[Bin], color: str, *, with_intervals: bool) -> list[Markup]:
    most = max((each.weight for each in bins), default=1.0)
    parts: list[Markup] = []
    if not with_intervals:
        ordered = sorted(bins, key=lambda each: each.mean_probability)
        points = [each.mean_probability for each in ordered], [each.positive for each in ordered]
        parts.append(axes.curve(*points, stroke=color, stroke_width=1.4))
    for each in bins:
        x = axes.x(each.mean_probability)
        if with_intervals:
            height = _STRIP * each.weight / most
            floor = axes.top + axes.height
            parts.append(rect(x - 5, floor - height, 10, height, fill=color, fill_opacity=0.22))
            parts.append(line(x, axes.y(each.low), x, axes.y(each.high), stroke=color, stroke_width=1.4))
        parts.append(axes.dot(each.mean_probability, each.positive, 2.5 + 3 * (each.weight / most) ** 0.5, fill=color))
    return parts


def _bins_of(given: Any, rows: Any, y: Any, positive: Any) -> tuple[list[tuple[int, str, Sequence[Bin]]], str, str]:
    """The bins of each line with the color index and name, the title and the caption."""
    if isinstance(given, (Scores, list, tuple)):
        name = getattr(given, "positive", None)
        return [(0, "", _known(given))], "Calibration" if name is None else f"Calibration: {name}", ""
    found = class_rows(given, rows, y, positive)
    scores = list(zip(found.positive, found.scores(), strict=True))
    about = f"{found.caption}; bars: rows per group" if len(scores) == 1 else found.caption
    if len(scores) == 1:
        return [(0, "", _known(scores[0][1]))], f"Calibration: {found.classes[scores[0][0]]}", about
    return [(code, str(found.classes[code]), _known(each)) for code, each in scores], "Calibration of each class", about


def _known(given: Sequence[Bin] | Scores) -> Sequence[Bin]:
    bins = given.reliability if isinstance(given, Scores) else given
    if not bins:
        raise InputError(
            "There are no reliability bins to plot.",
            fix=Set("positive", inside="evaluate", purpose="with class probabilities"),
        )
    return bins
