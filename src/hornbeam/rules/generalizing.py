"""Counts of rows for dropping conditions of a rule: for every condition at once, the rows that fail it alone.

    N, E      rows that satisfy all conditions, and those of them that are wrong
    N_d, E_d  rows that satisfy all conditions except possibly d

A condition is the set of the rows that fail it, one bit per row. Over the conditions, two words of bits store which of
64 rows failed at least one and which failed at least two: a round is one pass over the words, and a row that fails
exactly one condition is counted for that condition.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.rules.bits import Words, unpack_bits
from hornbeam.rules.conditions import Condition
from hornbeam.rules.training import Cover, Floats, TrainingRows, weight_counts


class ConditionCoverage:
    """The rows that fail none or one of a rule's conditions, while conditions are dropped."""

    def __init__(self, data: TrainingRows, conditions: Sequence[Condition], answer: int, engine: str = "core") -> None:
        self._data = data
        self._failing = np.array([data.failing(condition) for condition in conditions], dtype=np.uint64)
        self._failing = self._failing.reshape(len(conditions), len(data.inside))
        self._wrong = data.inside & ~data.of_class[answer]
        self._count = leave_one_out if engine == "core" else reference_leave_one_out
        self.kept = list(range(len(conditions)))

    def counts(self) -> tuple[float, float, Floats, Floats]:
        """N, E, and for every kept condition, in the order of `kept`, N_d and E_d."""
        kept = np.array(self.kept, dtype=np.int32)
        rows, errors = self._count(self._failing, kept, self._data.inside, self._wrong, self._data.unequal)
        return float(rows[0]), float(errors[0]), rows[1:], errors[1:]

    def drop(self, index: int) -> None:
        """Drop a condition."""
        self.kept.remove(index)

    @property
    def cover(self) -> Cover:
        """The rows that satisfy all kept conditions: the weight of each class, and their number."""
        fails = np.bitwise_or.reduce(self._failing[self.kept], axis=0)
        matched, none = self._data.inside & ~fails, np.zeros(0, dtype=np.int32)
        stats = [self._count(self._failing, none, matched, own, self._data.unequal)[1] for own in self._data.of_class]
        rows, _ = self._count(self._failing, none, matched, matched, self._data.weights[:0])
        return tuple(float(each[0]) for each in stats), int(rows[0])


def leave_one_out(
    failing: Words, kept: npt.NDArray[np.int32], inside: Words, wrong: Words, weights: Floats
) -> tuple[Floats, Floats]:
    """N and N_d of every kept condition, and E and E_d; `weights` is empty if every row has weight 1."""
    from hornbeam import _native

    rows, errors = np.asarray(_native.leave_one_out(failing, kept, inside, wrong, weights))
    return rows, errors


def reference_leave_one_out(
    failing: Words, kept: npt.NDArray[np.int32], inside: Words, wrong: Words, weights: Floats
) -> tuple[Floats, Floats]:
    """Reference implementation, row by row: how many conditions each row fails, and which if it is one."""
    n_rows = 64 * len(inside)
    weight = np.zeros(n_rows)
    weight[: len(weights) or n_rows] = weights if len(weights) else 1.0
    fails = unpack_bits(failing[kept], n_rows)
    times = fails.sum(axis=0)
    # Rows that fail none are counted at index 0, those that fail kept condition i alone at 1 + i.
    index = np.where(times == 0, 0, 1 + fails.argmax(axis=0) if len(kept) else 0)
    near = (times <= 1) & unpack_bits(inside, n_rows)
    error = near & unpack_bits(wrong, n_rows)
    rows = weight_counts(index[near], weight[near], len(kept) + 1)
    errors = weight_counts(index[error], weight[error], len(kept) + 1)
    rows[1:] += rows[0]
    errors[1:] += errors[0]
    return rows, errors
