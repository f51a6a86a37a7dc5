"""ROC curves: sensitivity against 1 - specificity, as a picture and on Matplotlib axes."""

from __future__ import annotations

from typing import Any

from hornbeam.drawing.axes import CAPTION_TOP, Axes, finish_plot, key
from hornbeam.drawing.class_scores import class_rows
from hornbeam.drawing.colors import class_color, theme_named
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.text import truncate
from hornbeam.errors import InputError, Set
from hornbeam.evaluation import Scores
from hornbeam.evaluation.roc import RocCurve

_SIDE = 320.0
_Curves = list[tuple[int, str, RocCurve]]


def roc(
    model: Any,
    rows: Any = None,
    y: Any = None,
    *,
    positive: Any = None,
    theme: str = "light",
    title: str | None = None,
) -> Picture:
    """The ROC curve of a model on rows, or of `Scores` or a `RocCurve`.

    The rows contain the target, or `y` is passed. `positive` is the class of the curve, by default the rarer of two
    classes; of more classes each has a curve against the rest.
    """
    curves, heading, caption = _roc_of(model, rows, y, positive)
    look = theme_named(theme)
    axes = Axes((0.0, 1.0), (0.0, 1.0), _SIDE, _SIDE, look, top=CAPTION_TOP)
    entries = [(class_color(code, look), truncate(text, _SIDE - 60, 11)) for code, text, _ in curves if text]
    diagonal = axes.curve((0, 1), (0, 1), stroke=look.quiet, stroke_dasharray="4 4", stroke_width=1)
    parts = [axes.frame("1 − specificity", "sensitivity"), diagonal, key(axes, entries)]
    for code, _, curve in curves:
        style = {"stroke": class_color(code, look), "stroke_width": 2.2, "stroke_linejoin": "round"}
        parts.append(axes.curve(curve.false_positive_rates, curve.true_positive_rates, **style))
    named = heading if title is None else title
    return finish_plot(axes, named, *parts, caption=caption)


def plot_roc(ax: Any, given: RocCurve | Scores, **look: Any) -> Any:
    """The ROC curve on Matplotlib axes."""
    curve, area = _single(given)
    ax.plot([0, 1], [0, 1], linestyle="--", color="0.6", linewidth=1)
    ax.plot(curve.false_positive_rates, curve.true_positive_rates, **{"label": area or None, **look})
    ax.set(xlabel="1 - specificity", ylabel="sensitivity", xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    return ax


def _roc_of(given: Any, rows: Any, y: Any, positive: Any) -> tuple[_Curves, str, str]:
    """The curves with their color index and text, the title and the caption."""
    if isinstance(given, (RocCurve, Scores)):
        curve, area = _single(given)
        name = getattr(given, "positive", None)
        return [(0, area, curve)], "ROC" if name is None else f"ROC: {name}", ""
    found = class_rows(given, rows, y, positive)
    curves: _Curves = []
    for code, scores in zip(found.positive, found.scores(), strict=True):
        if scores.roc is not None:
            name = "" if len(found.positive) == 1 else f"{found.classes[code]}: "
            curves.append((code if name else 0, name + _area_text(scores), scores.roc))
    if not curves:
        raise InputError("A ROC curve requires rows of two classes.")
    is_one = len(found.positive) == 1
    title = str(found.classes[found.positive[0]]) if is_one else "each class against the rest"
    return curves, f"ROC: {title}", found.caption


def _single(given: RocCurve | Scores) -> tuple[RocCurve, str]:
    if isinstance(given, RocCurve):
        return given, ""
    if given.roc is None:
        raise InputError(
            "These scores have no ROC curve.",
            fix=Set("positive", inside="evaluate", purpose="with class probabilities, on rows of two classes"),
        )
    return given.roc, _area_text(given)


def _area_text(scores: Scores) -> str:
    area = scores.metrics.get("auc")
    return "" if area is None else f"AUC {area.value_text}" + (f" ({area.interval_text})" if area.interval_text else "")
