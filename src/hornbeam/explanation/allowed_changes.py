"""The constraints of a counterfactual: the columns that may change, directions, costs and predictions."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.table.column import UNSEEN, Column, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.model_table import model_table
from hornbeam.tree.prediction import Prediction, predict

DIRECTIONS = ("up", "down")


@dataclasses.dataclass(frozen=True, eq=False)
class AllowedChanges:
    """The allowed changes, one entry per column: frozen, direction (up, down or None for both), scale, cost."""

    frozen: tuple[bool, ...]
    directions: tuple[str | None, ...]
    scales: tuple[float, ...]
    costs: tuple[float, ...]


@dataclasses.dataclass(frozen=True)
class TargetOutcome:
    """The requested predictions: class codes, or numbers from `low` to `high`."""

    codes: frozenset[int]
    low: float = -math.inf
    high: float = math.inf

    def holds(self, model: Any, columns: Sequence[Column]) -> bool:
        """Whether the prediction for a row is a requested one."""
        found = predict(model, tuple(columns))
        return int(found.codes[0]) in self.codes if found.is_class else self.low <= float(found.numbers[0]) <= self.high


def target_outcome(
    schema: Schema, prediction: Prediction, target_class: Any, above: float | None, below: float | None
) -> TargetOutcome:
    """The requested predictions from the arguments of `counterfactual`; `prediction` is that of the row as it is."""
    if not schema.is_class:
        if target_class is not None or (above is None and below is None):
            raise OptionError(
                "The target is numeric: pass above= or below= instead of target_class=.", option="target_class"
            )
        return TargetOutcome(frozenset(), -math.inf if above is None else above, math.inf if below is None else below)
    if above is not None or below is not None:
        raise OptionError("above and below require a numeric target, but the target is a class.", option="above")
    names = [str(label) for label in schema.classes]
    if target_class is None:
        return TargetOutcome(frozenset(range(len(names))) - {int(prediction.codes[0])})
    if str(target_class) not in names:
        raise OptionError(
            f"Unknown class {short_repr(target_class)}.",
            hint=did_you_mean(str(target_class), names),
            option="target_class",
        )
    return TargetOutcome(frozenset({names.index(str(target_class))}))


def allowed_changes(
    schema: Schema,
    frozen: Iterable[str],
    directions: Mapping[str, str],
    costs: Mapping[str, float],
    scales: Mapping[str, float],
    table: Any,
) -> AllowedChanges:
    """The constraints from the arguments of `counterfactual`; scales default to the spread in `table`."""
    names = schema.names
    is_frozen = {schema.position(name) for name in ([frozen] if isinstance(frozen, str) else frozen)}
    for name, direction in directions.items():
        schema.position(name)
        if direction not in DIRECTIONS:
            raise OptionError(
                f"directions must be up or down, got {short_repr(direction)} for {short_repr(name)}.",
                option="directions",
            )
    for given, what in ((costs, "costs"), (scales, "scales")):
        for name, number in given.items():
            schema.position(name)
            if not (math.isfinite(number) and number > 0):
                raise OptionError(
                    f"{what} must be above 0, got {short_repr(number)} for {short_repr(name)}.", option=what
                )
    found = [1.0] * len(names) if table is None else [_spread(each) for each in model_table(schema, table).columns]
    return AllowedChanges(
        tuple(c in is_frozen for c in range(len(names))),
        tuple(directions.get(name) for name in names),
        tuple(float(scales.get(name, found[c])) for c, name in enumerate(names)),
        tuple(float(costs.get(name, 1.0)) for name in names),
    )


def _spread(column: Column) -> float:
    """The median absolute deviation; the standard deviation where that is 0; 1 where that is 0 too."""
    values = column.values.astype(np.float64)
    known = values[np.isfinite(values) & ~column.is_missing & ((values >= 0) | (column.kind is Kind.NUMERIC))]
    if column.kind is Kind.NOMINAL or not len(known):
        return 1.0
    deviation = float(np.median(np.abs(known - np.median(known))))
    return deviation or float(known.std()) or 1.0


def column_cost(c: int, before: Column, after: Column, allowed: AllowedChanges) -> float:
    """The cost of the change of one column."""
    if not differs(before, after):
        return 0.0
    a, b = float(before.values[0]), float(after.values[0])
    has_no_distance = before.kind is Kind.NOMINAL or before.is_missing[0] or after.is_missing[0]
    if has_no_distance or (before.kind is Kind.ORDINAL and min(a, b) == UNSEEN):
        return allowed.costs[c]
    return allowed.costs[c] * abs(a - b) / allowed.scales[c]


def differs(one: Column, other: Column) -> bool:
    """Whether two columns of one row have different values."""
    a, b = one.values[0], other.values[0]
    return bool(a != b) and not (one.is_missing[0] and other.is_missing[0])


def is_allowed_direction(before: Column, after: Column, direction: str | None) -> bool:
    """Whether a value changed in the allowed direction."""
    if direction is None:
        return True
    if before.kind is Kind.NOMINAL or before.is_missing[0] or after.is_missing[0]:
        return False
    return bool(after.values[0] > before.values[0]) == (direction == "up")
