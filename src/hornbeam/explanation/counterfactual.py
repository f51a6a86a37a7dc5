"""Counterfactual: the smallest change of a row that changes its prediction.

    distance = sum over the changed columns of cost * |x - x'| / scale for numbers and ordinal levels; the cost alone
               for nominal levels and for a value that was missing

The scale is the median absolute deviation of the column in `table` (the standard deviation where that is 0; 1 without
a table). Each leaf of a tree is a union of boxes, so the nearest box with the requested prediction is found exactly; a
strict bound is exceeded by a millionth of the scale. Columns may be frozen, or allowed to change in one direction only.
The result is predicted again before it is returned.

For a forest, values between its cuts are tried column by column until the prediction changes, and changes that are not
needed are reverted: the result is not proven to be the smallest (`is_exact` is False).
"""

from __future__ import annotations

import dataclasses
import html
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from hornbeam.explanation.allowed_changes import (
    AllowedChanges,
    TargetOutcome,
    allowed_changes,
    column_cost,
    differs,
    is_allowed_direction,
    target_outcome,
)
from hornbeam.explanation.boxes import Box, ColumnBounds, boxes_of
from hornbeam.explanation.change_search import search_change
from hornbeam.explanation.models import row_of
from hornbeam.number_text import short_number_text
from hornbeam.ordered_sum import ordered_sum
from hornbeam.table.column import Column, Kind
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import Prediction, predict
from hornbeam.tree.text import printable
from hornbeam.tree.text_tables import html_table

_STEP = 1e-6
_MAX_MISSING = 4  # with more missing values than this, either all of them stay missing or none


@dataclasses.dataclass(frozen=True)
class ChangedValue:
    """The value of one column before and after, as text, and the new value itself."""

    column: str
    before: str
    after: str
    value: Any
    cost: float


@dataclasses.dataclass(frozen=True, eq=False)
class Counterfactual:
    """The smallest change found; `after` is None if no allowed change has the requested effect."""

    row: int
    before: str
    after: str | None
    changes: tuple[ChangedValue, ...]
    distance: float
    leaf: int
    is_exact: bool
    columns: tuple[Column, ...]

    def rows(self) -> list[list[str]]:
        """One row of a table per changed column."""
        lines = [["column", "before", "after", "cost"]]
        return lines + [[each.column, each.before, each.after, short_number_text(each.cost)] for each in self.changes]

    def as_dict(self) -> dict[str, Any]:
        """The counterfactual as JSON values."""
        return {
            "row": self.row,
            "before": self.before,
            "after": self.after,
            "changes": [dataclasses.asdict(each) for each in self.changes],
            "distance": self.distance if self.after is not None else None,
            "is_exact": self.is_exact,
        }

    def __str__(self) -> str:
        if self.after is None:
            return printable(f"Row {self.row}: {self.before}; no allowed change leads to the requested prediction.")
        if not self.changes:
            return printable(f"Row {self.row}: {self.before}, as requested; no change is needed.")
        about = "" if self.is_exact else ", not proven to be the smallest"
        head = (
            f"Row {self.row}: {self.before} becomes {self.after} (distance {short_number_text(self.distance)}{about})"
        )
        lines = [f"  {each.column}: {each.before} -> {each.after}" for each in self.changes]
        return "\n".join(map(printable, [head, *lines]))

    def __repr__(self) -> str:
        return f"<Counterfactual of row {self.row}: {self.before} to {self.after}, {len(self.changes)} columns>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self).splitlines()[0])}</p>" + (html_table(self.rows()) if self.changes else "")


def counterfactual(
    model: Any,
    rows: Any,
    row: int = 0,
    *,
    target_class: Any = None,
    above: float | None = None,
    below: float | None = None,
    frozen: Iterable[str] = (),
    directions: Mapping[str, str] | None = None,
    costs: Mapping[str, float] | None = None,
    scales: Mapping[str, float] | None = None,
    table: Any = None,
) -> Counterfactual:
    """The smallest change of one row (numbered from 0) that changes the prediction of a tree, forest or estimator.

    `target_class` is the requested class (default: any other class); for regression, `above` and `below` bound the
    requested prediction. `frozen` columns do not change; `directions` allows a column to change only "up" or "down";
    `costs` and `scales` are given per column. `rows` and `table` are tables, data frames or anything
    that `read` accepts.
    """
    found = unwrapped(model)
    one = row_of(model_table(found.schema, rows).columns, row)
    allowed = allowed_changes(found.schema, frozen, directions or {}, costs or {}, scales or {}, table)
    prediction = predict(found, one)
    before = _prediction_text(prediction)
    goal = target_outcome(found.schema, prediction, target_class, above, below)
    if goal.holds(found, one):
        return Counterfactual(int(row), before, before, (), 0.0, int(prediction.nodes[0]), True, one)
    if isinstance(found, Tree):
        new, leaf = _nearest(found, one, goal, allowed)
    else:
        new, leaf = search_change(found, one, goal, allowed), -1
    is_exact = isinstance(found, Tree)
    if new is None:
        return Counterfactual(int(row), before, None, (), math.inf, -1, is_exact, one)
    changes = tuple(
        ChangedValue(a.name, a.shown_value(0), _value_text(a, b), _value(b), column_cost(c, a, b, allowed))
        for c, (a, b) in enumerate(zip(one, new, strict=True))
        if differs(a, b)
    )
    after = _prediction_text(predict(found, new))
    return Counterfactual(
        int(row), before, after, changes, ordered_sum(each.cost for each in changes), leaf, is_exact, new
    )


