"""The evaluation in the page: metrics on test rows, or on the training rows with a warning."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from hornbeam.drawing.report.text import printable_text, short_number
from hornbeam.drawing.rows import target_values
from hornbeam.errors import HornbeamWarning
from hornbeam.evaluation import Scores, evaluate
from hornbeam.evaluation.roc import auc, roc_curve
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.hiding import count_or_less, hidden_count, hidden_counts
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import predict

_MAX_CURVES = 12
_MAX_POINTS = 400


# The metrics next to the tree: the first one in large type.
_HEADLINES = (
    ("accuracy", "sensitivity", "specificity", "auc", "kappa", "auc_macro", "log_loss", "brier"),
    ("r2", "rmse", "mae", "median_absolute_error"),
)


def class_weights(model: Tree | Forest, table: Table | None) -> Any:
    """The training weight of each class: that of the root, or of the rows of a table for an ensemble."""
    if isinstance(model, Tree):
        return model.nodes.stats[0]
    target = None if table is None else target_values(table)
    n = len(model.schema.classes)
    if target is None:
        return np.ones(n)
    return np.bincount(target[target >= 0].astype(np.int64), minlength=n)


def rarer_class(classes: tuple[Any, ...], weights: Any) -> Any:
    """The class of two with the smaller weight, the second one of equal classes; None without two classes."""
    if len(classes) != 2:
        return None
    return classes[0] if weights[0] < weights[1] else classes[1]


def evaluation_values(
    tree: Tree | Forest, table: Table, is_held_out: bool, positive: Any, prior: Any, min_count: int
) -> tuple[dict[str, Any] | None, list[Any]]:
    """Metrics as tables of text, and a ROC curve per class; the rarer of two classes is positive by default.

    `prior` is the training weight of each class.
    """
    is_rarer = positive is None
    if positive is None and tree.is_class:
        positive = rarer_class(tree.schema.classes, prior)
    target = target_values(table)
    if target is None:
        return None, []
    known = np.flatnonzero(np.isfinite(target) & ((target >= 0) | (not tree.is_class)))
    if not len(known):
        return None, []
    rows = table.take(known)
    prediction = predict(tree, rows.columns)
    weights = rows.weights
    where = "test rows" if is_held_out else "training rows"
    heading = f"On {count_or_less(len(known), min_count)} {where}."
    if not is_held_out:
        heading += " Metrics on training rows are optimistic: evaluate a model on test rows."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HornbeamWarning)  # undefined metrics are in the table with their reasons
        if tree.is_class:
            classes = tree.schema.classes
            truth = np.empty(len(known), dtype=object)
            truth[:] = [classes[int(code)] for code in target[known]]
            if len(classes) < 2:
                return None, []
            scores = evaluate(truth, prediction.probabilities, classes=classes, positive=positive, weights=weights)
            rarest = classes[int(np.argmin(prior))] if scores.positive is None else scores.positive
            curves = _curves(tree, target[known], prediction.probabilities, weights, rarest, min_count)
        else:
            scores, curves = evaluate(target[known], prediction.numbers, weights=weights), []
    reasons = [printable_text(f"{each.text}: {each.reason}") for each in scores.metrics.values() if each.reason]
    tables = _tables(scores, is_rarer, min_count)
    return {"heading": heading, "headline": _headline(tree, scores), "tables": tables, "reasons": reasons}, curves


def _headline(tree: Tree | Forest, scores: Scores) -> list[str]:
    """The main metric with its value and interval, then the names and values of others."""
    first, *others = (scores.metrics[name] for name in _HEADLINES[not tree.is_class] if name in scores.metrics)
    return [first.text, first.value_text, first.interval_text, *(t for m in others for t in (m.text, m.value_text))]


def _tables(scores: Scores, is_rarer: bool, min_count: int) -> list[dict[str, Any]]:
    interval = f"{100 * scores.confidence:g}% interval"
    rows = [[m.text, m.value_text, m.interval_text, m.count_text] for m in scores.metrics.values()]
    head = ["metric", "value", interval, "rows"]
    if min_count:  # the numbers of rows would reveal the hidden counts
        rows, head = [row[:3] for row in rows], head[:3]
    rarer = " (the rarer class)" if is_rarer else ""
    about = "" if scores.positive is None else f"; positive: {scores.positive}{rarer}"
    tables = [{"caption": printable_text(f"Metrics{about}"), "head": head, "rows": rows}]
    if scores.confusion is not None and len(scores.classes) <= 40:
        names = [printable_text(label) for label in scores.classes]
        cells = [[count_or_less(cell, min_count) for cell in row] for row in scores.confusion.weights.tolist()]
        tables.append(
            {
                "caption": "Confusion matrix",
                "head": ["actual \\ predicted", *names],
                "rows": [[name, *row] for name, row in zip(names, cells, strict=True)],
            }
        )
    if scores.per_class:
        first = next(iter(scores.per_class.values()))
        shown = [name for name in ("sensitivity", "specificity", "ppv", "npv", "f1", "auc") if name in first]
        per_class = [
            [printable_text(label), *(rates[name].value_text if name in rates else "" for name in shown)]
            for label, rates in list(scores.per_class.items())[:200]
        ]
        heads = ["class", *(first[name].text for name in shown)]
        tables.append({"caption": "Each class against the rest", "head": heads, "rows": per_class})
    return tables


def _curves(
    tree: Tree | Forest, codes: Any, probabilities: Any, weights: Any, positive: Any, min_count: int
) -> list[dict[str, Any]]:
    out = []
    for k, label in enumerate(tree.schema.classes[:_MAX_CURVES]):
        truth, probability = codes == k, np.minimum(probabilities[:, k], 1.0)
        curve = roc_curve(truth, probability, weights)
        if curve is None:
            continue
        weight = np.ones(len(truth)) if weights is None else weights
        totals = [float(weight[~truth].sum()), float(weight[truth].sum())]
        rates = [
            _hidden_rates(rate, total, min_count)
            for rate, total in zip((curve.false_positive_rates, curve.true_positive_rates), totals, strict=True)
        ]
        shown = np.unique(np.linspace(0, len(curve.thresholds) - 1, _MAX_POINTS).astype(np.int64))
        area = auc(truth, probability, weights).metric()
        out.append(
            {
                "label": printable_text(label),
                "is_positive": bool(label == positive),
                "thresholds": [short_number(at, 2 if min_count else 5) for at in curve.thresholds[shown].tolist()],
                "false_rates": [short_number(at, 5) for at in rates[0][shown].tolist()],
                "true_rates": [short_number(at, 5) for at in rates[1][shown].tolist()],
                "positives": short_number(hidden_count(totals[1], min_count)),
                "negatives": short_number(hidden_count(totals[0], min_count)),
                "area": f"AUC {area.value_text}" + (f" ({area.interval_text})" if area.interval_text else ""),
            }
        )
    return out


def _hidden_rates(rates: Any, total: float, min_count: int) -> Any:
    """Rates whose counts are multiples of `min_count`; the last one stays 1."""
    shown = hidden_count(total, min_count)
    if not min_count or not shown:
        return rates
    return np.where(rates >= 1, 1.0, np.minimum(hidden_counts(rates * total, min_count) / shown, 1.0))
