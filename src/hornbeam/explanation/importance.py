"""Importance of each column for a model, by one of five methods (definition 10.2).

impurity      fraction of the total decrease in impurity (impurity.py). Columns with many values gain by chance: their
importance is too high.
corrected     the same minus the gain of a shuffled copy of the column that competes in growth: uninformative columns
are near 0 on either side (actual impurity reduction). Grows new models: needs `fit` and the table.
permutation   how much the loss on the rows increases when the column is shuffled among them (mean, standard error and
interval over repeats). Training rows give optimistic values; use held-out rows.
out_of_bag    the same for a forest, on the out-of-bag rows of each tree, over the trees; `table` is the training table
surrogates    as in rpart: weight times gain of the questions, and for each surrogate that times its adjusted agreement
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.out_of_bag import out_of_bag_increases
from hornbeam.errors import InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.explanation.impurity import (
    column_costs,
    column_fractions,
    criterion_weights,
    gain_fractions,
    impurity_gains,
    tree_gains,
)
from hornbeam.explanation.losses import loss_of, loss_text
from hornbeam.explanation.models import Floats
from hornbeam.number_text import short_number_text
from hornbeam.proportions import z_of
from hornbeam.scale.labeled_rows import is_row_source, is_streamed
from hornbeam.seeds import Purpose, Stream, as_seed
from hornbeam.table.column import Kind
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import predict
from hornbeam.tree.text_tables import aligned_text, html_table

METHODS = ("impurity", "corrected", "permutation", "out_of_bag", "surrogates")


@dataclasses.dataclass(frozen=True, eq=False)
class Importance:
    """One value per column, in the order of the columns; `error`, `low` and `high` where the method repeats itself.

    `error` is the standard error of the mean over the repeats (or trees), `low` and `high` its 95% interval.
    """

    names: tuple[str, ...]
    values: Floats
    method: str
    description: str
    error: Floats | None = None
    low: Floats | None = None
    high: Floats | None = None

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            raise InputError(f"Unknown column {short_repr(name)}.", hint=did_you_mean(name, self.names), column=name)
        return float(self.values[self.names.index(name)])

    def ranked(self) -> dict[str, float]:
        """The importances by name, largest first."""
        return {self.names[c]: float(self.values[c]) for c in np.argsort(-self.values, kind="stable").tolist()}

    def intervals(self) -> dict[str, tuple[float, float]]:
        """The intervals by name; empty where nothing was repeated."""
        if self.low is None or self.high is None:
            return {}
        return {name: (float(a), float(b)) for name, a, b in zip(self.names, self.low, self.high, strict=True)}

    def rows(self) -> list[list[str]]:
        """The importances as rows of a table, largest first."""
        intervals = self.intervals()
        lines = [["column", "importance", *(["95% interval"] if intervals else [])]]
        for name, value in self.ranked().items():
            ends = (
                [f"{short_number_text(intervals[name][0])} to {short_number_text(intervals[name][1])}"]
                if intervals
                else []
            )
            lines.append([name, short_number_text(value), *ends])
        return lines

    def as_dict(self) -> dict[str, Any]:
        """The importances as JSON values."""
        intervals = self.intervals()
        return {
            "method": self.method,
            "importances": [
                {"column": name, "importance": value, **({"interval": list(intervals[name])} if intervals else {})}
                for name, value in self.ranked().items()
            ],
        }

    def __str__(self) -> str:
        return f"{self.description}\n{aligned_text(self.rows())}"

    def __repr__(self) -> str:
        return f"<Importance of {len(self.names)} columns, method {self.method}>"

    def _repr_html_(self) -> str:
        return f"<p>{self.description}</p>{html_table(self.rows())}"


def importance(
    model: Any,
    table: Any = None,
    method: str = "impurity",
    *,
    fit: Callable[[Table], Any] | None = None,
    loss: str | None = None,
    repeats: int = 10,
    seed: Any = 0,
    threads: int | None = None,
) -> Importance:
    """The importance of each column for a tree, a forest, a boosted model or a fitted estimator.

    `table` (a table, a data frame or anything else that `read` accepts) includes the target: the rows to shuffle
    (permutation), the training rows (out_of_bag), or the rows to grow on (corrected, with `fit`, such as
    `lambda rows: hb.grow(rows, "cart")`). `loss` (permutation): error, brier or log for classification; squared or
    absolute for regression. Shuffles depend on the seed, the repeat and the column only.
    """
    if method not in METHODS:
        raise OptionError(
            f"method must be one of {', '.join(METHODS)}, got {short_repr(method)}.", hint=did_you_mean(method, METHODS)
        )
    if isinstance(repeats, bool) or not isinstance(repeats, int) or repeats < 1:
        raise OptionError(f"repeats must be an integer of at least 1, got {short_repr(repeats)}.", option="repeats")
    if is_row_source(table) and is_streamed(table):
        raise OptionError(
            f"The method {method} needs rows in memory, and these files are read in batches.",
            fix=Set("method", "impurity", "without rows"),
            hint="or pass a sample of the rows.",
            option="table",
        )
    if method == "impurity":
        return _by_impurity(model, table)
    if method == "surrogates":
        return _by_surrogates(model)
    if table is None or (isinstance(table, Table) and table.target is None):
        raise InputError(f"Importance by {method} needs a table with the target.", fix=Set("table"))
    if method == "out_of_bag":
        return _by_out_of_bag(model, table, threads)
    if method == "permutation":
        return _by_permutation(model, table, loss, repeats, as_seed(seed), threads)
    if fit is None:
        raise OptionError("Importance by the method corrected grows models and needs fit=.", option="fit")
    if not isinstance(table, Table):
        table = model_table(unwrapped(model).schema, table, needs_target=True)
    return _corrected(fit, table, repeats, as_seed(seed))


def _by_impurity(model: Any, table: Any) -> Importance:
    found = unwrapped(model)
    spread = _spreads(model_table(found.schema, table)) if table is not None else None
    description = "Fraction of the total decrease in impurity"
    return Importance(found.schema.names, gain_fractions(found, spread), "impurity", description)


def _spreads(table: Table) -> Floats:
    """The standard deviation of the known values of every numeric column; 0 for other columns."""
    out = np.zeros(len(table.columns))
    for index, column in enumerate(table.columns):
        if column.kind is Kind.NUMERIC:
            known = column.values[np.isfinite(column.values)]
            out[index] = float(known.std()) if len(known) else 0.0
    return out


def _by_surrogates(model: Any) -> Importance:
    tree = unwrapped(model)
    if not isinstance(tree, Tree):
        raise InputError(
            "Importance by surrogates needs one tree, got a forest.", hint='Use method="impurity", or one of its trees.'
        )
    weight, cost = criterion_weights(tree), column_costs(tree)
    out = tree_gains(tree) * weight[0]
    for node in np.flatnonzero(np.diff(tree.nodes.surrogate_start)).tolist():
        used = list(tree.question(node).columns)
        decrease = float(weight[node] * max(tree.nodes.gain[node], 0.0)) / float(cost[used].max())
        for question, _, _, adjusted in tree.surrogates(node):
            columns, fractions = column_fractions(question, None)
            out[columns] += decrease * adjusted * fractions
    description = "Weight times gain of the questions, plus that of surrogates times their adjusted agreement"
    return Importance(tree.schema.names, out, "surrogates", description)


def _by_out_of_bag(model: Any, table: Any, threads: int | None) -> Importance:
    forest = unwrapped(model)
    if not isinstance(forest, Forest):
        raise InputError("Importance by out_of_bag needs a forest, got a tree.", hint='Use method="permutation".')
    if not isinstance(table, Table):
        table = model_table(forest.schema, table, needs_target=True)
    increases = out_of_bag_increases(forest, table, threads=threads)
    what = "fraction of misclassified rows" if forest.is_class else "mean squared error"
    description = f"Increase of the {what} on out-of-bag rows when a column is shuffled, mean of {len(increases)} trees"
    return _of_repeats(forest.schema.names, increases, "out_of_bag", description)


def _by_permutation(
    model: Any, table: Any, loss: str | None, repeats: int, seed: int, threads: int | None
) -> Importance:
    found = unwrapped(model)
    rows = model_table(found.schema, table, needs_target=True)
    columns = rows.columns
    mean_loss = loss_of(found, rows, loss)
    before = mean_loss(predict(found, columns, threads=threads).values)
    increases = np.zeros((repeats, len(columns)))
    for index, column in enumerate(columns):
        for repeat in range(repeats):
            order = Stream.of(seed, Purpose.PERMUTATIONS, repeat, index).shuffled(len(rows))
            shuffled = (*columns[:index], column.take(order), *columns[index + 1 :])
            increases[repeat, index] = mean_loss(predict(found, shuffled, threads=threads).values) - before
    times = "once" if repeats == 1 else f"mean of {repeats} repeats"
    description = f"Increase of the {loss_text(found, loss)} when a column is shuffled, {times}"
    return _of_repeats(found.schema.names, increases, "permutation", description)


def _corrected(fit: Callable[[Table], Any], table: Table, repeats: int, seed: int) -> Importance:
    names = table.names
    differences = np.zeros((repeats, len(names)))
    for repeat in range(repeats):
        copies = []
        for index, column in enumerate(table.columns):
            order = Stream.of(seed, Purpose.PERMUTATIONS, repeat, index).shuffled(len(table))
            copies.append(dataclasses.replace(column.take(order), name=f"{column.name} (shuffled)"))
        grown = unwrapped(fit(dataclasses.replace(table, columns=(*table.columns, *copies))))
        gains = impurity_gains(grown)
        if len(gains) != 2 * len(names):
            raise InputError("fit must grow on all columns of the table that it is called with.")
        total = gains.sum()
        differences[repeat] = (gains[: len(names)] - gains[len(names) :]) / total if total > 0 else 0.0
    description = f"Fraction of the decrease in impurity minus that of a shuffled copy, mean of {repeats} repeats"
    return _of_repeats(names, differences, "corrected", description)


def _of_repeats(names: tuple[str, ...], values: npt.NDArray[np.float64], method: str, description: str) -> Importance:
    """The mean of the rows of `values` with its standard error and interval."""
    mean = values.mean(axis=0)
    if len(values) < 2:
        return Importance(names, mean, method, description)
    error = values.std(axis=0, ddof=1) / math.sqrt(len(values))
    reach = z_of(0.95) * error
    return Importance(names, mean, method, description, error, mean - reach, mean + reach)
