"""What the units of targets and weights depend on: facts of the whole table that are merged from those of its pieces.

Weights and numbers are counted in integers, whose units must be the same however the rows are divided. The rules are
those of `native/core/fixed.hpp` and of `growing/sample.py`, so that the integers are those of growth in memory.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.scale.binned import BinnedPiece, Floats
from hornbeam.scale.exact_sum import ExactSum

_MAX_BITS = 61
_SMALL_TOTAL = 2.0**31
_DIGITS = 53


@dataclasses.dataclass(frozen=True)
class WeightRule:
    """How weights are changed before they are counted: by a scale, by class, and to multiples of a step."""

    scale: float = 1.0
    by_class: tuple[float, ...] = ()
    step: float = 0.0

    def weights(self, piece: BinnedPiece) -> Floats:
        """The weights of the rows of a piece."""
        found = np.ones(piece.n_rows) if piece.weights is None else piece.weights * self.scale
        if self.by_class:
            found = found * np.array(self.by_class)[piece.target]
        return np.maximum(np.rint(found / self.step), 1.0) * self.step if self.step else found


@dataclasses.dataclass(frozen=True, eq=False)
class TargetFacts:
    """The number of rows of every class (of all rows for numbers), and the number nearest to the middle."""

    rows: npt.NDArray[np.int64]
    nearest: float = math.inf
    distance: float = math.inf

    @staticmethod
    def merged(facts: Iterable[TargetFacts]) -> TargetFacts:
        """The facts of several pieces."""
        each = list(facts)
        distance, nearest = min((one.distance, one.nearest) for one in each)
        return TargetFacts(np.sum([one.rows for one in each], axis=0), nearest, distance)


def target_facts(piece: BinnedPiece, n_classes: int, middle: float) -> TargetFacts:
    """The facts of one piece; `middle` is that of the range of numbers."""
    if n_classes:
        return TargetFacts(np.bincount(piece.target, minlength=n_classes).astype(np.int64))
    if not piece.n_rows:
        return TargetFacts(np.zeros(1, dtype=np.int64))
    distance = np.abs(piece.target - middle)
    nearest = piece.target[distance == distance.min()].min()
    return TargetFacts(np.array([piece.n_rows]), float(nearest), float(distance.min()))


@dataclasses.dataclass(frozen=True, eq=False)
class WeightFacts:
    """The sum of the weights of every class (of all rows for numbers), their range and the exponent of the last bit."""

    totals: tuple[ExactSum, ...]
    smallest_weight: float
    largest_weight: float
    last_bit: int

    @property
    def total(self) -> float:
        """The weight of all rows."""
        whole = ExactSum()
        for each in self.totals:
            whole.merge(each)
        return whole.value()

    @staticmethod
    def merged(facts: Iterable[WeightFacts]) -> WeightFacts:
        """The facts of several pieces."""
        each = list(facts)
        totals = tuple(ExactSum() for _ in each[0].totals)
        for one in each:
            for total, part in zip(totals, one.totals, strict=True):
                total.merge(part)
        return WeightFacts(
            totals,
            min(one.smallest_weight for one in each),
            max(one.largest_weight for one in each),
            min(one.last_bit for one in each),
        )


def weight_facts(piece: BinnedPiece, rule: WeightRule, n_classes: int) -> WeightFacts:
    """The facts of one piece."""
    weights = rule.weights(piece)
    groups = [weights] if not n_classes else [weights[piece.target == k] for k in range(n_classes)]
    totals = tuple(ExactSum() for _ in groups)
    for total, group in zip(totals, groups, strict=True):
        total.add(group)
    if not len(weights):
        return WeightFacts(totals, math.inf, 0.0, 4096)
    return WeightFacts(totals, float(weights.min()), float(weights.max()), _last_bit(weights))


def _last_bit(weights: Floats) -> int:
    fraction, exponent = np.frexp(weights)
    digits = np.ldexp(fraction, _DIGITS).astype(np.int64)
    zeros = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    return int((exponent - _DIGITS + zeros).min())


@dataclasses.dataclass(frozen=True)
class Units:
    """How weights and numbers are counted in integers; the names are those of the core."""

    is_weighted: bool = False
    weight_unit: float = 1.0
    origin: float = 0.0
    unit: float = 1.0
    square_unit: float = 1.0
    limb_bits: int = 31

    def as_dict(self) -> dict[str, Any]:
        """The units by name."""
        return dataclasses.asdict(self)


def unit_for(total: float) -> float:
    """The power of two in whose units a total is below 2^61."""
    return math.ldexp(1.0, math.frexp(total)[1] + 1 - _MAX_BITS) if total > 0 else 1.0


def units_of(n_rows: int, weights: WeightFacts | None, numbers: tuple[float, float, float] | None) -> Units:
    """The units of a table; `numbers` are the minimum, the maximum and the value nearest to the middle."""
    is_weighted = weights is not None and weights.smallest_weight != weights.largest_weight
    weight_unit = 1.0
    if weights is not None:
        exact = math.ldexp(1.0, weights.last_bit)
        weight_unit = exact if weights.total / exact < _SMALL_TOTAL else unit_for(weights.total)
        weight_unit = weight_unit if is_weighted else weights.smallest_weight
    units = Units(is_weighted, weight_unit, limb_bits=62 - n_rows.bit_length())
    if numbers is None:
        return units
    minimum, maximum, origin = numbers
    largest = max(abs(maximum - origin), abs(minimum - origin))
    whole = weights.total / weight_unit if weights is not None and is_weighted else 0.0
    return dataclasses.replace(
        units,
        origin=origin,
        unit=unit_for(largest * (n_rows + whole)),
        square_unit=unit_for(largest * largest * max(whole, 1.0)),
    )
