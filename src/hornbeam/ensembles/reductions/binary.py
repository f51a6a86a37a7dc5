"""To which of two groups does a row belong?  A classifier of 0 (first group) and 1 (second group).

    share    what predict_proba says of the second group
    margin   2 share - 1, or decision_function, or -1 and 1 from predict: above 0 is the second group

A margin of exactly 0 goes to the first group. Where all rows to learn from are of one group, no classifier is made and
the answer is that group. Every random state inside the classifier is keyed by the seed and the classifier's number.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.reductions.problem import Floats, Problem, Rows, take_rows
from hornbeam.errors import InputError
from hornbeam.seeds import Purpose, key


@dataclasses.dataclass(frozen=True, eq=False)
class Binary:
    """A fitted classifier of two groups; `only` is the answer when there was one group to learn from."""

    model: Any
    only: int = -1

    def probabilities(self, X: Any, n_rows: int) -> Floats:
        """The share of the second group in every row."""
        if self.model is None:
            return np.full(n_rows, float(self.only))
        if not hasattr(self.model, "predict_proba"):
            name = type(self.model).__name__
            raise InputError(
                f"Shares of classes need a base with predict_proba; {name} has none.",
                hint="Use predict, which does not need it.",
            )
        return np.asarray(self.model.predict_proba(X), dtype=np.float64)[:, 1]

    def margins(self, X: Any, n_rows: int) -> Floats:
        """How much speaks for the second group: above 0 it is taken, else the first."""
        if self.model is None or hasattr(self.model, "predict_proba"):
            return 2.0 * self.probabilities(X, n_rows) - 1.0
        if hasattr(self.model, "decision_function"):
            return np.asarray(self.model.decision_function(X), dtype=np.float64).reshape(n_rows)
        return np.where(np.asarray(self.model.predict(X)) == 1, 1.0, -1.0)


def fit_binary(problem: Problem, rows: Rows, is_second: npt.NDArray[np.bool_], number: int) -> Binary:
    """A classifier learned from some rows; `is_second` says the group of each of them."""
    if is_second.all() or not is_second.any():
        return Binary(None, int(is_second.any()))
    from sklearn.base import clone

    model = clone(problem.base)
    if problem.seed is not None:
        _seeded(model, key(problem.seed, Purpose.OTHER, number))
    weights = {} if problem.weights is None else {"sample_weight": problem.weights[rows]}
    model.fit(take_rows(problem.X, rows), is_second.astype(np.int64), **weights)
    return Binary(model)


def _seeded(model: Any, start: int) -> None:
    names = sorted(name for name in model.get_params() if name == "random_state" or name.endswith("__random_state"))
    # scikit-learn takes seeds below 2^32.
    model.set_params(**{name: key(start, Purpose.OTHER, place) >> 33 for place, name in enumerate(names)})


def cross_validated_error(
    problem: Problem, rows: Rows, is_second: npt.NDArray[np.bool_], folds: Rows, number: int
) -> float:
    """The weighted share of rows put into the wrong group by classifiers that did not learn from them."""
    weights = problem.row_weights[rows]
    wrong = 0.0
    for fold in np.unique(folds[rows]):
        judges = folds[rows] == fold
        if judges.all():
            continue
        model = fit_binary(problem, rows[~judges], is_second[~judges], number)
        said = model.margins(take_rows(problem.X, rows[judges]), int(judges.sum())) > 0
        wrong += float(weights[judges][said != is_second[judges]].sum())
    return wrong / float(weights.sum())
