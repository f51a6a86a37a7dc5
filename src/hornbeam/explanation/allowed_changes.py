"""What may change in a row, what does a change cost, and which answers are wanted?"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.table.column import UNSEEN, Column, Kind
from hornbeam.table.table import Schema, Table
from hornbeam.tree.prediction import columns_of, predict

WAYS = ("up", "down")


@dataclasses.dataclass(frozen=True, eq=False)
class AllowedChanges:
    """What may change and what it costs, one entry a column: frozen, way (up, down or none), scale, cost."""

    frozen: tuple[bool, ...]
    ways: tuple[str | None, ...]
    scales: tuple[float, ...]
    costs: tuple[float, ...]


@dataclasses.dataclass(frozen=True)
class TargetOutcome:
    """Which answers are wanted: class codes, or numbers from `low` to `high`."""

    codes: frozenset[int]
    low: float = -math.inf
    high: float = math.inf

    def holds(self, model: Any, columns: Sequence[Column]) -> bool:
        """Whether a row is told what is wanted."""
        told = predict(model, tuple(columns))
        return int(told.codes[0]) in self.codes if told.is_class else self.low <= float(told.numbers[0]) <= self.high


def target_outcome(schema: Schema, told: Any, wanted: Any, above: float | None, below: float | None) -> TargetOutcome:
    """What is wanted, from what a caller says."""
    if not schema.is_class:
        if wanted is not None or (above is None and below is None):
            raise OptionError("The target is a number: say what is wanted by above= or below=.", option="wanted")
        return TargetOutcome(frozenset(), -math.inf if above is None else above, math.inf if below is None else below)
    if above is not None or below is not None:
        raise OptionError("above and below suit numbers; the target is a class.", option="above")
    names = [str(label) for label in schema.classes]
    if wanted is None:
        return TargetOutcome(frozenset(range(len(names))) - {int(told.codes[0])})
    if str(wanted) not in names:
        raise OptionError(
            f"There is no class {short_repr(wanted)}.", hint=did_you_mean(str(wanted), names), option="wanted"
        )
    return TargetOutcome(frozenset({names.index(str(wanted))}))


def allowed_changes(
    schema: Schema,
    frozen: Iterable[str],
    ways: Mapping[str, str],
    costs: Mapping[str, float],
    scales: Mapping[str, float],
    table: Table | None,
) -> AllowedChanges:
    """What may change, from what a caller says; scales come from the table unless they are given."""
    names = schema.names
    stuck = {schema.position(name) for name in ([frozen] if isinstance(frozen, str) else frozen)}
    for name, way in ways.items():
        schema.position(name)
        if way not in WAYS:
            raise OptionError(f"A column goes up or down; got {short_repr(way)} for {short_repr(name)}.", option="ways")
    for given, what in ((costs, "costs"), (scales, "scales")):
        for name, number in given.items():
            schema.position(name)
            if not (math.isfinite(number) and number > 0):
                raise OptionError(
                    f"{what} must be above 0; got {short_repr(number)} for {short_repr(name)}.", option=what
                )
    found = [1.0] * len(names) if table is None else [_spread(column) for column in columns_of(schema, table)]
    return AllowedChanges(
        tuple(c in stuck for c in range(len(names))),
        tuple(ways.get(name) for name in names),
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
    """What changing one column costs."""
    if not differs(before, after):
        return 0.0
    a, b = float(before.values[0]), float(after.values[0])
    has_no_distance = before.kind is Kind.NOMINAL or before.is_missing[0] or after.is_missing[0]
    if has_no_distance or (before.kind is Kind.ORDINAL and min(a, b) == UNSEEN):
        return allowed.costs[c]
    return allowed.costs[c] * abs(a - b) / allowed.scales[c]


def differs(one: Column, other: Column) -> bool:
    """Whether two columns of one row hold different values."""
    a, b = one.values[0], other.values[0]
    return bool(a != b) and not (one.is_missing[0] and other.is_missing[0])


def moves_allowed_way(before: Column, after: Column, way: str | None) -> bool:
    """Whether a value moved the way that it may."""
    if way is None:
        return True
    if before.kind is Kind.NOMINAL or before.is_missing[0] or after.is_missing[0]:
        return False
    return bool(after.values[0] > before.values[0]) == (way == "up")
