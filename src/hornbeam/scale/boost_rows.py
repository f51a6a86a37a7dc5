"""The rows of pieces for boosting: which are held out, how they are weighted, and the facts of all training rows.

A row is held out for validation, or sampled for a tree, by a hash of its number, so that pieces do not matter.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from hornbeam.scale.binned import BinnedPiece, Floats
from hornbeam.scale.row_hash import is_in_part
from hornbeam.scale.target_facts import WeightRule
from hornbeam.seeds import Purpose, key

_BATCH = 1 << 17
# Sums of targets are rounded to 60 bits below the largest one (`base_scores` of native/boosting/gradients.cpp).
_BITS, _HALF = 60, 30


@dataclasses.dataclass(frozen=True)
class HeldOut:
    """The rows for validation: a fraction of all rows; none if it is None."""

    fraction: float | None
    seed: int

    @property
    def key(self) -> int:
        """The key of the hashes."""
        return key(self.seed, Purpose.SUBSAMPLE, 0, 1)

    def rows(self, first_row: int, n_rows: int) -> npt.NDArray[np.bool_]:
        """Whether each of some consecutive rows is held out."""
        if self.fraction is None:
            return np.zeros(n_rows, dtype=np.bool_)
        return is_in_part(self.key, first_row, n_rows, self.fraction)


@dataclasses.dataclass(frozen=True, eq=False)
class TrainingFacts:
    """Facts of the training rows: their number, classes and weights, and which codes of every column they have."""

    n_rows: int
    n_held_out: int
    class_rows: npt.NDArray[np.int64]
    class_weights: Floats  # exact: weights are multiples of a power of two
    smallest_weight: float
    largest_weight: float
    largest_product: float  # of weight and number
    has_code: tuple[npt.NDArray[np.bool_], ...]

    @property
    def weight(self) -> float:
        """The weight of all training rows."""
        return float(self.class_weights.sum())

    @property
    def mean_weight(self) -> float:
        """The mean weight of a row."""
        unit = 2.0 ** int(np.frexp(self.largest_weight)[1])
        return unit * (self.weight / unit / self.n_rows)

    @property
    def is_weighted(self) -> bool:
        """Whether a weight differs from 1."""
        return not self.smallest_weight == self.largest_weight == 1.0

    @staticmethod
    def merged(facts: Iterable[TrainingFacts]) -> TrainingFacts:
        """The facts of several pieces."""
        each = list(facts)
        return TrainingFacts(
            sum(one.n_rows for one in each),
            sum(one.n_held_out for one in each),
            np.sum([one.class_rows for one in each], axis=0),
            np.sum([one.class_weights for one in each], axis=0),
            min(one.smallest_weight for one in each),
            max(one.largest_weight for one in each),
            max(one.largest_product for one in each),
            tuple(np.logical_or.reduce(flags) for flags in zip(*(one.has_code for one in each), strict=True)),
        )


@dataclasses.dataclass(frozen=True)
class RowRules:
    """How the rows of pieces are counted: their classes, their weights, and which of them are held out."""

    n_classes: int
    weights: WeightRule
    held_out: HeldOut

    def training_batches(self, piece: BinnedPiece) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]]:
        """The places of the training rows of a piece, some at a time, and their weights."""
        for begin in range(0, piece.n_rows, _BATCH):
            n = min(_BATCH, piece.n_rows - begin)
            places = begin + np.flatnonzero(~self.held_out.rows(piece.first_row + begin, n))
            given = None if piece.weights is None else piece.weights[places]
            yield places, np.ones(len(places)) if given is None else _stepped(given, self.weights.step)


def _stepped(weights: Floats, step: float) -> Floats:
    return np.maximum(np.rint(weights / step), 1.0) * step if step else weights


@dataclasses.dataclass(frozen=True)
class FactsTask:
    """The facts of the training rows of a piece; `n_codes` are those of every column, empty if they are not wanted."""

    rules: RowRules
    n_codes: tuple[int, ...]

    def __call__(self, piece: BinnedPiece, shared: object, states: object) -> TrainingFacts:
        """The facts of one piece."""
        n_groups = self.rules.n_classes or 1
        rows, weights = np.zeros(n_groups, dtype=np.int64), np.zeros(n_groups)
        smallest, largest, product, n_rows = math.inf, 0.0, 0.0, 0
        has_code = [np.zeros(n + 1, dtype=np.bool_) for n in self.n_codes]
        for places, own in self.rules.training_batches(piece):
            if not len(places):
                continue
            target = piece.target[places]
            group = target if self.rules.n_classes else np.zeros(len(places), dtype=np.int64)
            rows += np.bincount(group, minlength=n_groups)
            weights += np.bincount(group, own, minlength=n_groups)
            smallest, largest = min(smallest, float(own.min())), max(largest, float(own.max()))
            product = max(product, float(np.abs(own * target).max()))
            n_rows += len(places)
            for column, flags in enumerate(has_code):
                flags[piece.codes(column)[places]] = True
        held_out = piece.n_rows - n_rows
        return TrainingFacts(n_rows, held_out, rows, weights, smallest, largest, product, tuple(has_code))


@dataclasses.dataclass(frozen=True)
class SumTask:
    """The sum of weight times number over the training rows of a piece, in integers that do not depend on its order."""

    rules: RowRules
    largest: float

    def __call__(self, piece: BinnedPiece, shared: object, states: object) -> int:
        """The sum of one piece, in units."""
        exponent, total = math.frexp(self.largest)[1], 0
        for places, own in self.rules.training_batches(piece):
            units = np.rint(np.ldexp(own * piece.target[places], _BITS - exponent)).astype(np.int64)
            total += (int((units >> _HALF).sum()) << _HALF) + int((units & ((1 << _HALF) - 1)).sum())
        return total

    def value(self, total: int) -> float:
        """A total as a number."""
        return math.ldexp(float(total), math.frexp(self.largest)[1] - _BITS)
