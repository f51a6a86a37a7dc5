"""How small can the error of any classifier be?  Nobody knows; but it lies in a bracket.

    below   Cover and Hart's bound from r, the error of the nearest neighbour among the other rows:
                (K - 1) / K (1 - sqrt(1 - K / (K - 1) r))
    above   the error of a forest on the rows that its trees did not see

Distances are Gower's: numbers differ by |a - b| / range, levels by 0 or 1, averaged over the columns that both rows
know; equally near rows: the first. Both ends are estimates, so in small tables they may cross: then both are shown as
they are. Tables of more than 4,000 rows are sampled for the neighbours. Weights are left aside.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.evaluation.inputs import Floats
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.prunings.risk_threshold import cover_hart
from hornbeam.seeds import Purpose, Stream, as_seed, key
from hornbeam.table.column import Column, Kind
from hornbeam.table.table import Table, only_table
from hornbeam.tree.walk import leaves

MOST_ROWS = 4_000
_BLOCK = 256


@dataclasses.dataclass(frozen=True)
class BayesRiskBounds:
    """The bracket: `low` from the nearest neighbour's error, `high` from a forest (None when none was grown)."""

    low: float
    high: float | None
    neighbour_error: float

    def __str__(self) -> str:
        above = "" if self.high is None else f", at most about {self.high:.4f} (a forest's error on unseen rows)"
        return f"Bayes risk at least about {self.low:.4f} (nearest neighbour errs in {self.neighbour_error:.4f}){above}"


def bayes_risk_bounds(table: Table, *, n_trees: int = 500, seed: int = 0) -> BayesRiskBounds:
    """The bracket of a table's Bayes risk; `n_trees=0` leaves the upper end out."""
    table = only_table(table, "The Bayes risk")
    if table.target is None or not table.schema.is_class:
        raise InputError("The bracket of the Bayes risk is for a target of classes.")
    table = table.take(np.flatnonzero(~table.target.is_missing))
    if len(table) < 2:
        raise InputError(f"The bracket of the Bayes risk needs two rows with a target; got {len(table)}.")
    assert table.target is not None
    first = as_seed(seed)
    error = neighbour_error(table, first)
    present = len(np.unique(table.target.values))
    high = forest_error(table, n_trees, first) if n_trees else None
    return BayesRiskBounds(cover_hart(error, present), high, error)


def neighbour_error(table: Table, seed: int = 0) -> float:
    """The share of rows whose nearest other row has another class."""
    if len(table) > MOST_ROWS:
        picked = Stream.of(seed, Purpose.SUBSAMPLE).shuffled(len(table))[:MOST_ROWS]
        table = table.take(np.sort(picked))
    assert table.target is not None
    truth = table.target.values
    wrong = 0
    for start in range(0, len(table), _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, len(table)))
        apart = _distances(table.columns, rows, len(table))
        apart[np.arange(len(rows)), rows] = np.inf
        wrong += int((truth[apart.argmin(axis=1)] != truth[rows]).sum())
    return wrong / len(table)


def _distances(columns: tuple[Column, ...], rows: npt.NDArray[np.int64], n_rows: int) -> Floats:
    """Gower's distances of some rows to all; 1 where two rows know no column in common."""
    total, known_by_both = np.zeros((len(rows), n_rows)), np.zeros((len(rows), n_rows))
    for column in columns:
        known = ~column.is_missing
        both = known[rows, None] & known[None, :]
        if column.kind is Kind.NOMINAL:
            apart = (column.values[rows, None] != column.values[None, :]).astype(np.float64)
        else:
            values = np.where(known, column.values, 0).astype(np.float64)
            held = values[known]
            reach = float(held.max() - held.min()) if len(held) else 0.0
            apart = np.abs(values[rows, None] - values[None, :]) / (reach if 0 < reach < np.inf else 1.0)
        total += np.where(both, apart, 0.0)
        known_by_both += both
    return np.divide(total, known_by_both, out=np.ones_like(total), where=known_by_both > 0)


def forest_error(table: Table, n_trees: int = 500, seed: int = 0) -> float:
    """The error of the votes of bootstrapped trees, each on the rows it did not see; rows seen by all are left out."""
    assert table.target is not None
    n = len(table)
    votes = np.zeros((n, len(table.target.levels)))
    method = Method(max_features="sqrt")
    for tree in range(n_trees):
        drawn = np.random.default_rng(key(seed, Purpose.BOOTSTRAP, tree)).integers(0, n, n)
        counts = np.bincount(drawn, minlength=n).astype(np.float64)
        unseen = np.flatnonzero(counts == 0)
        if len(unseen):
            grown = grow(dataclasses.replace(table, weights=counts), method, seed=seed, tree=tree)
            ends = leaves(grown, [column.take(unseen) for column in table.columns])
            votes[unseen, grown.nodes.answer[ends].astype(np.int64)] += 1
    judged = votes.sum(axis=1) > 0
    if not judged.any():
        return float("nan")
    return float((votes.argmax(axis=1) != table.target.values)[judged].mean())
