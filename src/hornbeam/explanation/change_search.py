"""Searches a counterfactual for a forest: greedily, one column after the other.

    1. try every candidate value of every column that may change; if some reach the requested prediction, take the
       cheapest
    2. otherwise take the value that brings the prediction nearest to the requested one, and repeat
    3. revert every changed column whose change is not needed

Candidate values are those next to the forest's cuts, and the levels. The result is not proven to be the smallest.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.explanation.allowed_changes import (
    AllowedChanges,
    TargetOutcome,
    column_cost,
    differs,
    is_allowed_direction,
)
from hornbeam.explanation.models import AdditiveModel, Floats, additive_model
from hornbeam.explanation.partial_dependence import cuts_of
from hornbeam.ordered_sum import ordered_sum
from hornbeam.table.column import Column, Kind
from hornbeam.tree.prediction import predict

_STEP = 1e-6
_MAX_CANDIDATES = 200

Row = tuple[Column, ...]


def search_change(forest: Any, one: Row, goal: TargetOutcome, allowed: AllowedChanges) -> Row | None:
    """A row with the requested prediction, reached by changes of single columns; None if there is none."""
    candidates = _candidates(additive_model(forest), one, allowed)
    now = one
    for _ in range(len(one)):
        tried = [
            (c, value) for c, found in enumerate(candidates) for value in found if differs(now[c], _with(one[c], value))
        ]
        if not tried:
            return None
        rows = [_changed(now, c, value) for c, value in tried]
        nearness = _nearness(forest, rows, goal)
        costs = np.array([_cost(one, row, allowed) for row in rows])
        reached = np.flatnonzero(np.isposinf(nearness))
        if len(reached):
            return _revert_unneeded(forest, one, rows[int(reached[np.argmin(costs[reached])])], goal)
        best = int(np.lexsort((costs, -nearness))[0])
        if not nearness[best] > _nearness(forest, [now], goal)[0]:
            return None
        now = rows[best]
    return None


def _revert_unneeded(forest: Any, one: Row, found: Row, goal: TargetOutcome) -> Row:
    for c in range(len(one)):
        if differs(one[c], found[c]):
            back = (*found[:c], one[c], *found[c + 1 :])
            found = back if goal.holds(forest, back) else found
    return found


def _cost(one: Row, other: Row, allowed: AllowedChanges) -> float:
    return ordered_sum(column_cost(c, a, b, allowed) for c, (a, b) in enumerate(zip(one, other, strict=True)))


def _nearness(forest: Any, rows: list[Row], goal: TargetOutcome) -> Floats:
    """How near the prediction for each row is to the requested one; infinite where it is reached."""
    together = tuple(
        dataclasses.replace(parts[0], values=np.concatenate([part.values for part in parts]))
        for parts in zip(*rows, strict=True)
    )
    found = predict(forest, together)
    if found.is_class:
        codes = sorted(goal.codes)
        near = found.values[:, codes].max(axis=1) - np.delete(found.values, codes, axis=1).max(axis=1, initial=0.0)
        return np.where(np.isin(found.codes, codes), np.inf, near)
    gap = np.maximum(goal.low - found.numbers, found.numbers - goal.high)
    return np.where(gap <= 0, np.inf, -gap)


def _candidates(model: AdditiveModel, one: Row, allowed: AllowedChanges) -> list[list[float]]:
    """The candidate values of each column: the nearest value in every interval between cuts, or the levels."""
    out: list[list[float]] = []
    for c, column in enumerate(one):
        if allowed.frozen[c]:
            out.append([])
            continue
        if column.kind is Kind.NUMERIC:
            cuts = cuts_of(model, c)[0]
            x = float(column.values[0])
            past = np.maximum(cuts + _STEP * allowed.scales[c], np.nextafter(cuts, np.inf))
            values = np.where(cuts < x, cuts, past) if not np.isnan(x) else np.concatenate([cuts, past])
            values = values[np.argsort(np.abs(values - x), kind="stable")[:_MAX_CANDIDATES]]
        else:
            values = np.arange(len(column.levels))
        out.append(
            [v for v in values.tolist() if is_allowed_direction(column, _with(column, v), allowed.directions[c])]
        )
    return out


def _with(column: Column, value: float) -> Column:
    return dataclasses.replace(column, values=np.array([value], dtype=column.values.dtype))


def _changed(row: Row, c: int, value: float) -> Row:
    return (*row[:c], _with(row[c], value), *row[c + 1 :])
