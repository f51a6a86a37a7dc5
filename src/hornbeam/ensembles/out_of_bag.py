"""Out-of-bag predictions: each training row is predicted only by the trees that were not grown on it.

    prediction    the mean (or vote) of the trees for which the row is out of bag; rows in every sample have none
    error         fraction of misclassified rows with Wilson's interval; for regression the mean squared error with a
                  normal interval
    importance    the increase of a tree's loss on its out-of-bag rows when a column is shuffled among them; mean over
                  the trees with its standard error (definition 10.2; purpose 5, tree t, node = column)
    agreement     per tree the fraction of its out-of-bag rows where it predicts what the forest predicts

A forest stores its seed and its row sampling, so that the training table is all that is needed. If whole groups were
sampled, the trees that predict a row have seen no row of its group; the table must have the same groups.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.row_sampling import RowSampling, sample_counts
from hornbeam.errors import InputError, Set
from hornbeam.growing.sample import drop_uncounted_rows
from hornbeam.number_text import short_number_text
from hornbeam.parts.missing import missing
from hornbeam.proportions import wilson, z_of
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.column import Column
from hornbeam.table.table import Table, only_table
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class OutOfBag:
    """The out-of-bag predictions of a forest.

    `values` are class probabilities (rows, classes) or numbers (rows, 1), NaN for rows in the sample of every tree;
    `codes` is the predicted class of each row, -1 for those rows; `n_trees` is the number of trees that predict a row;
    `agreement` has one fraction per tree.
    """

    values: Floats
    codes: npt.NDArray[np.int64]
    n_trees: npt.NDArray[np.int64]
    agreement: Floats
    target: npt.NDArray[Any]
    weights: Floats
    is_class: bool

    @property
    def has_prediction(self) -> npt.NDArray[np.bool_]:
        """Which rows are out of bag for at least one tree."""
        return self.n_trees > 0

    @property
    def n_left_out(self) -> int:
        """The number of rows in the sample of every tree, which have no prediction."""
        return int((~self.has_prediction).sum())

    @property
    def losses(self) -> Floats:
        """The loss of each row with a prediction: 0 or 1 for classification, the squared error for regression."""
        known = self.has_prediction
        if self.is_class:
            return np.asarray(self.codes[known] != self.target[known], dtype=np.float64)
        return np.asarray((self.values[known, 0] - self.target[known]) ** 2, dtype=np.float64)

    @property
    def error(self) -> float:
        """The weighted mean of the losses; NaN without predictions."""
        weights = self.weights[self.has_prediction]
        return float(np.average(self.losses, weights=weights)) if len(weights) else math.nan

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The interval of the error: Wilson's for classification, a normal one for regression."""
        weights, error = self.weights[self.has_prediction], self.error
        if not len(weights):
            return math.nan, math.nan
        n = float(weights.sum() ** 2 / (weights**2).sum())
        if self.is_class:
            return wilson(min(error, 1.0), n, confidence)
        spread = float(np.average((self.losses - error) ** 2, weights=weights))
        half = z_of(confidence) * math.sqrt(spread / n)
        return max(0.0, error - half), error + half

    def __repr__(self) -> str:
        low, high = self.interval()
        what = "error" if self.is_class else "mean squared error"
        error, low_text, high_text = map(short_number_text, (self.error, low, high))
        return f"<OutOfBag: {what} {error} ({low_text} to {high_text}), {self.n_left_out} rows without prediction>"


@dataclasses.dataclass(frozen=True, eq=False)
class _OutOfBagRows:
    """One tree and its out-of-bag rows."""

    index: int
    tree: Tree
    rows: npt.NDArray[np.int64]
    columns: tuple[Column, ...]


def out_of_bag(forest: Forest, table: Table, *, threads: int | None = None) -> OutOfBag:
    """The out-of-bag predictions of a forest; `table` is its training table."""
    rows = training_rows(forest, table)
    n, width = len(rows), forest.width
    total, weight, count = np.zeros((n, width)), np.zeros(n), np.zeros(n, dtype=np.int64)
    by_tree: list[tuple[npt.NDArray[np.int64], npt.NDArray[Any]]] = []
    for each in _out_of_bag_rows(forest, rows):
        values, codes = _predict(each.tree, each.columns, threads)
        if forest.combine == "vote":
            values = np.eye(width)[codes]
        total[each.rows] += forest.weights[each.index] * values
        weight[each.rows] += forest.weights[each.index]
        count[each.rows] += 1
        by_tree.append((each.rows, codes))
    values = np.divide(total, weight[:, None], out=np.full_like(total, np.nan), where=weight[:, None] > 0)
    codes = np.full(n, -1, dtype=np.int64)
    agreement = np.full(len(forest), np.nan)
    if forest.is_class:
        known = count > 0
        codes[known] = values[known].argmax(axis=1)
        for index, (own_rows, own_codes) in enumerate(by_tree):
            agreement[index] = float((own_codes == codes[own_rows]).mean()) if len(own_rows) else math.nan
    assert rows.target is not None
    return OutOfBag(values, codes, count, agreement, rows.target.values, rows.row_weights, forest.is_class)


