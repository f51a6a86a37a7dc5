"""Errors of a model by group: by level, or by quarter, of a column."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.report.text import printable_text
from hornbeam.drawing.rows import target_values
from hornbeam.proportions import wilson
from hornbeam.table.column import Column, Kind
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.prediction import predict

Numbers = npt.NDArray[Any]

_MAX_LEVELS = 12


def group_errors(forest: Forest, column: int, rows: Table, min_count: int) -> dict[str, Any]:
    """The errors by level, or by quarter of a numeric column, with the number of rows."""
    spec, values = forest.schema.columns[column], rows.columns[column]
    target, found = target_values(rows), predict(forest, rows.columns)
    assert target is not None  # only rows with a target are evaluated
    groups = _quarters(values) if spec.kind is Kind.NUMERIC else _levels(values)
    out = []
    for label, inside in groups:
        n = int(inside.sum())
        if n < max(min_count, 1):
            continue
        if forest.is_class:
            wrong = float(np.mean(found.codes[inside] != target[inside]))
            low, high = wilson(wrong, n)
            cells = [f"{100 * wrong:.1f}%", f"{100 * low:.1f}% to {100 * high:.1f}%"]
        else:
            errors = target[inside] - found.numbers[inside]
            cells = [f"{np.sqrt(np.mean(errors**2)):.4g}", f"{np.mean(errors):+.3g}"]
        out.append([printable_text(label), *([] if min_count else [f"{n:,}"]), *cells])
    measure = ["misclassified", "95% interval"] if forest.is_class else ["root mean squared error", "mean error"]
    head = ["value", *([] if min_count else ["rows"]), *measure]
    return {"caption": printable_text(spec.name), "head": head, "rows": out}


def _quarters(values: Column) -> list[tuple[str, Numbers]]:
    known = values.values[~values.is_missing]
    cuts = np.unique(np.quantile(known, [0.25, 0.5, 0.75])) if len(known) else np.zeros(0)
    edges = [-np.inf, *cuts.tolist(), np.inf]
    out = []
    for low, high in itertools.pairwise(edges):
        text = f"> {low:.4g}" if np.isinf(high) else f"≤ {high:.4g}" if np.isinf(low) else f"{low:.4g} to {high:.4g}"
        out.append((text, (values.values > low) & (values.values <= high) & ~values.is_missing))
    return [*out, ("missing", np.asarray(values.is_missing))]


def _levels(values: Column) -> list[tuple[str, Numbers]]:
    counts = np.bincount(
        np.maximum(values.values[~values.is_missing], 0).astype(np.int64), minlength=len(values.levels)
    )
    largest = np.argsort(-counts, kind="stable")[:_MAX_LEVELS].tolist()
    out = [(str(values.levels[code]), (values.values == code) & ~values.is_missing) for code in largest]
    return [*out, ("missing", np.asarray(values.is_missing))]
