"""What do the trees that have not seen a row say of it?  An honest test without a test set.

    prediction    the mean (or vote) of the trees for which the row is out of bag; rows in every bag have none
    error         share of rows said wrong, with Wilson's interval; for numbers the mean square, with a normal one
    importance    a column shuffled among the rows that a tree has not seen: how much worse does the tree do?
                  mean over the trees, with its standard error (definition 10.2; purpose 5, tree t, node = column)
    agreement     for every tree the share of its unseen rows of which it says what the forest says

A forest keeps its seed and how its rows were drawn, so nothing but the training table is needed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.row_sampling import RowSampling, sample_counts
from hornbeam.errors import InputError
from hornbeam.growing.sample import drop_uncounted_rows
from hornbeam.parts.missing import missing
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.column import Column
from hornbeam.table.table import Table, only_table
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class OutOfBag:
    """What the trees say of rows they have not seen.

    `values` are class shares (rows, classes) or numbers (rows, 1), NaN for rows that every tree saw; `codes` the class
    said of every row, -1 for those; `n_trees` how many trees spoke of a row; `agreement` one share a tree.
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
        """Which rows some tree has not seen."""
        return self.n_trees > 0

    @property
    def n_left_out(self) -> int:
        """How many rows every tree saw, so that nothing is known of them."""
        return int((~self.has_prediction).sum())

    @property
    def losses(self) -> Floats:
        """Of every row that is told: 1 if it is said wrong, else 0; for numbers the square of the difference."""
        told = self.has_prediction
        if self.is_class:
            return np.asarray(self.codes[told] != self.target[told], dtype=np.float64)
        return np.asarray((self.values[told, 0] - self.target[told]) ** 2, dtype=np.float64)

    @property
    def error(self) -> float:
        """The weighted mean of the losses; NaN when nothing is told."""
        weights = self.weights[self.has_prediction]
        return float(np.average(self.losses, weights=weights)) if len(weights) else math.nan

    def interval(self, z: float = 1.959963984540054) -> tuple[float, float]:
        """Where the error lies, at 95 percent unless another z is given."""
        weights, error = self.weights[self.has_prediction], self.error
        if not len(weights):
            return math.nan, math.nan
        n = float(weights.sum() ** 2 / (weights**2).sum())
        if self.is_class:
            return _wilson(error, n, z)
        spread = float(np.average((self.losses - error) ** 2, weights=weights))
        half = z * math.sqrt(spread / n)
        return max(0.0, error - half), error + half

    def __repr__(self) -> str:
        low, high = self.interval()
        what = "error" if self.is_class else "mean square"
        return f"<OutOfBag: {what} {self.error:.4g} ({low:.4g} to {high:.4g}), {self.n_left_out} rows left out>"


def _wilson(share: float, n: float, z: float) -> tuple[float, float]:
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    whole = 1 + z * z / n
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


@dataclasses.dataclass(frozen=True, eq=False)
class _Unseen:
    """One tree and the rows it has not seen."""

    index: int
    tree: Tree
    rows: npt.NDArray[np.int64]
    columns: tuple[Column, ...]


def out_of_bag(forest: Forest, table: Table, *, threads: int | None = None) -> OutOfBag:
    """What the trees say of training rows they have not seen; `table` is what the forest was grown on."""
    rows = training_rows(forest, table)
    n, width = len(rows), forest.width
    total, weight, count = np.zeros((n, width)), np.zeros(n), np.zeros(n, dtype=np.int64)
    said: list[tuple[npt.NDArray[np.int64], npt.NDArray[Any]]] = []
    for each in _unseen(forest, rows):
        values, codes = _told(each.tree, each.columns, threads)
        if forest.combine == "vote":
            values = np.eye(width)[codes]
        total[each.rows] += forest.weights[each.index] * values
        weight[each.rows] += forest.weights[each.index]
        count[each.rows] += 1
        said.append((each.rows, codes))
    values = np.divide(total, weight[:, None], out=np.full_like(total, np.nan), where=weight[:, None] > 0)
    codes = np.full(n, -1, dtype=np.int64)
    agreement = np.full(len(forest), np.nan)
    if forest.is_class:
        told = count > 0
        codes[told] = values[told].argmax(axis=1)
        for index, (mine, labels) in enumerate(said):
            agreement[index] = float((labels == codes[mine]).mean()) if len(mine) else math.nan
    assert rows.target is not None
    weights = np.ones(n) if rows.weights is None else np.asarray(rows.weights)
    return OutOfBag(values, codes, count, agreement, rows.target.values, weights, forest.is_class)


