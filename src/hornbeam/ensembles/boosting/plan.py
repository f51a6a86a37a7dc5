"""The plan of boosting: settings and rows in the form that the core and the reference implementation take."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hornbeam.ensembles.boosting.gradients import LOSSES
from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.options import thread_count
from hornbeam.parts.node import Sample
from hornbeam.table.column import Kind
from hornbeam.tree.forest import Forest
from hornbeam.tree.forest_walk import forest_totals

if TYPE_CHECKING:
    from hornbeam.ensembles.methods.boosting import Boosting

_KINDS = {Kind.NUMERIC: 0, Kind.ORDINAL: 1, Kind.NOMINAL: 2}
# Losses of one score per row with leaf values -G / (H + l2): l2 shrinks the values of small leaves.
_SHRUNK_BY_L2 = ("squared", "logistic")
_FEW_ROWS, _MANY_ROWS = 10, 20
# Defaults of classification: min_f, and by how much it grows with the logarithm of the number of cuts tried; l2 times
# the number of classes.
_MIN_F, _F_SLOPES = 2.0, {"logistic": 2.0, "softmax": 1.0}
_CLASS_L2 = 2.0
# Joint trees: minimum and default of l2 times the number of classes; the first of this many rounds is not joint.
_JOINT_CLASS_L2, _JOINT_PERIOD = 0.25, 3
# Defaults of the columns sampled at a node.
_COLUMNS_PER_NODE, _MIN_COLUMNS = 0.5, 5
_REGULARIZATION = ("l1", "l2", "categorical_l2", "categorical_smoothing", "gamma", "min_hessian")


class DescribedColumn(Protocol):
    """A column by its name and kind."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def kind(self) -> Kind:
        """The kind."""


@dataclasses.dataclass(frozen=True)
class RowFacts:
    """What the settings depend on: columns, classes, those that training rows have, the mean weight."""

    columns: Sequence[DescribedColumn]
    n_classes: int
    classes: tuple[int, ...]
    mean_weight: float

    @classmethod
    def of(cls, rows: Sample) -> RowFacts:
        """The facts of training rows in memory."""
        classes = tuple(np.unique(rows.target).astype(np.int64).tolist()) if rows.n_classes else ()
        largest = float(rows.weights.max())
        # Weights are multiples of a power of two: scaled by one, their sum is exact in any order.
        unit = 2.0 ** int(np.frexp(largest)[1])
        return cls(rows.columns, rows.n_classes, classes, unit * (float((rows.weights / unit).sum()) / rows.n_rows))


def boosting_plan(
    rows: Sample,
    held_out: Sample | None,
    chosen: Boosting,
    continue_from: Forest | None,
    seed: int,
    threads: int | None,
    record_loss: bool,
) -> dict[str, Any]:
    """The plan for these rows; `held_out` are the validation rows. The keys are those of the compiled core."""
    can_stop = held_out is not None or chosen.stop_by_training
    plan = boosting_settings(RowFacts.of(rows), chosen, can_stop, seed)
    plan |= {"threads": thread_count(threads), "watch": record_loss, "rows": _rows(rows, continue_from)}
    if held_out is not None:
        plan["held_out"] = _rows(held_out, continue_from)
    if continue_from is not None:
        plan["base"] = continue_from.base.tolist()
        plan["first_round"] = len(continue_from) // len(continue_from.base)
    return plan


def boosting_settings(rows: RowFacts, chosen: Boosting, can_stop: bool, seed: int) -> dict[str, Any]:
    """The plan without its rows."""
    n_classes = rows.n_classes
    loss = chosen.loss or ("squared" if not n_classes else "logistic" if n_classes == 2 else "softmax")
    plan: dict[str, Any] = {
        "loss": LOSSES.index(loss),
        "n_classes": n_classes,
        "curvature": _curvature(len(rows.classes)) if loss == "softmax" else 1.0,
        "outputs": n_classes if loss == "softmax" else 1,
        "patience": chosen.early_stopping_rounds if can_stop else -1,
        "seed": seed,
        "first_round": 0,
        **_tree_settings(rows, chosen),
        **_regularization(rows, chosen, loss),
    }
    plan["min_rows"], plan["min_weighted_rows"] = _min_rows(chosen, loss)
    plan |= _joint_trees(rows, chosen, plan)
    plan["min_f"], plan["f_slope"] = chosen.min_f, 0.0
    if chosen.min_f is None:
        plan["min_f"], plan["f_slope"] = (_MIN_F if loss in _F_SLOPES else 0.0), _F_SLOPES.get(loss, 0.0)
    return plan


