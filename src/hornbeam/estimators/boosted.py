"""Gradient boosting as scikit-learn estimators, with the parameter names of HistGradientBoosting.

    BoostedClassifier(max_iter=300, learning_rate=0.05).fit(frame, y)      BoostedRegressor(loss="poisson")

Parameters with scikit-learn's names have scikit-learn's meaning; data frames with text, categories and missing values
need no encoding. With early stopping the model is truncated to its best round; `validation_fraction=None` uses the
training loss. `warm_start` adds trees to those of the last fit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin

from hornbeam.ensembles.methods.boosting import Boosting, boost
from hornbeam.errors import OptionError, short_repr
from hornbeam.estimators.classes import by_label
from hornbeam.estimators.constraints import interaction_groups, monotone_directions
from hornbeam.estimators.fitted import PredictsClasses, PredictsNumbers
from hornbeam.estimators.many import EnsembleEstimator
from hornbeam.estimators.settings import threads_of
from hornbeam.estimators.wording import translate_parameters
from hornbeam.explanation.impurity import gain_fractions
from hornbeam.growing.sample import balanced_factors
from hornbeam.seeds import as_seed
from hornbeam.table.divide import divide
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.forest_walk import forest_totals, linked

# The settings of boosting, and the parameters of the estimators for them.
_PARAMETERS = {
    "Boosting.learning_rate": "learning_rate",
    "Boosting.n_rounds": "max_iter",
    "Boosting.max_depth": "max_depth",
    "Boosting.max_leaves": "max_leaf_nodes",
    "Boosting.min_rows": "min_samples_leaf",
    "Boosting.min_hessian": "min_hessian",
    "Boosting.l1": "l1_regularization",
    "Boosting.l2": "l2_regularization",
    "Boosting.categorical_l2": "categorical_l2",
    "Boosting.categorical_smoothing": "categorical_smoothing",
    "Boosting.gamma": "min_split_gain",
    "Boosting.min_f": "min_f",
    "Boosting.bins": "max_bins",
    "Boosting.rows_per_tree": "subsample",
    "Boosting.columns_per_tree": "columns_per_tree",
    "Boosting.columns_per_node": "max_features",
    "Boosting.validation_fraction": "validation_fraction",
    "Boosting.early_stopping_rounds": "n_iter_no_change",
    "Boosting.min_improvement": "tol",
    "Boosting.quantile": "quantile",
    "Boosting.loss": "loss",
    "Boosting.monotone_constraints": "monotonic_cst",
    "Boosting.interaction_constraints": "interaction_cst",
    "monotone_constraints": "monotonic_cst",
    "interaction_constraints": "interaction_cst",
}
_LOSSES = {
    "log_loss": None,
    "squared_error": "squared",
    "absolute_error": "absolute",
    "poisson": "poisson",
    "quantile": "quantile",
}
_EARLY_STOPPING_ROWS = 10_000


class _Boosted(EnsembleEstimator):
    """The common base of classifier and regressor."""

    _losses: ClassVar[tuple[str, ...]] = ()

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None, times: Any = None) -> Self:
        """Grow the trees; rows of weight 0 are ignored.

        The rows held out for early stopping are whole `groups` (one value per row), or the latest by `times`.
        scikit-learn's tools pass them on after `set_fit_request(groups=True)`.
        """
        table = divide(self._table(X, y, sample_weight), groups=groups, times=times)
        table = self._with_class_weights(table)
        stops_early = self._stops_early(table)
        with translate_parameters(_PARAMETERS):
            boosting = self._boosting(table, stops_early)
        continue_from: Forest | None = self.__dict__.get("forest_") if self.warm_start else None
        seed = 0 if self.random_state is None else as_seed(self.random_state)
        with translate_parameters(_PARAMETERS):
            forest = boost(table, boosting, seed=seed, threads=threads_of(self.n_jobs), continue_from=continue_from)
        outputs = len(forest.base)
        fitted: dict[str, Any] = {
            "n_iter_": len(forest) // outputs,
            "n_trees_per_iteration_": outputs,
            "do_early_stopping_": stops_early,
            "validation_score_": -np.array(forest.metadata.get("held_out_loss", [])),
            "train_score_": -np.array(forest.metadata.get("training_loss", [])),
        }
        return self._store_forest(forest, X, y, fitted)

    def _with_class_weights(self, table: Table) -> Table:
        return table

    def _stops_early(self, table: Table) -> bool:
        if self.early_stopping not in (True, False, "auto"):
            raise OptionError(
                f"early_stopping must be True, False or auto, got {short_repr(self.early_stopping)}.",
                option="early_stopping",
                got=self.early_stopping,
            )
        return len(table) > _EARLY_STOPPING_ROWS if self.early_stopping == "auto" else bool(self.early_stopping)

    def _boosting(self, table: Table, stops_early: bool) -> Boosting:
        """The parameters as validated settings of boosting."""
        if self.loss not in self._losses:
            raise OptionError(
                f"loss must be one of {', '.join(self._losses)}, got {short_repr(self.loss)}.",
                option="loss",
                got=self.loss,
            )
        names = [column.name for column in table.columns]
        return Boosting(
            loss=_LOSSES[self.loss],
            quantile=self._quantile(),
            n_rounds=self.max_iter,
            learning_rate=self.learning_rate,
            max_depth=self.max_depth,
            max_leaves=self.max_leaf_nodes,
            min_rows=self.min_samples_leaf,
            min_hessian=self.min_hessian,
            l1=self.l1_regularization,
            l2=self.l2_regularization,
            categorical_l2=self.categorical_l2,
            categorical_smoothing=self.categorical_smoothing,
            gamma=self.min_split_gain,
            min_f=self.min_f,
            bins=self.max_bins,
            rows_per_tree=self.subsample,
            columns_per_tree=self.columns_per_tree,
            columns_per_node=self.max_features,
            validation_fraction=self.validation_fraction if stops_early else None,
            stop_by_training=stops_early and self.validation_fraction is None,
            early_stopping_rounds=self.n_iter_no_change,
            min_improvement=self.tol,
            monotone_constraints=monotone_directions(self.monotonic_cst, names),
            interaction_constraints=interaction_groups(self.interaction_cst, names),
        )

    def _quantile(self) -> float:
        return 0.5

    def _scores(self, X: Any) -> npt.NDArray[np.float64]:
        return forest_totals(self._fitted(), self._rows(X).columns, threads=threads_of(self.n_jobs)).totals

    def _staged(self, X: Any) -> Iterator[npt.NDArray[np.float64]]:
        """The predictions after each round, on the scale of the link function."""
        forest, columns = self._fitted(), self._rows(X).columns
        outputs = len(forest.base)
        scores = np.tile(forest.base, (len(columns[0]) if columns else 0, 1))
        for begin in range(0, len(forest), outputs):
            of_round = slice(begin, begin + outputs)
            one = dataclasses.replace(
                forest,
                trees=forest.trees[of_round],
                weights=forest.weights[of_round],
                output=forest.output[of_round],
                base=np.zeros(outputs),
            )
            scores = scores + forest_totals(one, columns, threads=threads_of(self.n_jobs)).totals
            yield linked(forest, scores)

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """The fraction of the total gain per column; all 0 for trees without splits."""
        return gain_fractions(self._fitted())


class BoostedClassifier(PredictsClasses, ClassifierMixin, _Boosted):  # type: ignore[misc]
    """Gradient boosting for classification.

    Additional parameters: `l1_regularization`, `categorical_l2` and `categorical_smoothing` (LightGBM's
    cat_l2 and cat_smooth), `min_split_gain` (gamma), `min_hessian`, `min_f`, `columns_per_tree`, `subsample`
    (fraction of the rows per round), `n_jobs` (threads). Regularization is in units of the mean row weight.
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
        max_features: float | None = None,
        columns_per_tree: float = 1.0,
        subsample: float = 1.0,
        max_bins: int = 255,
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: bool | str = "auto",
        validation_fraction: float | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        class_weight: Any = None,
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

    def staged_predict_proba(self, X: Any) -> Iterator[npt.NDArray[np.float64]]:
        """The class probabilities after the first round, the second, and so on."""
        return self._staged(X)

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """The predicted classes after the first round, the second, and so on."""
        for probabilities in self._staged(X):
            yield self.classes_[probabilities.argmax(axis=1)]


class BoostedRegressor(PredictsNumbers, RegressorMixin, _Boosted):  # type: ignore[misc]
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
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: bool | str = "auto",
        validation_fraction: float | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
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
