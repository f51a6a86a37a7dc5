"""Validation rows of boosted estimators: rows passed to `fit`, and early stopping by a score of scikit-learn."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.boosting.rows import validation_split
from hornbeam.errors import InputError, OptionError, Set
from hornbeam.table.match import match_columns
from hornbeam.table.table import Table
from hornbeam.table.weights import checked_weights
from hornbeam.tree.forest import Forest
from hornbeam.tree.prediction import level_array


@dataclasses.dataclass(frozen=True)
class ScoredRows:
    """Validation rows as the user passed them, for a scorer of scikit-learn."""

    X: Any
    y: Any
    sample_weight: Any = None


def validation_table(table: Table, rows: ScoredRows) -> Table:
    """Validation rows as a table with the columns and classes of the training table."""
    columns = match_columns(table.schema, rows.X).columns
    target = table.target
    assert target is not None
    values = np.asarray(rows.y).ravel()
    if len(values) != len(columns[0] if columns else values):
        raise InputError(f"X_val and y_val must have the same number of rows, got {len(columns[0])} and {len(values)}.")
    if target.levels:
        values = _codes(values, level_array(target.levels))
    column = dataclasses.replace(target, values=values.astype(target.values.dtype), notes=())
    weights = None if rows.sample_weight is None else checked_weights(rows.sample_weight, len(values))
    return Table(columns, column, weights)


def _codes(labels: npt.NDArray[Any], classes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    codes = {label: code for code, label in enumerate(classes.tolist())}
    unknown = [label for label in labels.tolist() if label not in codes]
    if unknown:
        raise InputError(f"y_val contains {unknown[0]!r}, which is not a class of y.", hint="Omit these rows.")
    return np.array([codes[label] for label in labels.tolist()], dtype=np.int64)


def check_validation(X_val: Any, y_val: Any, stops_early: bool) -> None:
    """Raise unless both or neither of X_val and y_val are given, and they are used."""
    if (X_val is None) != (y_val is None):
        missing = "X_val" if X_val is None else "y_val"
        raise InputError(f"X_val and y_val must be passed together; {missing} was not.", hint=f"Pass {missing} too.")
    if X_val is not None and not stops_early:
        raise OptionError(
            "X_val and y_val were passed, but early stopping is off.",
            fix=Set("early_stopping", True),
            option="early_stopping",
        )


def split_for_scoring(
    table: Table, X: Any, y: Any, sample_weight: Any, fraction: float | None, seed: int
) -> tuple[Table, ScoredRows]:
    """The training rows as a table, and the rows that a scorer is given: held out, or all without a fraction."""
    from sklearn.utils import _safe_indexing

    if fraction is None:
        return table, ScoredRows(X, y, sample_weight)
    assert table.target is not None
    split = validation_split(table.target.values, len(table.target.levels), table.division, fraction, seed)
    rows = split.test
    weights = None if sample_weight is None else np.asarray(sample_weight)[rows]
    return table.take(split.train), ScoredRows(_safe_indexing(X, rows), _safe_indexing(y, rows), weights)


@dataclasses.dataclass(frozen=True)
class Patience:
    """When boosting stops: after `rounds` rounds in a row that improve the best score by at most `tolerance`."""

    rounds: int
    tolerance: float
    n_rounds: int


def boost_by_score(
    grow: Callable[[int, Forest | None], Forest], score: Callable[[Forest], float], patience: Patience
) -> tuple[Forest, list[float]]:
    """Boosted trees up to the round of the best score, and the score of every round.

    `grow(n, forest)` continues a forest to n rounds; a few rounds are grown at a time.
    """
    forest: Forest | None = None
    scores: list[float] = []
    best, best_round = -np.inf, 0
    while len(scores) < patience.n_rounds and len(scores) - best_round < patience.rounds:
        first = len(scores)
        forest = grow(min(patience.n_rounds, first + patience.rounds), forest)
        for count in range(first + 1, len(forest) // len(forest.base) + 1):
            scores.append(score(first_rounds(forest, count)))
            if scores[-1] > best + patience.tolerance:
                best, best_round = scores[-1], count
    assert forest is not None
    return first_rounds(forest, max(1, best_round)), scores


def first_rounds(forest: Forest, count: int) -> Forest:
    """The forest of the first rounds."""
    n_trees = count * len(forest.base)
    return dataclasses.replace(
        forest, trees=forest.trees[:n_trees], weights=forest.weights[:n_trees], output=forest.output[:n_trees]
    )


def stage_scorer(estimator: Any, scoring: Any, rows: ScoredRows, fitted: dict[str, Any]) -> Callable[[Forest], float]:
    """A function that scores a forest by scikit-learn's `scoring`, on validation rows."""
    from sklearn.metrics import check_scoring

    stage = copy.copy(estimator)
    stage.__dict__.update(fitted)
    scorer = check_scoring(stage, scoring)
    weights = {} if rows.sample_weight is None else {"sample_weight": rows.sample_weight}

    def score(forest: Forest) -> float:
        stage.__dict__["forest_"] = forest
        return float(scorer(stage, rows.X, rows.y, **weights))

    return score
