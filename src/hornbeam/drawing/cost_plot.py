"""Costs of errors: the mean cost of a row by the threshold of the positive class, or by rule of prediction.

two classes    a curve over the threshold; the dot is its minimum, the dashed line the threshold that follows from the
               costs if the probabilities are calibrated
more classes   a bar per rule: the most probable class, the class of least expected cost, always one class
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.drawing.axes import CAPTION_TOP, Axes, finish_plot, left_margin
from hornbeam.drawing.class_scores import ClassRows, class_rows
from hornbeam.drawing.colors import class_color, theme_named
from hornbeam.drawing.importance_plot import bars
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.svg import label, line
from hornbeam.drawing.text import short_number, width_of
from hornbeam.errors import InputError
from hornbeam.evaluation.costs import cheapest_predictions, cost_matrix, threshold_by_cost
from hornbeam.evaluation.inputs import Codes, Floats
from hornbeam.parts.losses.machinery.costs import cost_table


def costs(
    model: Any,
    rows: Any,
    y: Any = None,
    *,
    costs: Any = None,
    positive: Any = None,
    theme: str = "light",
    title: str | None = None,
) -> Picture:
    """The mean cost of the errors of a model on rows.

    The rows contain the target, or `y` is passed. `costs` are costs[truth][prediction] as in `evaluate`, by default 1
    per error. Two classes: as a function of the threshold from which the positive class (by default the rarer one) is
    predicted. More classes: by rule of prediction.
    """
    found = class_rows(model, rows, y, positive)
    n = len(found.classes)
    matrix = cost_matrix(1.0 - np.eye(n) if costs is None else cost_table(costs, found.classes), n)
    if (matrix < 0).any():
        raise InputError("The costs of a plot must not be negative.")
    if n != 2:
        return _by_rule(found, matrix, theme, "Cost of errors by rule" if title is None else title)
    named = f"Cost of errors: {found.classes[found.positive[0]]}" if title is None else title
    return _by_threshold(found, matrix, theme, named)


def _by_threshold(found: ClassRows, matrix: Floats, theme: str, title: str) -> Picture:
    code = found.positive[0]
    thresholds, mean = threshold_costs(found, matrix, code)
    look = theme_named(theme)
    color = class_color(0, look)
    up = (0.0, 1.15 * float(mean.max()) or 1.0)  # the text at the top is above the curve
    axes = Axes((0.0, 1.0), up, 400.0, 260.0, look, left=left_margin(up), top=CAPTION_TOP)
    xs = np.concatenate(([0.0], np.repeat(thresholds, 2), [1.0]))
    parts = [
        axes.frame(f"probability from which {found.classes[code]} is predicted", "mean cost per row"),
        axes.curve(xs, np.repeat(mean, 2), stroke=color, stroke_width=2.2, stroke_linejoin="round"),
    ]
    right = matrix[1 - code, 1 - code], matrix[code, code]
    by_costs = threshold_by_cost(matrix[1 - code, code], matrix[code, 1 - code], right)
    x = axes.x(by_costs)
    style = {"stroke": look.quiet, "stroke_width": 1, "stroke_dasharray": "4 4"}
    parts.append(line(x, axes.top, x, axes.top + axes.height, **style))
    text = f"by the costs: {short_number(by_costs, 3)}"
    is_left = x + width_of(text, 11) + 8 > axes.left + axes.width
    parts.append(_note(x + (-5 if is_left else 5), axes.top + 14, text, look.quiet, is_left))
    best = int(np.argmin(mean))
    edges = np.concatenate(([0.0], thresholds, [1.0]))
    middle = (edges[best] + edges[best + 1]) / 2
    parts.append(axes.dot(middle, mean[best], 5, fill="none", stroke=look.mark, stroke_width=2))
    ends = f"{short_number(edges[best], 3)} to {short_number(edges[best + 1], 3)}"
    lowest = f"least cost: {short_number(float(mean[best]), 3)} (threshold {ends})"
    return finish_plot(axes, title, *parts, caption=f"{found.caption}; {lowest}")


def _note(x: float, y: float, text: str, fill: str, is_left: bool) -> Any:
    return label(x, y, text, font_size=11, fill=fill, text_anchor="end" if is_left else "start")


def threshold_costs(found: ClassRows, matrix: Floats, code: int) -> tuple[Floats, Floats]:
    """The distinct probabilities, ascending, and the mean cost of the thresholds up to each of them and above all."""
    probability = found.probabilities[:, code]
    thresholds, groups = np.unique(probability, return_inverse=True)
    # The cost of a row that is predicted positive, and of one that is not; rows below the threshold are not.
    as_positive = np.bincount(groups, found.weights * matrix[found.codes, code], minlength=len(thresholds))
    as_negative = np.bincount(groups, found.weights * matrix[found.codes, 1 - code], minlength=len(thresholds))
    above = as_positive.sum() - np.concatenate(([0.0], np.cumsum(as_positive)))
    below = np.concatenate(([0.0], np.cumsum(as_negative)))
    return thresholds, (above + below) / found.weights.sum()


def _by_rule(found: ClassRows, matrix: Floats, theme: str, title: str) -> Picture:
    def mean(predicted: Codes) -> float:
        return float(np.average(matrix[found.codes, predicted], weights=found.weights))

    rules = {
        "least expected cost": mean(cheapest_predictions(found.probabilities, matrix)),
        "most probable class": mean(np.argmax(found.probabilities, axis=1)),
        **{f"always {name}": mean(np.full(len(found.codes), code)) for code, name in enumerate(found.classes)},
    }
    return bars(rules, scale="mean cost per row", theme=theme, title=title, caption=found.caption, with_values=True)
