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
from hornbeam.number_text import count_text
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import predict

_MAX_CURVES = 12


def evaluation_values(
    tree: Tree, table: Table, is_held_out: bool, positive: Any
) -> tuple[dict[str, Any] | None, list[Any]]:
    """Metrics as tables of text, and a ROC curve per class."""
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
    heading = f"On {len(known):,} {where}."
    if not is_held_out:
        heading += " Metrics on training rows are optimistic: evaluate a tree on test rows."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HornbeamWarning)  # undefined metrics are in the table with their reasons
        if tree.is_class:
            classes = tree.schema.classes
            truth = np.empty(len(known), dtype=object)
            truth[:] = [classes[int(code)] for code in target[known]]
            if len(classes) < 2:
                return None, []
            scores = evaluate(truth, prediction.probabilities, classes=classes, positive=positive, weights=weights)
            curves = _curves(tree, target[known], prediction.probabilities, weights, scores.positive)
        else:
            scores, curves = evaluate(target[known], prediction.numbers, weights=weights), []
    reasons = [printable_text(f"{each.text}: {each.reason}") for each in scores.metrics.values() if each.reason]
    return {"heading": heading, "tables": _tables(scores), "reasons": reasons}, curves


def _tables(scores: Scores) -> list[dict[str, Any]]:
    interval = f"{100 * scores.confidence:g}% interval"
    rows = [[m.text, m.value_text, m.interval_text, m.count_text] for m in scores.metrics.values()]
    about = "" if scores.positive is None else f"; positive: {scores.positive}"
    tables = [
        {"caption": printable_text(f"Metrics{about}"), "head": ["metric", "value", interval, "rows"], "rows": rows}
    ]
    if scores.confusion is not None and len(scores.classes) <= 40:
        names = [printable_text(label) for label in scores.classes]
        cells = [[count_text(cell) for cell in row] for row in scores.confusion.weights.tolist()]
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


def _curves(tree: Tree, codes: Any, probabilities: Any, weights: Any, positive: Any) -> list[dict[str, Any]]:
    out = []
    for k, label in enumerate(tree.schema.classes[:_MAX_CURVES]):
        truth, probability = codes == k, np.minimum(probabilities[:, k], 1.0)
        curve = roc_curve(truth, probability, weights)
        if curve is None:
            continue
        weight = np.ones(len(truth)) if weights is None else weights
        area = auc(truth, probability, weights).metric()
        out.append(
            {
                "label": printable_text(label),
                "is_positive": positive is not None and label == positive,
                "thresholds": [short_number(at, 5) for at in curve.thresholds.tolist()],
                "false_rates": [short_number(at, 5) for at in curve.false_positive_rates.tolist()],
                "true_rates": [short_number(at, 5) for at in curve.true_positive_rates.tolist()],
                "positives": short_number(float(weight[truth].sum())),
                "negatives": short_number(float(weight[~truth].sum())),
                "area": f"AUC {area.value_text}" + (f" ({area.interval_text})" if area.interval_text else ""),
            }
        )
    return out
