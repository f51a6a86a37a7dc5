"""The settings and rows of boosting as the plan that both engines take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbeam.ensembles.gradients import LOSSES
from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.options import thread_count
from hornbeam.parts.node import Sample
from hornbeam.table.column import Column, Kind
from hornbeam.tree.forest import Forest
from hornbeam.tree.forest_walk import forest_totals

if TYPE_CHECKING:
    from hornbeam.ensembles.boosting import Boosting

_KINDS = {Kind.NUMERIC: 0, Kind.ORDINAL: 1, Kind.NOMINAL: 2}
# Losses of one score per row whose leaves step by -G / (H + l2): l2 shortens the steps of small leaves.
_BY_L2 = ("squared", "logistic")
_FEW_ROWS, _MANY_ROWS = 10, 20
# Defaults of min_f for classification and of the columns sampled at a node.
_MIN_F = 5.0
_COLUMNS_PER_NODE, _MIN_COLUMNS = 0.5, 5
_REGULARIZATION = ("l1", "l2", "categorical_l2", "categorical_smoothing", "gamma", "min_hessian")


def plan_of(
    rows: Sample,
    judging: Sample | None,
    chosen: Boosting,
    after: Forest | None,
    seed: int,
    threads: int | None,
    watch: bool,
) -> dict[str, Any]:
    """The plan for these rows; `judging` are the rows held out, `after` the forest to continue from."""
    n_classes = rows.n_classes
    loss = chosen.loss or ("squared" if not n_classes else "logistic" if n_classes == 2 else "softmax")
    names = [column.name for column in rows.columns]
    plan: dict[str, Any] = {
        "loss": LOSSES.index(loss),
        "q": chosen.quantile,
        "n_classes": n_classes,
        "curvature": _curvature(_present(rows)) if loss == "softmax" else 1.0,
        "outputs": n_classes if loss == "softmax" else 1,
        "max_depth": -1 if chosen.depth is None else chosen.depth,
        "max_leaves": -1 if chosen.leaves is None else chosen.leaves,
        "best_first": chosen.order == "best_first",
        "patience": chosen.patience if judging is not None or chosen.stop_by_training else -1,
        "monotone": [_direction(chosen.monotone, column) for column in rows.columns] if chosen.monotone else [],
        "together": [[_place(names, name, "together") for name in group] for group in chosen.together or ()],
        "seed": seed,
        "threads": thread_count(threads),
        "watch": watch,
        "first_round": 0,
        "rows": _rows(rows, after),
    }
    for name in ("rate", "bins", "least"):
        plan[name] = getattr(chosen, name)
    plan["min_rows"], plan["min_weighted_rows"] = _least_rows(chosen, loss)
    plan |= _regularization(rows, chosen, loss)
    plan["rows_per_tree"], plan["columns_per_tree"] = chosen.rows_per_tree, chosen.columns_per_tree
    plan["columns_per_node"], plan["min_columns_per_node"] = _COLUMNS_PER_NODE, _MIN_COLUMNS
    if chosen.columns_per_node is not None:
        plan["columns_per_node"], plan["min_columns_per_node"] = chosen.columns_per_node, 1
    plan["min_f"] = chosen.min_f
    if chosen.min_f is None:
        plan["min_f"] = _MIN_F if loss in ("logistic", "softmax") else 0.0
    for name in chosen.monotone or {}:
        _place(names, name, "monotone")
    if judging is not None:
        plan["held_out"] = _rows(judging, after)
    if after is not None:
        plan["base"] = after.base.tolist()
        plan["first_round"] = len(after) // len(after.base)
    return plan


def _least_rows(chosen: Boosting, loss: str) -> tuple[int, int]:
    """The fewest rows of a leaf: as they are, and counted by their share of the node's second derivatives."""
    if chosen.min_rows is not None:
        return chosen.min_rows, chosen.min_rows
    if loss in _BY_L2:
        return _FEW_ROWS, _FEW_ROWS
    return _FEW_ROWS if loss == "softmax" else _MANY_ROWS, _MANY_ROWS


def _regularization(rows: Sample, chosen: Boosting, loss: str) -> dict[str, float]:
    """The settings that are measured in weight, times the mean weight: the scale of the weights changes nothing."""
    given = {name: float(getattr(chosen, name) or 0.0) for name in _REGULARIZATION}
    present = _present(rows)
    if chosen.l2 is None:
        given["l2"] = 4.0 if loss in _BY_L2 else 2.0 / max(present, 2) if loss == "softmax" else 0.0
    if chosen.categorical_l2 is None:
        given["categorical_l2"] = 10.0 if present <= 2 else 0.0
    unit = _mean_weight(rows)
    return {name: value * unit for name, value in given.items()} | {"mean_weight": unit}


def _mean_weight(rows: Sample) -> float:
    largest = float(rows.weights.max())
    return largest * float((rows.weights / largest).mean())


def _present(rows: Sample) -> int:
    """The number of classes that some row has."""
    return len(np.unique(rows.target)) if rows.n_classes else 0


def _curvature(present: int) -> float:
    """K / (K - 1): the scores of K classes move together, so one alone bends more than p (1 - p)."""
    return present / (present - 1) if present > 1 else 1.0


def _direction(monotone: Mapping[str, int], column: Column) -> int:
    direction = monotone.get(column.name, 0)
    if direction not in (-1, 0, 1):
        raise OptionError(f"monotone[{short_repr(column.name)}] must be -1, 0 or 1; got {short_repr(direction)}.")
    if direction and column.kind is Kind.NOMINAL:
        raise OptionError(
            f"Column {short_repr(column.name)} has levels without order: its answers cannot rise or fall."
        )
    return int(direction)


def _place(names: list[str], name: Any, setting: str) -> int:
    if name not in names:
        raise OptionError(
            f"{setting} names {short_repr(name)}, which is no column.", hint=did_you_mean(str(name), names)
        )
    return names.index(name)


def _rows(sample: Sample, after: Forest | None) -> dict[str, Any]:
    rows: dict[str, Any] = {
        "n_rows": sample.n_rows,
        "columns": [(_KINDS[c.kind], np.ascontiguousarray(c.values), len(c.levels)) for c in sample.columns],
        "target": np.ascontiguousarray(sample.target, dtype=np.float64),
    }
    if not (sample.weights == 1.0).all():
        rows["weights"] = np.ascontiguousarray(sample.weights, dtype=np.float64)
    if after is not None:
        rows["scores"] = np.ascontiguousarray(forest_totals(after, sample.columns).totals.T).ravel()
    return rows
