"""How much does each column matter to a model?

    impurity      sum over the nodes of P(t) * gain, shared out to the columns of the question; shares of the whole.
                  P(t) is the weight as the criterion counts it (costs, priors); a column's cost divides its gain.
                  Columns with many values gain by chance alone: they look better than they are.
    corrected     the same less what a shuffled copy of the column gains when it may compete: useless columns come out
                  near 0 on either side (actual impurity reduction). Grows again, so it needs `fit` and the table.
    permutation   how much worse rows are told when the column is shuffled among them (mean, standard error and interval
                  over repeats). On rows that taught the model it flatters; give fresh ones.
    surrogates    as rpart: weight times gain of the questions, and for each surrogate that times its adjusted agreement

A question about several columns: a hyperplane's gain is shared out by |weight| times the column's spread in the table
(without a table alike), that of other questions alike.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.explanation.losses import loss_of, loss_text
from hornbeam.explanation.models import Floats
from hornbeam.proportions import z_of
from hornbeam.seeds import Purpose, Stream, as_seed
from hornbeam.table.column import Kind
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import columns_of, predict
from hornbeam.tree.questions import Hyperplane, Named, Question
from hornbeam.tree.text_tables import aligned_text, html_table, number_text

WAYS = ("impurity", "corrected", "permutation", "surrogates")


@dataclasses.dataclass(frozen=True, eq=False)
class Importance:
    """One number a column, in the order of the columns; `error`, `low` and `high` where draws were repeated."""

    names: tuple[str, ...]
    values: Floats
    by: str
    words: str
    error: Floats | None = None
    low: Floats | None = None
    high: Floats | None = None

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            raise InputError(
                f"There is no column {short_repr(name)}.", hint=did_you_mean(name, self.names), column=name
            )
        return float(self.values[self.names.index(name)])

    def ranked(self) -> dict[str, float]:
        """Importances by name, the largest first."""
        return {self.names[c]: float(self.values[c]) for c in np.argsort(-self.values, kind="stable").tolist()}

    def intervals(self) -> dict[str, tuple[float, float]]:
        """The intervals by name; empty where nothing was repeated."""
        if self.low is None or self.high is None:
            return {}
        return {name: (float(a), float(b)) for name, a, b in zip(self.names, self.low, self.high, strict=True)}

    def rows(self) -> list[list[str]]:
        """A table with the largest first."""
        intervals = self.intervals()
        head = ["column", "importance", *(["95% interval"] if intervals else [])]
        lines = [head]
        for name, value in self.ranked().items():
            reach = [f"{number_text(intervals[name][0])} to {number_text(intervals[name][1])}"] if intervals else []
            lines.append([name, number_text(value), *reach])
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        intervals = self.intervals()
        return {
            "by": self.by,
            "importances": [
                {"column": name, "importance": value, **({"interval": list(intervals[name])} if intervals else {})}
                for name, value in self.ranked().items()
            ],
        }

    def __str__(self) -> str:
        return f"{self.words}\n{aligned_text(self.rows())}"

    def __repr__(self) -> str:
        return f"<Importance of {len(self.names)} columns by {self.by}>"

    def _repr_html_(self) -> str:
        return f"<p>{self.words}</p>{html_table(self.rows())}"


def importance(
    model: Any,
    table: Table | None = None,
    by: str = "impurity",
    *,
    fit: Callable[[Table], Any] | None = None,
    loss: str | None = None,
    repeats: int = 10,
    seed: Any = 0,
    threads: int | None = None,
) -> Importance:
    """How much each column matters, in one of four ways.

    `table` with a target: rows to shuffle (permutation) or to grow on (corrected, with `fit`, such as
    `lambda part: hb.grow(part, "cart")`). `loss` (permutation): error, brier, log for classes; squared, absolute for
    numbers. Draws are keyed by seed, repeat and column.
    """
    if by not in WAYS:
        raise OptionError(f"by must be one of {', '.join(WAYS)}; got {short_repr(by)}.", hint=did_you_mean(by, WAYS))
    if isinstance(repeats, bool) or not isinstance(repeats, int) or repeats < 1:
        raise OptionError(f"repeats must be a whole number, at least 1; got {short_repr(repeats)}.", option="repeats")
    if by == "impurity":
        return _by_impurity(model, table)
    if by == "surrogates":
        return _by_surrogates(model)
    if table is None or table.target is None:
        raise InputError(f"Importance by {by} needs a table with the target.", fix=Set("table"))
    if by == "permutation":
        return _by_permutation(model, table, loss, repeats, as_seed(seed), threads)
    if fit is None:
        raise OptionError("The corrected importance grows again and needs fit=.", option="fit")
    return _corrected(fit, table, repeats, as_seed(seed))


def _by_impurity(model: Any, table: Table | None) -> Importance:
    found = unwrapped(model)
    spread = _spreads(found.schema, table) if table is not None else None
    words = "Share of the whole decrease in impurity"
    return Importance(found.schema.names, _shares(impurity_gains(found, spread)), "impurity", words)


def impurity_gains(model: Any, spread: Floats | None = None) -> Floats:
    """The decrease in impurity of every column: of a tree in units of its weight, of a forest averaged over members."""
    found = unwrapped(model)
    if isinstance(found, Tree):
        return _tree_gains(found, spread)
    total = np.zeros(len(found.schema.columns))
    for tree, weight in zip(found.trees, found.weights, strict=True):
        gains = _tree_gains(tree, spread)
        # Boosted trees speak one after the other, each of what is left: their gains add up as they are.
        total += weight * (gains if found.combine == "sum" else _shares(gains))
    return total


def gain_fractions(tree: Tree) -> Floats:
    """The fraction of a tree's decrease in impurity that each column brings; all 0 for a tree without a question."""
    return _shares(_tree_gains(tree, None))


