"""Training rows of rules: the rows of a table as a tree's columns, with class and weight.

Rows of weight 0 and rows without a class are excluded.
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
from hornbeam.table.table import Schema
from hornbeam.table.target_kind import other_kind
from hornbeam.tree.model_table import model_table

Floats = npt.NDArray[np.float64]
Cover = tuple[tuple[float, ...], int]  # the weight of each class, and the rows
_MAX_WORDS = 1 << 23  # 64 MB of conditions that were evaluated already


@dataclasses.dataclass(frozen=True, eq=False)
class TrainingRows:
    """Columns in the order of the schema, class codes and weights of the same rows."""

    schema: Schema
    columns: tuple[Column, ...]
    codes: npt.NDArray[np.int32]
    weights: Floats
    _cache: dict[Condition, Words] = dataclasses.field(default_factory=dict, repr=False)

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
        """The weights; empty if every row has weight 1."""
        return self.weights[:0] if (self.weights == 1.0).all() else np.ascontiguousarray(self.weights)

    def failing(self, condition: Condition) -> Words:
        """The bits of the rows that do not satisfy a condition. Results are cached up to a limit."""
        found = self._cache.get(condition)
        if found is None:
            if len(self._cache) * len(self.inside) >= _MAX_WORDS:
                del self._cache[next(iter(self._cache))]
            found = self._cache[condition] = pack_bits(~condition.holds(self.columns))
        return found

    @functools.cached_property
    def of_class(self) -> tuple[Words, ...]:
        """The bits of the rows of each class."""
        return tuple(pack_bits(self.codes == code) for code in range(len(self.schema.classes)))

    def stats_of(self, rows: Mask) -> Floats:
        """The weight of each class among some of the rows."""
        return weight_counts(self.codes[rows], self.weights[rows], len(self.schema.classes))


def weight_counts(indices: npt.NDArray[Any], weights: Floats, size: int) -> Floats:
    """The sum of the weights for each of `size` indices."""
    return np.bincount(indices, weights, size).astype(np.float64, copy=False)


def uncovered_rows(fires: Mask) -> Mask:
    """The rows that no rule (first axis) matches."""
    none: Mask = ~np.logical_or.reduce(fires, axis=0)
    return none


def training_rows(schema: Schema, rows: Any, what: str) -> TrainingRows:
    """The rows of a table or data frame as training rows of rules."""
    if not schema.is_class:
        raise InputError(
            f"{what} requires a classification target, but the target is numeric.",
            fix=other_kind(schema.target),
            hint="or use extract_rules, which accepts any tree.",
        )
    table = model_table(schema, rows)
    if table.target is None:
        raise InputError(f"{what} requires rows with a class, but the table has no target.")
    codes = np.maximum(table.target.values, -1)  # a class that the schema does not have is -2
    weights = table.row_weights
    used = (codes >= 0) & (weights > 0)
    if not used.any():
        raise InputError(f"{what} requires rows with a class; there are none.")
    if used.all():
        return TrainingRows(schema, table.columns, codes, weights)
    return TrainingRows(schema, tuple(column.take(used) for column in table.columns), codes[used], weights[used])


def rule_from(
    data: TrainingRows, conditions: Sequence[Condition], cover: Cover, answer: int, node: int, estimate: float
) -> Rule | None:
    """A rule with merged conditions and the rows that it covers; None if no row can satisfy it."""
    together = merge_conditions({}, conditions)
    if together is None:
        return None
    left = tuple(condition for condition in together.values() if not condition.is_always)
    return Rule(data.schema, left, float(answer), *cover, node, estimate)


def default_rule(data: TrainingRows, rest: Mask) -> Rule:
    """The majority class of the uncovered rows; on ties the more frequent class of all rows, then the first."""
    stats = data.stats_of(rest)
    totals = data.totals
    answer = max(range(len(stats)), key=lambda k: (stats[k], totals[k], -k))
    return Rule(data.schema, (), float(answer), tuple(map(float, stats)), int(rest.sum()))