def _told(tree: Tree, columns: tuple[Column, ...], threads: int | None) -> tuple[Floats, npt.NDArray[Any]]:
    """Shares or numbers, and classes (empty for numbers)."""
    ends = walk.row_ends(tree, columns, threads=threads)[0]
    values = walk.values_at(tree, columns, ends, threads=threads)
    return values, walk.codes_at(tree, ends, values) if tree.is_class else np.zeros(0, dtype=np.int32)


def training_rows(forest: Forest, table: Table) -> Table:
    """The rows of a table that a forest was grown on; an error unless it can be the same table."""
    table = only_table(table, "Rows out of bag")
    if not isinstance(forest, Forest):
        raise InputError(f"A forest is needed; got a {type(forest).__name__}.")
    if "draw" not in forest.metadata or table.target is None:
        raise InputError(
            "Only a forest that drew its rows, and its training table with a target, have rows out of bag."
        )
    way = missing.part(forest.recipe.get("missing", "skip_column"))
    rows = way.prepare(drop_uncounted_rows(table))
    if len(rows) != forest.metadata["rows"] or rows.schema != forest.schema:
        raise InputError(
            f"The forest was grown on {forest.metadata['rows']} rows; this table has {len(rows)} or other columns.",
            hint="Pass the table that it was grown on.",
        )
    return rows


def drawn_for(forest: Forest, rows: Table, tree: int) -> npt.NDArray[np.uint32]:
    """How often each row was drawn for a tree of a forest."""
    assert rows.target is not None
    classes = len(forest.schema.classes) if forest.is_class else 0
    return sample_counts(
        RowSampling(**forest.metadata["draw"]), rows.target.values, classes, forest.metadata["seed"], tree
    )


def _unseen(forest: Forest, rows: Table) -> Iterator[_Unseen]:
    for index, tree in enumerate(forest.trees):
        mine = np.flatnonzero(drawn_for(forest, rows, index) == 0)
        yield _Unseen(index, tree, mine, tuple(column.take(mine) for column in rows.columns))


@dataclasses.dataclass(frozen=True, eq=False)
class Importance:
    """How much worse the trees do without a column: mean over trees and its standard error, one number a column."""

    names: tuple[str, ...]
    mean: Floats
    error: Floats


def permutation_importance(forest: Forest, table: Table, *, threads: int | None = None) -> Importance:
    """Every column shuffled among the rows that a tree has not seen."""
    rows = training_rows(forest, table)
    assert rows.target is not None
    found = []
    for each in _unseen(forest, rows):
        if not len(each.rows):
            continue
        truth = rows.target.values[each.rows]
        whole = _loss(each.tree, each.columns, truth, threads)
        asked = set(each.tree.questions.column.tolist()) | _pooled(each.tree)
        worse = np.zeros(len(rows.columns))
        for column in sorted(asked & set(range(len(rows.columns)))):
            stream = Stream.of(forest.metadata["seed"], Purpose.PERMUTATIONS, each.index, column)
            mixed = list(each.columns)
            mixed[column] = mixed[column].take(stream.shuffled(len(truth)))
            worse[column] = _loss(each.tree, tuple(mixed), truth, threads) - whole
        found.append(worse)
    if not found:
        raise InputError("Every tree saw every row: there is nothing to shuffle.", hint="Sample rows with replacement.")
    each_tree = np.array(found)
    spread = each_tree.std(axis=0, ddof=1) if len(found) > 1 else np.full(len(rows.columns), np.nan)
    return Importance(rows.names, each_tree.mean(axis=0), spread / math.sqrt(len(found)))


def _pooled(tree: Tree) -> set[int]:
    """The columns of questions about many columns."""
    many = any(tree.questions.encoding > 1)
    return set(range(len(tree.schema.columns))) if many else set()


def _loss(tree: Tree, columns: tuple[Column, ...], truth: npt.NDArray[Any], threads: int | None) -> float:
    values, codes = _told(tree, columns, threads)
    return float((codes != truth).mean()) if tree.is_class else float(((values[:, 0] - truth) ** 2).mean())