def _tree_gains(tree: Tree, spread: Floats | None) -> Floats:
    inner = np.flatnonzero(~tree.nodes.is_leaf)
    out = np.zeros(len(tree.schema.columns))
    weight = criterion_weights(tree)
    if not len(inner) or not weight[0] > 0:
        return out
    # Called for every tree of a forest: arrays that are computed for this are not stored.
    nodes = tree.nodes.arrays(("gain", "question"))
    decrease = weight[inner] / weight[0] * np.fmax(nodes["gain"][inner], 0.0)
    column = tree.questions.column[nodes["question"][inner]]
    cost = column_costs(tree)
    alone = column >= 0
    np.add.at(out, column[alone], decrease[alone] / cost[column[alone]])
    for place in np.flatnonzero(~alone).tolist():
        question = tree.question(int(inner[place]))
        columns, parts = column_parts(question, spread)
        out[columns] += decrease[place] * parts / cost[list(question.columns)].max()
    return out


def criterion_weights(tree: Tree) -> Floats:
    """The weight of every node as the criterion counted it: under a cost matrix classes weigh by their costs."""
    counted = tree.metadata.get("criterion_factors")
    if counted is None:
        return np.asarray(tree.nodes.arrays(("weight",))["weight"], dtype=np.float64)
    stored = np.array(tree.metadata["class_factors"])
    factor = np.divide(np.array(counted), stored, out=np.zeros(len(stored)), where=stored > 0)
    found: Floats = tree.nodes.stats @ factor
    return found


def column_costs(tree: Tree) -> Floats:
    """What each column costs, as its scores were divided; 1 where nothing was given."""
    given = tree.recipe.get("column_costs") or {}
    return np.array([float(given.get(name, 1.0)) for name in tree.schema.names])


def column_parts(question: Question, spread: Floats | None) -> tuple[list[int], Floats]:
    """The columns of a question and the part of its gain that each has."""
    question = question.question if isinstance(question, Named) else question
    columns = list(question.columns)
    parts = np.ones(len(columns))
    if isinstance(question, Hyperplane) and spread is not None:
        sizes = np.abs(np.array(question.weights)) * spread[list(question.terms)]
        if sizes.sum() > 0:
            columns, parts = list(question.terms), sizes
    return columns, parts / parts.sum()


