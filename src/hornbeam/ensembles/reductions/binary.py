"""A binary classifier of two groups of classes: 0 (first group) or 1 (second group).

    probability  predict_proba of the second group
    margin       2 probability - 1, or decision_function, or -1 and 1 from predict: above 0 is the second group

A margin of exactly 0 predicts the first group. If all training rows belong to one group, no classifier is fitted and
that group is predicted. Every random state inside the classifier is keyed by the seed and the classifier's number.
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
    """A fitted binary classifier; `only` is the prediction if the training rows have one group."""

    model: Any
    only: int = -1

    def probabilities(self, X: Any, n_rows: int) -> Floats:
        """The probability of the second group for each row."""
        if self.model is None:
            return np.full(n_rows, float(self.only))
        if not hasattr(self.model, "predict_proba"):
            name = type(self.model).__name__
            raise InputError(
                f"Class probabilities require a base classifier with predict_proba; {name} has none.",
                hint="Use predict, which does not need it.",
            )
        return np.asarray(self.model.predict_proba(X), dtype=np.float64)[:, 1]

    def margins(self, X: Any, n_rows: int) -> Floats:
        """The margin of the second group: it is predicted if the margin is above 0, else the first."""
        if self.model is None or hasattr(self.model, "predict_proba"):
            return 2.0 * self.probabilities(X, n_rows) - 1.0
        if hasattr(self.model, "decision_function"):
            return np.asarray(self.model.decision_function(X), dtype=np.float64).reshape(n_rows)
        return np.where(np.asarray(self.model.predict(X)) == 1, 1.0, -1.0)


def fit_binary(problem: Problem, rows: Rows, is_second: npt.NDArray[np.bool_], number: int) -> Binary:
    """A classifier trained on some rows; `is_second` is the group of each."""
    if is_second.all() or not is_second.any():
        return Binary(None, int(is_second.any()))
    from sklearn.base import clone

    model = clone(problem.base)
    if problem.seed is not None:
        _set_seeds(model, key(problem.seed, Purpose.OTHER, number))
    weights = {} if problem.weights is None else {"sample_weight": problem.weights[rows]}
    model.fit(take_rows(problem.X, rows), is_second.astype(np.int64), **weights)
    return Binary(model)


def _set_seeds(model: Any, start: int) -> None:
    names = sorted(name for name in model.get_params() if name == "random_state" or name.endswith("__random_state"))
    # scikit-learn takes seeds below 2^32.
    model.set_params(**{name: key(start, Purpose.OTHER, index) >> 33 for index, name in enumerate(names)})


def cross_validated_error(
    problem: Problem, rows: Rows, is_second: npt.NDArray[np.bool_], folds: Rows, number: int
) -> float:
    """The weighted fraction of rows misclassified by classifiers that were not trained on them."""
    weights = problem.row_weights[rows]
    wrong = 0.0
    for fold in np.unique(folds[rows]):
        is_test = folds[rows] == fold
        if is_test.all():
            continue
        model = fit_binary(problem, rows[~is_test], is_second[~is_test], number)
        predicted = model.margins(take_rows(problem.X, rows[is_test]), int(is_test.sum())) > 0
        wrong += float(weights[is_test][predicted != is_second[is_test]].sum())
    return wrong / float(weights.sum())
