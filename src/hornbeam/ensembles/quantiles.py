"""Quantiles of the target, predicted by a regression forest (Meinshausen's quantile regression forests).

    weights of a row   per tree: the training rows of its leaf, each with its fraction of the leaf; averaged over trees
    quantile           the smallest target at which the cumulative weight reaches the given probability

The weighted mean of the same targets is the forest's prediction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.out_of_bag import forest_sample_counts, training_rows
from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.options import is_real
from hornbeam.table.match import match_columns
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.prediction import align_table

Floats = npt.NDArray[np.float64]

# Maximum number of weights in memory at a time.
_BLOCK = 4_000_000


def quantiles(forest: Forest, table: Table, rows: Any, probabilities: Sequence[float]) -> Floats:
    """The quantiles of each row's target, (rows, probabilities); `table` is the training table of the forest."""
    if forest.is_class or forest.combine != "mean":
        raise InputError("Quantiles require a regression forest whose predictions are averaged.")
    chosen = [_checked(probability) for probability in probabilities]
    training = training_rows(forest, table)
    assert training.target is not None
    columns = (
        align_table(forest.schema, rows) if isinstance(rows, Table) else match_columns(forest.schema, rows).columns
    )
    order = np.argsort(training.target.values, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    sorted_target = training.target.values[order]
    leaf_rows = [_LeafRows(forest, training, index, rank) for index in range(len(forest))]
    ends = [walk.leaves(tree, columns) for tree in forest.trees]
    n = walk.n_rows_of(columns)
    out = np.empty((n, len(chosen)))
    step = max(1, _BLOCK // max(1, len(training)))
    for at in range(0, n, step):
        block = slice(at, min(n, at + step))
        weights = np.zeros((block.stop - at, len(training)))
        for tree, rows_of_tree in enumerate(leaf_rows):
            rows_of_tree.add(weights, ends[tree][block], float(forest.weights[tree]))
        below = np.cumsum(weights, axis=1)
        for column, probability in enumerate(chosen):
            # Slightly below the probability, so that rounding errors of the sums do not matter.
            bar = below[:, -1] * probability * (1 - 1e-12)
            out[block, column] = sorted_target[np.minimum((below < bar[:, None]).sum(axis=1), len(order) - 1)]
    return out


class _LeafRows:
    """The training rows in each leaf of a tree, by their rank in the sorted targets."""

    def __init__(self, forest: Forest, training: Table, index: int, rank: npt.NDArray[np.int64]) -> None:
        tree = forest.trees[index]
        counts = forest_sample_counts(forest, training, index)
        sampled = np.flatnonzero(counts)
        ends = walk.leaves(tree, [column.take(sampled) for column in training.columns])
        weights = counts[sampled] * (1.0 if training.weights is None else training.weights[sampled])
        by_leaf = np.argsort(ends, kind="stable")
        self.ranks = rank[sampled][by_leaf]
        totals = np.bincount(ends, weights=weights, minlength=len(tree))
        self.fractions = (weights / totals[ends])[by_leaf]
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=len(tree)))])

    def add(self, weights: Floats, ends: npt.NDArray[np.int32], weight: float) -> None:
        """Add the weights of this tree to those of some rows."""
        first, count = self.starts[ends], self.starts[ends + 1] - self.starts[ends]
        rows = np.repeat(np.arange(len(ends)), count)
        # first[0], first[0] + 1, ... for each row, concatenated
        within = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        at = np.repeat(first, count) + within
        weights[rows, self.ranks[at]] += weight * self.fractions[at]


def _checked(probability: float) -> float:
    if not is_real(probability) or not 0 <= probability <= 1:
        raise OptionError(
            f"probabilities must be between 0 and 1, got {short_repr(probability)}.",
            option="probabilities",
            got=probability,
        )
    return float(probability)