def _spreads(schema: Any, table: Table) -> Floats:
    """The standard deviation of the known values of every numeric column."""
    out = np.zeros(len(schema.columns))
    for place, column in enumerate(columns_of(schema, table)):
        if column.kind is Kind.NUMERIC:
            known = column.values[np.isfinite(column.values)]
            out[place] = float(known.std()) if len(known) else 0.0
    return out


def _shares(gains: Floats) -> Floats:
    total = gains.sum()
    return gains / total if total > 0 else gains


def _by_surrogates(model: Any) -> Importance:
    found = unwrapped(model)
    if not isinstance(found, Tree):
        raise InputError("Importance by surrogates is of one tree; this is a forest.", fix=Set("by", "impurity"))
    weight, cost = criterion_weights(found), column_costs(found)
    out = _tree_gains(found, None) * weight[0]
    for node in np.flatnonzero(np.diff(found.nodes.surrogate_start)).tolist():
        asked = list(found.question(node).columns)
        decrease = float(weight[node] * max(found.nodes.gain[node], 0.0)) / float(cost[asked].max())
        for question, _, _, adjusted in found.surrogates(node):
            columns, parts = column_parts(question, None)
            out[columns] += decrease * adjusted * parts
    words = "Weight times gain of the questions, and of surrogates by their adjusted agreement"
    return Importance(found.schema.names, out, "surrogates", words)


def _by_permutation(
    model: Any, table: Table, loss: str | None, repeats: int, seed: int, threads: int | None
) -> Importance:
    found = unwrapped(model)
    columns = columns_of(found.schema, table)
    judge = loss_of(found, table, loss)
    before = judge(predict(found, columns, threads=threads).values)
    draws = np.zeros((repeats, len(columns)))
    for place, column in enumerate(columns):
        for repeat in range(repeats):
            order = Stream.of(seed, Purpose.PERMUTATIONS, repeat, place).shuffled(len(table))
            mixed = (*columns[:place], column.take(order), *columns[place + 1 :])
            draws[repeat, place] = judge(predict(found, mixed, threads=threads).values) - before
    words = f"How much the {loss_text(found, loss)} rises when a column is shuffled, {repeats} times"
    return _of_draws(found.schema.names, draws, "permutation", words)


def _corrected(fit: Callable[[Table], Any], table: Table, repeats: int, seed: int) -> Importance:
    names = table.names
    draws = np.zeros((repeats, len(names)))
    for repeat in range(repeats):
        shadows = []
        for place, column in enumerate(table.columns):
            order = Stream.of(seed, Purpose.PERMUTATIONS, repeat, place).shuffled(len(table))
            shadows.append(dataclasses.replace(column.take(order), name=f"{column.name} (shuffled)"))
        grown = unwrapped(fit(dataclasses.replace(table, columns=(*table.columns, *shadows))))
        gains = impurity_gains(grown)
        if len(gains) != 2 * len(names):
            raise InputError("fit must grow on all columns of the table it is given.")
        total = gains.sum()
        draws[repeat] = (gains[: len(names)] - gains[len(names) :]) / total if total > 0 else 0.0
    words = f"Share of the decrease in impurity, less that of a shuffled copy, {repeats} times"
    return _of_draws(names, draws, "corrected", words)


def _of_draws(names: tuple[str, ...], draws: npt.NDArray[np.float64], by: str, words: str) -> Importance:
    mean = draws.mean(axis=0)
    if len(draws) < 2:
        return Importance(names, mean, by, words)
    error = draws.std(axis=0, ddof=1) / math.sqrt(len(draws))
    reach = z_of(0.95) * error
    return Importance(names, mean, by, words, error, mean - reach, mean + reach)