def _prediction_text(prediction: Prediction) -> str:
    return str(prediction.labels[0]) if prediction.is_class else short_number_text(float(prediction.numbers[0]))


def _value(column: Column) -> Any:
    value = column.values[0]
    if column.kind is Kind.NUMERIC:
        return float(value)
    return column.levels[value] if value >= 0 else None


def _value_text(old: Column, new: Column) -> str:
    """A value with enough digits to be on the same side of every cut; a later date is rounded up to a whole day."""
    if new.kind is not Kind.NUMERIC:
        return new.shown_value(0)
    value = float(new.values[0])
    if new.text_format is not None and new.text_format.date and not new.text_format.has_time:
        value = math.ceil(value) if value > float(old.values[0]) else math.floor(value)
    return new.number_text(value, 10)


def _nearest(
    tree: Tree, one: tuple[Column, ...], goal: TargetOutcome, allowed: AllowedChanges
) -> tuple[tuple[Column, ...] | None, int]:
    """The nearest row in a box with the requested prediction that the tree predicts so; and its leaf."""
    predictions = tree.nodes.answer
    found: list[tuple[float, int, int, tuple[Column, ...]]] = []
    for leaf in np.flatnonzero(tree.nodes.is_leaf).tolist():
        value = predictions[leaf]
        if not (int(value) in goal.codes if tree.is_class else goal.low <= value <= goal.high):
            continue
        for box in boxes_of(tree, leaf):
            for kept in _missing_kept(one, box):
                new = _moved(one, {c: side for c, side in box.items() if c not in kept}, allowed)
                if new is not None:
                    cost = ordered_sum(
                        column_cost(c, a, b, allowed) for c, (a, b) in enumerate(zip(one, new, strict=True))
                    )
                    found.append((cost, leaf, len(found), new))
    for _, leaf, _, new in sorted(found, key=lambda each: each[:3]):
        if goal.holds(tree, new):
            return new, leaf
    return None, -1


def _missing_kept(one: tuple[Column, ...], box: Box) -> Iterator[tuple[int, ...]]:
    """Sets of missing columns of a box that stay missing: where such a row ends depends on the tree's strategy."""
    gone = [c for c in box if one[c].is_missing[0] and not box[c].is_missing]
    if len(gone) > _MAX_MISSING:
        yield from (tuple(gone), ())
        return
    for size in range(len(gone), -1, -1):
        yield from itertools.combinations(gone, size)


def _moved(one: tuple[Column, ...], box: Box, allowed: AllowedChanges) -> tuple[Column, ...] | None:
    """The row moved into a box by the smallest change; None if that is not allowed."""
    new = list(one)
    for c, side in box.items():
        value = _value_inside(one[c], side, allowed.scales[c])
        if value is None:
            continue
        if allowed.frozen[c]:
            return None
        column = dataclasses.replace(one[c], values=np.array([value], dtype=one[c].values.dtype))
        if not is_allowed_direction(one[c], column, allowed.directions[c]):
            return None
        new[c] = column
    return tuple(new)


def _value_inside(column: Column, side: ColumnBounds, scale: float) -> float | int | None:
    """The nearest value inside one side of a box; None when the value is inside already."""
    is_missing = bool(column.is_missing[0])
    if side.is_missing:
        return None if is_missing else (np.nan if column.kind is Kind.NUMERIC else -1)
    if column.kind is Kind.NUMERIC:
        return _number_inside(float(column.values[0]), is_missing, side, scale)
    code = int(column.values[0])
    inside = [k for k in range(len(column.levels)) if side.low < k <= side.high]
    inside = [k for k in inside if side.levels is None or k in side.levels]
    if code in inside or not inside:
        return None if code in inside else -1
    return min(inside, key=lambda k: (abs(k - code) if column.kind is Kind.ORDINAL and code >= 0 else 0, k))


def _number_inside(x: float, is_missing: bool, side: ColumnBounds, scale: float) -> float | None:
    if is_missing:
        ends = [end for end in (side.low, side.high) if math.isfinite(end)]
        if not ends:
            return 0.0
        return side.high if math.isfinite(side.high) else _past(side.low, side.high, scale)
    if x <= side.low:
        return _past(side.low, side.high, scale)
    return side.high if x > side.high else None


def _past(low: float, high: float, scale: float) -> float:
    """A little above a cut, and not above the next one."""
    step = low + _STEP * scale
    if not step > low:
        step = math.nextafter(low, math.inf)
    return step if step <= high else low + (high - low) / 2 if low + (high - low) / 2 > low else high
