"""What do rules learn from?  The rows of a table as a tree's columns, the class of each, and its weight.

Rows of weight 0 and rows without a class are left out.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.rules.bits import Mask, Words, pack_bits
from hornbeam.rules.conditions import Condition, merge_conditions
from hornbeam.rules.rule import Rule
from hornbeam.table.column import Column
from hornbeam.table.match import match_columns
from hornbeam.table.table import Schema, Table

Floats = npt.NDArray[np.float64]
Cover = tuple[tuple[float, ...], int]  # the weight of each class, and the rows
_MOST_WORDS = 1 << 23  # 64 MB of conditions that were asked already


@dataclasses.dataclass(frozen=True, eq=False)
class TrainingRows:
    """Columns in the order of the schema, class codes and weights of the same rows."""

    schema: Schema
    columns: tuple[Column, ...]
    codes: npt.NDArray[np.int32]
    weights: Floats
    _asked: dict[Condition, Words] = dataclasses.field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def totals(self) -> Floats:
        """The weight of each class."""
        return self.stats_of(np.ones(len(self), dtype=np.bool_))

    @functools.cached_property
    def inside(self) -> Words:
        """The bits of all rows."""
        return pack_bits(np.ones(len(self), dtype=np.bool_))

    @functools.cached_property
    def unequal(self) -> Floats:
        """The weights; none where every row counts once."""
        return self.weights[:0] if (self.weights == 1.0).all() else np.ascontiguousarray(self.weights)

    def failing(self, condition: Condition) -> Words:
        """The bits of the rows where a condition does not hold. As many as there is room for are kept."""
        found = self._asked.get(condition)
        if found is None:
            if len(self._asked) * len(self.inside) >= _MOST_WORDS:
                del self._asked[next(iter(self._asked))]
            found = self._asked[condition] = pack_bits(~condition.holds(self.columns))
        return found

    @functools.cached_property
    def of_class(self) -> tuple[Words, ...]:
        """The bits of the rows of each class."""
        return tuple(pack_bits(self.codes == code) for code in range(len(self.schema.classes)))

    def stats_of(self, rows: Mask) -> Floats:
        """The weight of each class among some of the rows."""
        return weight_counts(self.codes[rows], self.weights[rows], len(self.schema.classes))


def weight_counts(places: npt.NDArray[Any], weights: Floats, size: int) -> Floats:
    """The weight at each of `size` places."""
    return np.bincount(places, weights, size).astype(np.float64, copy=False)


def uncovered_rows(fires: Mask) -> Mask:
    """The rows for which no rule (first axis) holds."""
    none: Mask = ~np.logical_or.reduce(fires, axis=0)
    return none


def training_rows(schema: Schema, table: Table, what: str) -> TrainingRows:
    """The rows of a table as rules are learned from them."""
    if not schema.is_class:
        raise InputError(
            f"{what} needs a class to tell; the target is a number.", hint="Use extract_rules, which accepts any tree."
        )
    if table.target is None:
        raise InputError(f"{what} needs rows with their class; the table has no target.")
    found = match_columns(schema, table, warn=False, infinite="ordered")
    assert schema.target is not None
    codes = _codes(schema, table)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    used = (codes >= 0) & (weights > 0)
    if not used.any():
        raise InputError(f"{what} needs rows with their class; there are none.")
    if used.all():
        return TrainingRows(schema, found.columns, codes, weights)
    return TrainingRows(schema, tuple(column.take(used) for column in found.columns), codes[used], weights[used])


def _codes(schema: Schema, table: Table) -> npt.NDArray[np.int32]:
    """The class of every row by its place in the schema; -1 for one the schema does not know."""
    assert table.target is not None
    place = {label: code for code, label in enumerate(schema.classes)}
    known = np.array([place.get(level, -1) for level in table.target.levels] + [-1], dtype=np.int32)
    codes: npt.NDArray[np.int32] = known[np.where(table.target.values < 0, -1, table.target.values)]
    return codes


def rule_from(
    data: TrainingRows, conditions: Sequence[Condition], cover: Cover, answer: int, node: int, estimate: float
) -> Rule | None:
    """A rule with its conditions drawn together, and what it covers; None when it never can hold."""
    together = merge_conditions({}, conditions)
    if together is None:
        return None
    left = tuple(condition for condition in together.values() if not condition.is_always)
    return Rule(data.schema, left, float(answer), *cover, node, estimate)


def default_rule(data: TrainingRows, rest: Mask) -> Rule:
    """The class of most weight among the rest, the uncovered rows; ties go to the heavier class, then to the first."""
    stats = data.stats_of(rest)
    totals = data.totals
    answer = max(range(len(stats)), key=lambda k: (stats[k], totals[k], -k))
    return Rule(data.schema, (), float(answer), tuple(map(float, stats)), int(rest.sum()))