def _tree_settings(rows: RowFacts, chosen: Boosting) -> dict[str, Any]:
    """The settings that do not depend on the loss."""
    names = [column.name for column in rows.columns]
    groups = chosen.interaction_constraints or ()
    return {
        "q": chosen.quantile,
        "rate": chosen.learning_rate,
        "bins": chosen.bins,
        "least": chosen.min_improvement,
        "max_depth": -1 if chosen.max_depth is None else chosen.max_depth,
        "max_leaves": -1 if chosen.max_leaves is None else chosen.max_leaves,
        "best_first": chosen.order == "best_first",
        "monotone": _directions(chosen.monotone_constraints or {}, rows.columns),
        "together": [[_column_index(names, name, "interaction_constraints") for name in group] for group in groups],
        "rows_per_tree": chosen.rows_per_tree,
        "columns_per_tree": chosen.columns_per_tree,
        "columns_per_node": _COLUMNS_PER_NODE if chosen.columns_per_node is None else chosen.columns_per_node,
        "min_columns_per_node": _MIN_COLUMNS if chosen.columns_per_node is None else 1,
    }


def _min_rows(chosen: Boosting, loss: str) -> tuple[int, int]:
    """The minimum rows of a leaf: as a count, and weighted by their fraction of the node's second derivatives."""
    if chosen.min_rows is not None:
        return chosen.min_rows, chosen.min_rows
    if loss in _SHRUNK_BY_L2:
        return _FEW_ROWS, _FEW_ROWS
    return _FEW_ROWS if loss == "softmax" else _MANY_ROWS, _MANY_ROWS


def _regularization(rows: RowFacts, chosen: Boosting, loss: str) -> dict[str, float]:
    """The settings in units of weight, times the mean weight: scaling all weights does not change the trees."""
    values = {name: float(getattr(chosen, name) or 0.0) for name in _REGULARIZATION}
    present = len(rows.classes)
    if chosen.l2 is None:
        values["l2"] = _CLASS_L2 / max(present, 2) if loss in _F_SLOPES else 4.0 if loss == "squared" else 0.0
    if chosen.categorical_l2 is None:
        values["categorical_l2"] = 10.0 if present <= 2 else 0.0
    unit = rows.mean_weight
    return {name: value * unit for name, value in values.items()} | {"mean_weight": unit}


def _joint_trees(rows: RowFacts, chosen: Boosting, plan: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of joint rounds; they have no classes if there are none.

    Monotone columns bound the values of one class, so they exclude joint trees. The minimum of l2 is necessary: the
    limits of a leaf hold for two groups of classes, and a single class may have almost no second derivatives in it.
    """
    is_used = chosen.joint_trees and plan["loss"] == LOSSES.index("softmax") and not chosen.monotone_constraints
    min_l2 = _JOINT_CLASS_L2 / max(len(rows.classes), 1) * plan["mean_weight"]
    return {
        "joint_classes": list(rows.classes) if is_used and len(rows.classes) > 2 else [],
        "joint_period": _JOINT_PERIOD,
        "joint_l2": min_l2 if chosen.l2 is None else max(plan["l2"], min_l2),
        "joint_min_weighted_rows": plan["min_rows"],
    }


def _curvature(present: int) -> float:
    """K / (K - 1): the scores of K classes are dependent, so the curvature of one exceeds p (1 - p)."""
    return present / (present - 1) if present > 1 else 1.0


def _directions(constraints: Mapping[str, int], columns: Sequence[DescribedColumn]) -> list[int]:
    """The monotone direction of each column; an empty list without constraints."""
    names = [column.name for column in columns]
    for name in constraints:
        _column_index(names, name, "monotone_constraints")
    return [_direction(constraints.get(column.name, 0), column) for column in columns] if constraints else []


def _direction(direction: int, column: DescribedColumn) -> int:
    name = short_repr(column.name)
    if direction not in (-1, 0, 1):
        raise OptionError(f"monotone_constraints[{name}] must be -1, 0 or 1, got {short_repr(direction)}.")
    if direction and column.kind is Kind.NOMINAL:
        raise OptionError(f"monotone_constraints requires ordered columns, but column {name} is nominal.")
    return int(direction)


def _column_index(names: list[str], name: Any, setting: str) -> int:
    if name not in names:
        raise OptionError(
            f"{setting} contains {short_repr(name)}, which is not a column.", hint=did_you_mean(str(name), names)
        )
    return names.index(name)


def _rows(sample: Sample, continue_from: Forest | None) -> dict[str, Any]:
    rows: dict[str, Any] = {
        "n_rows": sample.n_rows,
        "columns": [(_KINDS[c.kind], np.ascontiguousarray(c.values), len(c.levels)) for c in sample.columns],
        "target": np.ascontiguousarray(sample.target, dtype=np.float64),
    }
    if not (sample.weights == 1.0).all():
        rows["weights"] = np.ascontiguousarray(sample.weights, dtype=np.float64)
    if continue_from is not None:
        rows["scores"] = np.ascontiguousarray(forest_totals(continue_from, sample.columns).totals.T).ravel()
    return rows
