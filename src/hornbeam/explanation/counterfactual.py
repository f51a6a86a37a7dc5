"""What is the least that would have to be different for another answer?

    distance = sum over changed columns of cost * |x - x'| / scale, numbers and ordered levels; cost alone for levels
               without order and for a value that was missing

The scale is the median absolute deviation of the column in `table` (the standard deviation where that is 0; 1 without
a table). Each leaf is a box, so for one tree the nearest box of the wanted answer is found exactly; a strict side is
passed by a millionth of the scale. Columns may be frozen, or allowed to go one way only. What comes out is predicted
again before it is told.

For a forest places are tried column by column, those between its cuts, until the answer turns, and then taken back
where that costs nothing: an answer, not proven the smallest (`is_exact` is False).
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
    moves_allowed_way,
    target_outcome,
)
from hornbeam.explanation.boxes import Box, ColumnBounds, boxes_of
from hornbeam.explanation.change_search import search_change
from hornbeam.explanation.models import row_of
from hornbeam.table.column import Column, Kind
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import columns_of, predict
from hornbeam.tree.text import printable
from hornbeam.tree.text_tables import html_table, number_text

_STEP = 1e-6
_MOST_MISSING = 4  # beyond these, all that are missing stay so, or none


@dataclasses.dataclass(frozen=True)
class ChangedValue:
    """One column's value before and after, in words and as values."""

    column: str
    before: str
    after: str
    value: Any
    cost: float


@dataclasses.dataclass(frozen=True, eq=False)
class Counterfactual:
    """The smallest change found; no changes and no answer when none is allowed that does it."""

    row: int
    before: str
    after: str | None
    changes: tuple[ChangedValue, ...]
    distance: float
    leaf: int
    is_exact: bool
    columns: tuple[Column, ...]

    def rows(self) -> list[list[str]]:
        """One line a changed column."""
        lines = [["column", "is", "would be", "cost"]]
        return lines + [[each.column, each.before, each.after, number_text(each.cost)] for each in self.changes]

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
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
            return printable(f"Row {self.row} is told {self.before}; no allowed change turns that.")
        if not self.changes:
            return printable(f"Row {self.row} is told {self.before} as it is: nothing has to change.")
        about = "" if self.is_exact else ", not proven the smallest"
        head = f"Row {self.row}: {self.before} becomes {self.after} (distance {number_text(self.distance)}{about})"
        lines = [f"  {each.column}: {each.before} -> {each.after}" for each in self.changes]
        return "\n".join(map(printable, [head, *lines]))

    def __repr__(self) -> str:
        return f"<Change of row {self.row}: {self.before} to {self.after}, {len(self.changes)} columns>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self).splitlines()[0])}</p>" + (html_table(self.rows()) if self.changes else "")


def counterfactual(
    model: Any,
    rows: Any,
    row: int = 0,
    *,
    wanted: Any = None,
    above: float | None = None,
    below: float | None = None,
    frozen: Iterable[str] = (),
    ways: Mapping[str, str] | None = None,
    costs: Mapping[str, float] | None = None,
    scales: Mapping[str, float] | None = None,
    table: Table | None = None,
) -> Counterfactual:
    """The smallest change of one row (from 0) that turns what it is told.

    `wanted` is a class (without one any other class); for numbers `above` and `below` bound what is wanted. `frozen`
    columns keep their values; `ways` lets a column go "up" or "down" only; `costs` and `scales` by column.
    """
    found = unwrapped(model)
    one = row_of(columns_of(found.schema, rows), row)
    allowed = allowed_changes(found.schema, frozen, ways or {}, costs or {}, scales or {}, table)
    told = predict(found, one)
    before = str(told.labels[0]) if told.is_class else number_text(float(told.numbers[0]))
    goal = target_outcome(found.schema, told, wanted, above, below)
    if goal.holds(found, one):
        return Counterfactual(int(row), before, before, (), 0.0, int(told.nodes[0]), True, one)
    if isinstance(found, Tree):
        new, leaf = _nearest(found, one, goal, allowed)
    else:
        new, leaf = search_change(found, one, goal, allowed), -1
    is_exact = isinstance(found, Tree)
    if new is None:
        return Counterfactual(int(row), before, None, (), math.inf, -1, is_exact, one)
    changes = tuple(
        ChangedValue(a.name, a.shown_value(0), _value_words(b), _value(b), column_cost(c, a, b, allowed))
        for c, (a, b) in enumerate(zip(one, new, strict=True))
        if differs(a, b)
    )
    said = predict(found, new)
    after = str(said.labels[0]) if said.is_class else number_text(float(said.numbers[0]))
    return Counterfactual(int(row), before, after, changes, sum(each.cost for each in changes), leaf, is_exact, new)


def _value(column: Column) -> Any:
    value = column.values[0]
    if column.kind is Kind.NUMERIC:
        return float(value)
    return column.levels[value] if value >= 0 else None


def _value_words(column: Column) -> str:
    """A value with all the digits that it takes to pass a cut."""
    return f"{column.values[0]:.10g}" if column.kind is Kind.NUMERIC else column.shown_value(0)


def _nearest(
    tree: Tree, one: tuple[Column, ...], goal: TargetOutcome, allowed: AllowedChanges
) -> tuple[tuple[Column, ...] | None, int]:
    """The nearest row in a box of the wanted answer that the tree, asked again, tells so; and its leaf."""
    answers = tree.nodes.answer
    found: list[tuple[float, int, int, tuple[Column, ...]]] = []
    for leaf in np.flatnonzero(tree.nodes.is_leaf).tolist():
        is_wanted = int(answers[leaf]) in goal.codes if tree.is_class else goal.low <= answers[leaf] <= goal.high
        if not is_wanted:
            continue
        for box in boxes_of(tree, leaf):
            for kept in _left_missing(one, box):
                new = _moved(one, {c: side for c, side in box.items() if c not in kept}, allowed)
                if new is not None:
                    cost = sum(column_cost(c, a, b, allowed) for c, (a, b) in enumerate(zip(one, new, strict=True)))
                    found.append((cost, leaf, len(found), new))
    for _, leaf, _, new in sorted(found, key=lambda each: each[:3]):
        if goal.holds(tree, new):
            return new, leaf
    return None, -1


def _left_missing(one: tuple[Column, ...], box: Box) -> Iterator[tuple[int, ...]]:
    """The missing columns of a box that may be left so: the tree has its own way with them, and will be asked."""
    gone = [c for c in box if one[c].is_missing[0] and not box[c].is_missing]
    if len(gone) > _MOST_MISSING:
        yield from (tuple(gone), ())
        return
    for size in range(len(gone), -1, -1):
        yield from itertools.combinations(gone, size)


def _moved(one: tuple[Column, ...], box: Box, allowed: AllowedChanges) -> tuple[Column, ...] | None:
    """The row moved into a box by the shortest way; None when that is not allowed."""
    new = list(one)
    for c, side in box.items():
        value = _value_inside(one[c], side, allowed.scales[c])
        if value is None:
            continue
        if allowed.frozen[c]:
            return None
        column = dataclasses.replace(one[c], values=np.array([value], dtype=one[c].values.dtype))
        if not moves_allowed_way(one[c], column, allowed.ways[c]):
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