def _predict(tree: Tree, columns: tuple[Column, ...], threads: int | None) -> tuple[Floats, npt.NDArray[Any]]:
    """Probabilities or numbers, and predicted classes (empty for regression)."""
    ends = walk.row_ends(tree, columns, threads=threads)[0]
    values = walk.values_at(tree, columns, ends, threads=threads)
    return values, walk.codes_at(tree, ends, values) if tree.is_class else np.zeros(0, dtype=np.int32)


def training_rows(forest: Forest, table: Table) -> Table:
    """The rows that a forest was grown on; raises if the table cannot be its training table."""
    table = only_table(table, "Rows out of bag")
    if not isinstance(forest, Forest):
        raise InputError(f"Out-of-bag rows require a forest, got a {type(forest).__name__}.")
    if "sampling" not in forest.metadata or table.target is None:
        raise InputError("Out-of-bag rows require a forest with sampled rows and its training table with the target.")
    strategy = missing.part(forest.recipe.get("missing", "skip_column"))
    rows = strategy.prepare(drop_uncounted_rows(table))
    if len(rows) != forest.metadata["rows"] or rows.schema != forest.schema:
        raise InputError(
            f"The forest was grown on {forest.metadata['rows']} rows; this table has {len(rows)} or other columns.",
            hint="Pass the table that it was grown on.",
        )
    n_groups = forest.metadata.get("sampled_groups", 0)
    if n_groups and (rows.division is None or rows.division.n_groups != n_groups):
        raise InputError(
            f"The samples of the forest are whole groups ({n_groups}); this table has "
            f"{rows.division.n_groups if rows.division is not None else 0} groups.",
            fix=Set("groups", inside="read"),
        )
    return rows


def forest_sample_counts(forest: Forest, rows: Table, tree: int) -> npt.NDArray[np.uint32]:
    """How often each row is in the sample of a tree of a forest."""
    assert rows.target is not None
    classes = len(forest.schema.classes) if forest.is_class else 0
    sampling, seed = RowSampling(**forest.metadata["sampling"]), forest.metadata["seed"]
    groups = rows.division.groups if "sampled_groups" in forest.metadata and rows.division is not None else None
    return sample_counts(sampling, rows.target.values, classes, seed, tree, groups)


def _out_of_bag_rows(forest: Forest, rows: Table) -> Iterator[_OutOfBagRows]:
    for index, tree in enumerate(forest.trees):
        own_rows = np.flatnonzero(forest_sample_counts(forest, rows, index) == 0)
        yield _OutOfBagRows(index, tree, own_rows, tuple(column.take(own_rows) for column in rows.columns))


def out_of_bag_increases(forest: Forest, table: Table, *, threads: int | None = None) -> Floats:
    """The increase of the loss of each tree (trees, columns) when a column is shuffled among its out-of-bag rows."""
    rows = training_rows(forest, table)
    assert rows.target is not None
    increases = []
    for each in _out_of_bag_rows(forest, rows):
        if not len(each.rows):
            continue
        truth = rows.target.values[each.rows]
        unshuffled = _loss(each.tree, each.columns, truth, threads)
        used = set(each.tree.questions.column.tolist()) | _columns_of_wide_questions(each.tree)
        increase = np.zeros(len(rows.columns))
        for column in sorted(used & set(range(len(rows.columns)))):
            stream = Stream.of(forest.metadata["seed"], Purpose.PERMUTATIONS, each.index, column)
            mixed = list(each.columns)
            mixed[column] = mixed[column].take(stream.shuffled(len(truth)))
            increase[column] = _loss(each.tree, tuple(mixed), truth, threads) - unshuffled
        increases.append(increase)
    if not increases:
        raise InputError(
            "No tree has out-of-bag rows: every row is in every sample.", hint="Sample rows with replacement."
        )
    return np.array(increases)


def _columns_of_wide_questions(tree: Tree) -> set[int]:
    """All columns if a question of the tree tests several columns, else none."""
    is_wide = any(tree.questions.encoding > 1)
    return set(range(len(tree.schema.columns))) if is_wide else set()


def _loss(tree: Tree, columns: tuple[Column, ...], truth: npt.NDArray[Any], threads: int | None) -> float:
    values, codes = _predict(tree, columns, threads)
    return float((codes != truth).mean()) if tree.is_class else float(((values[:, 0] - truth) ** 2).mean())
