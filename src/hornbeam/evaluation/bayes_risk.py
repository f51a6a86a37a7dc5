"""Bounds of the Bayes risk: the smallest error that any classifier can have.

    lower   Cover and Hart's bound from r, the error of the nearest neighbor among the other rows:
                (K - 1) / K (1 - sqrt(1 - K / (K - 1) r))
    upper   the out-of-bag error of a forest

Distances are Gower's: |a - b| / range for numbers, 0 or 1 for levels, averaged over the columns that are known in both
rows; of equally near rows the first counts. Both bounds are estimates, so in small tables the lower may exceed the
upper: both are reported as they are. Of more than 4,000 rows a sample is used for the neighbors. Weights are ignored.
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
from hornbeam.table.target_kind import other_kind
from hornbeam.tree.walk import leaves

MAX_ROWS = 4_000
_BLOCK = 256


@dataclasses.dataclass(frozen=True)
class BayesRiskBounds:
    """The bounds: `low` from the nearest neighbor's error, `high` from a forest (None if none was grown)."""

    low: float
    high: float | None
    neighbor_error: float

    def __str__(self) -> str:
        upper = "" if self.high is None else f", at most about {self.high:.4f} (out-of-bag error of a forest)"
        return (
            f"Bayes risk at least about {self.low:.4f} (error of the nearest neighbor {self.neighbor_error:.4f}){upper}"
        )


def bayes_risk_bounds(table: Table, *, n_trees: int = 500, seed: int = 0) -> BayesRiskBounds:
    """The bounds of a table's Bayes risk; `n_trees=0` omits the upper bound."""
    table = only_table(table, "The Bayes risk")
    if table.target is None or not table.schema.is_class:
        raise InputError("bayes_risk_bounds requires a classification target.", fix=other_kind(table.target))
    table = table.take(np.flatnonzero(~table.target.is_missing))
    if len(table) < 2:
        raise InputError(f"bayes_risk_bounds requires two rows with a target, got {len(table)}.")
    assert table.target is not None
    first = as_seed(seed)
    error = neighbor_error(table, first)
    present = len(np.unique(table.target.values))
    high = forest_error(table, n_trees, first) if n_trees else None
    return BayesRiskBounds(cover_hart(error, present), high, error)


def neighbor_error(table: Table, seed: int = 0) -> float:
    """The fraction of rows whose nearest other row has another class."""
    if len(table) > MAX_ROWS:
        sampled = Stream.of(seed, Purpose.SUBSAMPLE).shuffled(len(table))[:MAX_ROWS]
        table = table.take(np.sort(sampled))
    assert table.target is not None
    truth = table.target.values
    wrong = 0
    for start in range(0, len(table), _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, len(table)))
        distance = _distances(table.columns, rows, len(table))
        distance[np.arange(len(rows)), rows] = np.inf
        wrong += int((truth[distance.argmin(axis=1)] != truth[rows]).sum())
    return wrong / len(table)


def _distances(columns: tuple[Column, ...], rows: npt.NDArray[np.int64], n_rows: int) -> Floats:
    """Gower's distances of some rows to all rows; 1 where two rows have no known column in common."""
    total, known_in_both = np.zeros((len(rows), n_rows)), np.zeros((len(rows), n_rows))
    for column in columns:
        known = ~column.is_missing
        both = known[rows, None] & known[None, :]
        if column.kind is Kind.NOMINAL:
            distance = (column.values[rows, None] != column.values[None, :]).astype(np.float64)
        else:
            values = np.where(known, column.values, 0).astype(np.float64)
            inside = values[known]
            reach = float(inside.max() - inside.min()) if len(inside) else 0.0
            distance = np.abs(values[rows, None] - values[None, :]) / (reach if 0 < reach < np.inf else 1.0)
        total += np.where(both, distance, 0.0)
        known_in_both += both
    return np.divide(total, known_in_both, out=np.ones_like(total), where=known_in_both > 0)


def forest_error(table: Table, n_trees: int = 500, seed: int = 0) -> float:
    """The error of the votes of bootstrapped trees on their out-of-bag rows; rows in every bag are excluded."""
    assert table.target is not None
    n = len(table)
    votes = np.zeros((n, len(table.target.levels)))
    method = Method(max_features="sqrt")
    for tree in range(n_trees):
        sampled = np.random.default_rng(key(seed, Purpose.BOOTSTRAP, tree)).integers(0, n, n)
        counts = np.bincount(sampled, minlength=n).astype(np.float64)
        unseen = np.flatnonzero(counts == 0)
        if len(unseen):
            grown = grow(dataclasses.replace(table, weights=counts), method, seed=seed, tree=tree)
            ends = leaves(grown, [column.take(unseen) for column in table.columns])
            votes[unseen, grown.nodes.answer[ends].astype(np.int64)] += 1
    has_votes = votes.sum(axis=1) > 0
    if not has_votes.any():
        return float("nan")
    return float((votes.argmax(axis=1) != table.target.values)[has_votes].mean())
