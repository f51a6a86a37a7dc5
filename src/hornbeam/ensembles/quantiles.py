"""What does a forest of numbers say of the whole spread of a row's target, and not of its mean alone?

    a row's weights   for every tree: the rows of its leaf that grew the tree, each with its part of the leaf; averaged
    quantile          the smallest target below which lies a share q of these weights

The weighted mean of the same targets is what the forest says (Meinshausen's quantile forests).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.out_of_bag import drawn_for, training_rows
from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.options import is_real
from hornbeam.table.match import match_columns
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.prediction import align_table

Floats = npt.NDArray[np.float64]

# Numbers of the table of weights that is held at a time.
_BLOCK = 4_000_000


def quantiles(forest: Forest, table: Table, rows: Any, probabilities: Sequence[float]) -> Floats:
    """The quantiles of every row's target, (rows, shares); `table` is what the forest was grown on."""
    if forest.is_class or forest.combine != "mean":
        raise InputError("Quantiles need a forest of numbers whose members are averaged.")
    wanted = [_checked(share) for share in probabilities]
    training = training_rows(forest, table)
    assert training.target is not None
    columns = (
        align_table(forest.schema, rows) if isinstance(rows, Table) else match_columns(forest.schema, rows).columns
    )
    order = np.argsort(training.target.values, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    sorted_target = training.target.values[order]
    members = [_Members(forest, training, index, place) for index in range(len(forest))]
    ends = [walk.leaves(tree, columns) for tree in forest.trees]
    n = walk.n_rows_of(columns)
    out = np.empty((n, len(wanted)))
    step = max(1, _BLOCK // max(1, len(training)))
    for at in range(0, n, step):
        block = slice(at, min(n, at + step))
        weights = np.zeros((block.stop - at, len(training)))
        for tree, mine in enumerate(members):
            mine.add(weights, ends[tree][block], float(forest.weights[tree]))
        below = np.cumsum(weights, axis=1)
        for column, share in enumerate(wanted):
            # A hair below, so that a sum that only rounding keeps from the share counts.
            bar = below[:, -1] * share * (1 - 1e-12)
            out[block, column] = sorted_target[np.minimum((below < bar[:, None]).sum(axis=1), len(order) - 1)]
    return out


class _Members:
    """The training rows in each leaf of a tree, by their place in the order of targets."""

    def __init__(self, forest: Forest, training: Table, index: int, place: npt.NDArray[np.int64]) -> None:
        tree = forest.trees[index]
        times = drawn_for(forest, training, index)
        drawn = np.flatnonzero(times)
        ends = walk.leaves(tree, [column.take(drawn) for column in training.columns])
        weights = times[drawn] * (1.0 if training.weights is None else training.weights[drawn])
        by_leaf = np.argsort(ends, kind="stable")
        self.places = place[drawn][by_leaf]
        whole = np.bincount(ends, weights=weights, minlength=len(tree))
        self.parts = (weights / whole[ends])[by_leaf]
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=len(tree)))])

    def add(self, weights: Floats, ends: npt.NDArray[np.int32], weight: float) -> None:
        """Add the tree's part to the weights of some rows."""
        first, count = self.starts[ends], self.starts[ends + 1] - self.starts[ends]
        rows = np.repeat(np.arange(len(ends)), count)
        # first[0], first[0] + 1, ... for every row, side by side
        within = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        at = np.repeat(first, count) + within
        weights[rows, self.places[at]] += weight * self.parts[at]


def _checked(share: float) -> float:
    if not is_real(share) or not 0 <= share <= 1:
        raise OptionError(f"A quantile must lie between 0 and 1; got {short_repr(share)}.", option="shares", got=share)
    return float(share)
