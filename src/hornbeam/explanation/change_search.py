"""How is a change found that turns a forest's answer?  One column after the other, to the place that helps most.

    1. try every place of every column that may change; if some turn the answer, the cheapest of them is taken
    2. else the place that brings the answer nearest to what is wanted is taken, and so on
    3. then every changed column is put back if the answer stays

Places are those between the forest's cuts (the nearest of each step), and the levels. Not proven the smallest.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.explanation.allowed_changes import AllowedChanges, TargetOutcome, column_cost, differs, moves_allowed_way
from hornbeam.explanation.models import AdditiveModel, Floats, additive_model
from hornbeam.explanation.partial_dependence import cuts_of
from hornbeam.table.column import Column, Kind
from hornbeam.tree.prediction import predict

_STEP = 1e-6
_MOST_PLACES = 200

Row = tuple[Column, ...]


def search_change(forest: Any, one: Row, goal: TargetOutcome, allowed: AllowedChanges) -> Row | None:
    """A row that is told what is wanted, reached by changes of single columns; None when none turns it."""
    places = _places(additive_model(forest), one, allowed)
    now = one
    for _ in range(len(one)):
        tried = [
            (c, value) for c, found in enumerate(places) for value in found if differs(now[c], _with(one[c], value))
        ]
        if not tried:
            return None
        rows = [_changed(now, c, value) for c, value in tried]
        nearness = _nearness(forest, rows, goal)
        costs = np.array([_cost(one, row, allowed) for row in rows])
        turned = np.flatnonzero(np.isposinf(nearness))
        if len(turned):
            return _put_back(forest, one, rows[int(turned[np.argmin(costs[turned])])], goal)
        best = int(np.lexsort((costs, -nearness))[0])
        if not nearness[best] > _nearness(forest, [now], goal)[0]:
            return None
        now = rows[best]
    return None


def _put_back(forest: Any, one: Row, found: Row, goal: TargetOutcome) -> Row:
    for c in range(len(one)):
        if differs(one[c], found[c]):
            back = (*found[:c], one[c], *found[c + 1 :])
            found = back if goal.holds(forest, back) else found
    return found


def _cost(one: Row, other: Row, allowed: AllowedChanges) -> float:
    return sum(column_cost(c, a, b, allowed) for c, (a, b) in enumerate(zip(one, other, strict=True)))


def _nearness(forest: Any, rows: list[Row], goal: TargetOutcome) -> Floats:
    """How near each row's answer is to what is wanted; infinite where it is there."""
    together = tuple(
        dataclasses.replace(parts[0], values=np.concatenate([part.values for part in parts]))
        for parts in zip(*rows, strict=True)
    )
    told = predict(forest, together)
    if told.is_class:
        codes = sorted(goal.codes)
        near = told.values[:, codes].max(axis=1) - np.delete(told.values, codes, axis=1).max(axis=1, initial=0.0)
        return np.where(np.isin(told.codes, codes), np.inf, near)
    gap = np.maximum(goal.low - told.numbers, told.numbers - goal.high)
    return np.where(gap <= 0, np.inf, -gap)


def _places(model: AdditiveModel, one: Row, allowed: AllowedChanges) -> list[list[float]]:
    """The values that each column may take, nearest of every step."""
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
            values = values[np.argsort(np.abs(values - x), kind="stable")[:_MOST_PLACES]]
        else:
            values = np.arange(len(column.levels))
        out.append([v for v in values.tolist() if moves_allowed_way(column, _with(column, v), allowed.ways[c])])
    return out


def _with(column: Column, value: float) -> Column:
    return dataclasses.replace(column, values=np.array([value], dtype=column.values.dtype))


def _changed(row: Row, c: int, value: float) -> Row:
    return (*row[:c], _with(row[c], value), *row[c + 1 :])
