"""Gradient boosting as scikit-learn estimators, with the parameter names of HistGradientBoosting.

    BoostedClassifier(max_iter=300, learning_rate=0.05).fit(frame, y)      BoostedRegressor(loss="poisson")

Parameters with scikit-learn's names have scikit-learn's meaning; data frames with text, categories and missing values
need no encoding. With early stopping the model is truncated to its best round; `validation_fraction=None` uses the
training loss. `warm_start` adds trees to those of the last fit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin

from hornbeam.errors import OptionError, short_repr
from hornbeam.estimators.boosted_base import BoostedEstimator
from hornbeam.estimators.classes import by_label
from hornbeam.estimators.fitted import PredictsClasses, PredictsNumbers
from hornbeam.growing.sample import balanced_factors
from hornbeam.table.table import Table


class BoostedClassifier(PredictsClasses, ClassifierMixin, BoostedEstimator):  # type: ignore[misc]
    """Gradient boosting for classification.

    Additional parameters: `l1_regularization`, `categorical_l2` and `categorical_smoothing` (LightGBM's
    cat_l2 and cat_smooth), `min_split_gain` (gamma), `min_hessian`, `min_f`, `joint_trees` (more than two classes:
    two of three rounds grow one tree for all of them), `columns_per_tree`, `subsample` (fraction of the rows per
    round), `n_jobs` (threads). Regularization is in units of the mean row weight.
    """

    _losses = ("log_loss",)

    def __init__(
        self,
        loss: str = "log_loss",
        *,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int | None = None,
        l2_regularization: float | None = None,
        categorical_l2: float | None = None,
        categorical_smoothing: float = 0.0,
        l1_regularization: float = 0.0,
        min_split_gain: float = 0.0,
        min_hessian: float = 1e-3,
        min_f: float | None = None,
        joint_trees: bool = True,
        max_features: float | None = None,
        columns_per_tree: float = 1.0,
        subsample: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: bool | str = "auto",
        scoring: Any = "loss",
        validation_fraction: float | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        class_weight: Any = None,
        verbose: int = 0,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self._store_parameters(locals())

    def _with_class_weights(self, table: Table) -> Table:
        """The table with row weights multiplied by the class weights."""
        target = table.target
        if self.class_weight is None or target is None:
            return table
        weights = table.row_weights
        given = by_label("class_weight", self.class_weight, target.levels)
        if isinstance(given, str):
            if given != "balanced":
                raise OptionError(f"class_weight must be balanced or a dict by class, got {short_repr(given)}.")
            factor = balanced_factors(np.bincount(target.values, weights=weights > 0, minlength=len(target.levels)))
        else:
            factor = np.array([given.get(str(label), 1.0) for label in target.levels])
        return dataclasses.replace(table, weights=weights * factor[target.values])

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The raw scores: one per row for two classes, else one per row and class."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def staged_decision_function(self, X: Any) -> Iterator[npt.NDArray[np.float64]]:
        """The raw scores after the first round, the second, and so on."""
        for scores in self._staged_scores(X):
            yield scores[:, 0] if scores.shape[1] == 1 else scores

    def staged_predict_proba(self, X: Any) -> Iterator[npt.NDArray[np.float64]]:
        """The class probabilities after the first round, the second, and so on."""
        return self._staged(X)

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """The predicted classes after the first round, the second, and so on."""
        for probabilities in self._staged(X):
            yield self.classes_[probabilities.argmax(axis=1)]


class BoostedRegressor(PredictsNumbers, RegressorMixin, BoostedEstimator):  # type: ignore[misc]
    """Gradient boosting for regression.

    Additional parameters: `l1_regularization`, `categorical_l2` and `categorical_smoothing` (LightGBM's
    cat_l2 and cat_smooth), `min_split_gain` (gamma), `min_hessian`, `min_f`, `columns_per_tree`, `subsample`
    (fraction of the rows per round), `n_jobs` (threads). Regularization is in units of the mean row weight.
    """

    _losses = ("squared_error", "absolute_error", "poisson", "quantile")

    def __init__(
        self,
        loss: str = "squared_error",
        *,
        quantile: float | None = None,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int | None = None,
        l2_regularization: float | None = None,
        categorical_l2: float | None = None,
        categorical_smoothing: float = 0.0,
        l1_regularization: float = 0.0,
        min_split_gain: float = 0.0,
        min_hessian: float = 1e-3,
        min_f: float | None = None,
        max_features: float | None = None,
        columns_per_tree: float = 1.0,
        subsample: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: bool | str = "auto",
        scoring: Any = "loss",
        validation_fraction: float | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self._store_parameters(locals())

    def _quantile(self) -> float:
        return 0.5 if self.quantile is None else self.quantile

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[np.float64]]:
        """The predictions after the first round, the second, and so on."""
        for numbers in self._staged(X):
            yield numbers[:, 0] if numbers.ndim == 2 else numbers
