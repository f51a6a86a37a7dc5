"""Histograms of the tested column at the largest nodes, which show why a cut is where it is.

A numeric column has 24 bins from its minimum to its 98.5th percentile; larger values are in the last bin. A column with
levels has one bin per level, ordered by branch, or one bin per branch if it has many levels. Every bin has the rows per
class (many classes: the three largest of the node and the others), or for a regression the rows and their mean target.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.report.text import finite_number, printable_text, short_number
from hornbeam.drawing.rows import NodeRows, node_rows
from hornbeam.table.table import Table
from hornbeam.tree.hiding import hidden_counts
from hornbeam.tree.nodes import Tree
from hornbeam.tree.questions import Encoding

_MAX_NODES = 60
_MAX_BYTES = 60_000
_BINS = 24
_MAX_LEVELS = 12
_MAX_CLASSES = 8
_SHOWN_CLASSES = 3
_RANGE = 0.985
_MARGIN = 0.03

Numbers = npt.NDArray[Any]


def profile_values(tree: Tree, table: Table | None, min_count: int) -> dict[str, dict[str, Any]]:
    """Profiles by node, for the nodes with the most rows, as far as the limit on bytes allows."""
    if table is None or not len(table) or table.target is None:
        return {}
    inner = np.flatnonzero(~tree.nodes.is_leaf)
    largest = inner[np.argsort(-tree.nodes.rows[inner], kind="stable")][:_MAX_NODES].tolist()
    if not largest:
        return {}
    rows = node_rows(tree, table, max_depth=int(tree.nodes.depth[largest].max()))
    out: dict[str, dict[str, Any]] = {}
    n_bytes = 0
    for node in largest:
        found = _profile(tree, rows, node, min_count)
        if found is None:
            continue
        n_bytes += len(json.dumps(found))
        if n_bytes > _MAX_BYTES:
            break
        out[str(node)] = found
    return out


def _profile(tree: Tree, rows: NodeRows, node: int, min_count: int) -> dict[str, Any] | None:
    question = int(tree.nodes.question[node])
    column = int(tree.questions.column[question])
    at = rows.at(node)
    assert rows.target is not None  # a table without target has no profiles
    if column < 0 or not len(at):
        return None
    values = rows.columns[column].take(at)
    known = np.flatnonzero(~values.is_missing & np.isfinite(rows.target[at]))
    if len(known) <= min_count:
        return None
    bins = _level_bins(tree, question, column, values.values[known])
    if bins is None:
        bins = _number_bins(tree, question, values.values[known].astype(float), max(min_count, 1))
    counts = _counts(tree, rows.target[at][known], bins)
    counts["counts"] = [
        [finite_number(x) for x in row] for row in hidden_counts(np.asarray(counts["counts"]), min_count).tolist()
    ]
    return {name: bins[name] for name in ("low", "high", "labels", "has_tail")} | counts


def _number_bins(tree: Tree, question: int, values: Numbers, at_least: int) -> dict[str, Any]:
    """Bins of equal width; at least `at_least` values are at or beyond each end of the axis."""
    ordered = np.sort(values[np.isfinite(values)])
    if not len(ordered):
        ordered = np.zeros(1)
    cuts = tree.questions.reals_of(question)
    first = min(at_least, len(ordered)) - 1
    last = min(math.ceil(_RANGE * len(ordered)), len(ordered) - 1 - first)
    low = min(float(ordered[first]), *map(float, cuts)) if len(cuts) else float(ordered[first])
    high = max(float(ordered[max(last, first)]), *map(float, cuts)) if len(cuts) else float(ordered[max(last, first)])
    margin = _MARGIN * ((high - low) or 1.0)
    low, high = low - margin, high + margin
    with np.errstate(invalid="ignore", over="ignore"):
        places = np.nan_to_num(np.floor((values - low) / (high - low) * _BINS), nan=0.0, posinf=_BINS, neginf=0.0)
    return {
        "low": short_number(low, 9),
        "high": short_number(high, 9),
        "labels": [],
        "has_tail": bool((values > high).any()),
        "bin": np.clip(places, 0, _BINS - 1).astype(np.int64),
        "n": _BINS,
    }


def _level_bins(tree: Tree, question: int, column: int, codes: Numbers) -> dict[str, Any] | None:
    """One bin per level or per branch; None if the column is a number."""
    levels = tree.schema.columns[column].levels
    if not levels:
        return None
    codes = np.clip(codes.astype(np.int64), 0, len(levels) - 1)
    if tree.questions.encoding[question] != Encoding.MAP:
        if len(levels) > _BINS:
            return None
        labels, place, low = list(range(len(levels))), np.arange(len(levels)), -0.5
        ends: tuple[float | None, float | None] = (low, len(levels) - 0.5)
    else:
        branch = np.asarray(tree.questions.whole_of(question), dtype=np.int64)
        branch = np.concatenate([branch, np.full(max(len(levels) - len(branch), 0), -1)])[: len(levels)]
        labels = sorted(np.unique(codes).tolist(), key=lambda code: (branch[code], code))
        ends = (None, None)
        if len(labels) > _MAX_LEVELS:
            place = np.maximum(branch, 0)
            names = [f"branch {at + 1}" for at in range(int(place.max()) + 1)]
            return {"low": None, "high": None, "labels": names, "has_tail": False, "bin": place[codes], "n": len(names)}
        place = np.zeros(len(levels), dtype=np.int64)
        place[labels] = np.arange(len(labels))
    names = [printable_text(levels[code]) for code in labels]
    return {
        "low": ends[0],
        "high": ends[1],
        "labels": names,
        "has_tail": False,
        "bin": place[codes],
        "n": len(names),
    }


def _counts(tree: Tree, target: Numbers, bins: dict[str, Any]) -> dict[str, Any]:
    place, n = bins["bin"], bins["n"]
    if not tree.is_class:
        counts = np.bincount(place, minlength=n)
        sums = np.bincount(place, target, minlength=n)
        means = [short_number(total / count) if count else None for total, count in zip(sums, counts, strict=True)]
        return {"classes": [], "counts": counts[:, None].tolist(), "means": means}
    k = len(tree.schema.classes)
    per_class = np.zeros((n, k + 1))
    np.add.at(per_class, (place, np.where(target < 0, k, target).astype(np.int64)), 1)
    shown = np.arange(k)
    if k > _MAX_CLASSES:
        shown = np.argsort(-per_class[:, :k].sum(axis=0), kind="stable")[:_SHOWN_CLASSES]
    rest = per_class.sum(axis=1) - per_class[:, shown].sum(axis=1)
    classes, counts = shown.tolist(), per_class[:, shown]
    if rest.any():
        classes, counts = [*classes, -1], np.column_stack([counts, rest])
    return {"classes": classes, "counts": counts.tolist(), "means": []}
