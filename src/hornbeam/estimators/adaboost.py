"""AdaBoost of trees as scikit-learn estimators.

AdaBoostTreeClassifier(max_depth=2).fit(frame, y)        AdaBoostTreeClassifier(recipe="c45", algorithm="c50")
AdaBoostTreeRegressor(n_estimators=100).fit(frame, y)    AdaBoostTreeClassifier(LogisticRegression())
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin

from hornbeam.errors import OptionError, short_repr
from hornbeam.estimators.delegation import FITTED, delegated, fit_delegate
from hornbeam.estimators.fitted import PredictsClasses, PredictsNumbers
from hornbeam.estimators.many import EnsembleEstimator
from hornbeam.estimators.settings import n_rows_of_fraction, recipe_of, threads_of
from hornbeam.estimators.wording import translate_parameters
from hornbeam.options import is_real
from hornbeam.recipes.forests import adaboost
from hornbeam.tree.forest import Forest
from hornbeam.tree.prediction import predict

Floats = npt.NDArray[np.float64]
_PARAMETERS = {"AdaBoost.n_trees": "n_estimators", "AdaBoost.algorithm": "algorithm", "AdaBoost.loss": "loss"}


class _AdaBoost(EnsembleEstimator):
    """The common base of classifier and regressor."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees, or fit copies of `estimator`; rows of weight 0 are ignored."""
        if not is_real(self.learning_rate) or not self.learning_rate > 0:
            raise OptionError(
                f"learning_rate must be above 0, got {short_repr(self.learning_rate)}.",
                option="learning_rate",
                got=self.learning_rate,
            )
        if self.estimator is not None:
            is_class = self._target_kind == "nominal"
            fitted: Self = fit_delegate(self, X, y, sample_weight, is_class=is_class)
            return fitted
        return self._fit_trees(X, y, sample_weight)

    def _fit_trees(self, X: Any, y: Any, sample_weight: Any) -> Self:
        table = self._table(X, y, sample_weight)
        parameters = {"recipe": self.recipe, "criterion": self.criterion, "max_depth": self.max_depth}
        if self.min_samples_leaf is not None:
            parameters["min_samples_leaf"] = n_rows_of_fraction(
                "min_samples_leaf", self.min_samples_leaf, len(table), 1
            )
        recipe = recipe_of(parameters, "class" if table.schema.is_class else "number")
        with translate_parameters(_PARAMETERS):
            forest = adaboost(
                table,
                recipe,
                n_trees=self.n_estimators,
                learning_rate=float(self.learning_rate),
                algorithm=self.__dict__.get("algorithm"),
                loss=self.__dict__.get("loss", "linear"),
                seed=self.random_state,
                threads=threads_of(self.n_jobs),
            )
        fitted = {
            "estimator_weights_": np.array(forest.weights),
            "estimator_errors_": np.array(forest.metadata["errors"]),
        }
        self.__dict__.pop(FITTED, None)
        return self._store_forest(forest, X, y, fitted)

    def _stages(self) -> Iterator[Forest]:
        """The forest of the first tree, of the first two trees, and so on."""
        forest = self._fitted()
        for count in range(1, len(forest) + 1):
            yield dataclasses.replace(
                forest, trees=forest.trees[:count], weights=forest.weights[:count], output=forest.output[:count]
            )

    @property
    @delegated
    def estimators_(self) -> Any:
        """The trees (or copies of `estimator`) as fitted estimators."""
        return super().estimators_

    @property
    @delegated
    def feature_importances_(self) -> Floats:
        """The fraction of the impurity decrease per column, weighted as the trees are."""
        return super().feature_importances_

    def __sklearn_is_fitted__(self) -> bool:
        return FITTED in self.__dict__ or super().__sklearn_is_fitted__()


class AdaBoostTreeClassifier(PredictsClasses, ClassifierMixin, _AdaBoost):  # type: ignore[misc]
    """AdaBoost: trees grown one after the other vote; row weights move to misclassified rows.

    `algorithm` is "samme" or "c50" (the boosting of C5.0; use it with a recipe such as "c45" and max_depth=None).
    `estimator` boosts any other classifier with sample weights instead of trees, by scikit-learn's AdaBoost. The other
    parameters are those of scikit-learn and of one tree.
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        recipe: Any = "plain",
        algorithm: str = "samme",
        criterion: Any = None,
        max_depth: int | None = 1,
        min_samples_leaf: int | float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self._store_parameters(locals())

    @delegated
    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The predicted class of each row."""
        return super().predict(X)

    @delegated
    def predict_proba(self, X: Any) -> Floats:
        """The class probabilities (fractions of the votes), in the order of `classes_`."""
        return super().predict_proba(X)

    @delegated
    def decision_function(self, X: Any) -> Floats:
        """The votes for a class minus the mean votes for the others: one per row for two classes, else per class."""
        return self._decision(self._predict(X).probabilities)

    def _decision(self, votes: Floats) -> Floats:
        others = max(votes.shape[1] - 1, 1)
        scores = votes - (1.0 - votes) / others
        return np.asarray(2.0 * scores[:, 1] if votes.shape[1] == 2 else scores, dtype=np.float64)

    def _staged_votes(self, X: Any) -> Iterator[Floats]:
        columns = self._rows(X).columns
        for forest in self._stages():
            yield predict(forest, columns, threads=threads_of(self.n_jobs)).probabilities

    @delegated
    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """The decision function of the first tree, of the first two trees, and so on."""
        return (self._decision(votes) for votes in self._staged_votes(X))

    @delegated
    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """The class probabilities of the first tree, of the first two trees, and so on."""
        return self._staged_votes(X)

    @delegated
    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """The predictions of the first tree, of the first two trees, and so on."""
        columns = self._rows(X).columns
        threads = threads_of(self.n_jobs)
        return (self.classes_[predict(forest, columns, threads=threads).codes] for forest in self._stages())

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy of the first tree, of the first two trees, and so on."""
        from sklearn.metrics import accuracy_score

        return (float(accuracy_score(y, each, sample_weight=sample_weight)) for each in self.staged_predict(X))


class AdaBoostTreeRegressor(PredictsNumbers, RegressorMixin, _AdaBoost):  # type: ignore[misc]
    """AdaBoost.R2: trees grown one after the other; row weights move to rows with large errors.

    The prediction is the weighted median of the trees. `loss` is the loss of a row by which weights change: "linear",
    "square" or "exponential" in its error. `estimator` boosts any other regressor instead of trees, by
    scikit-learn's AdaBoost. The other parameters are those of scikit-learn and of one tree.
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        loss: str = "linear",
        recipe: Any = "plain",
        criterion: Any = None,
        max_depth: int | None = 3,
        min_samples_leaf: int | float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self._store_parameters(locals())

    @delegated
    def predict(self, X: Any) -> Floats:
        """The predicted number of each row."""
        return super().predict(X)

    @delegated
    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """The predictions of the first tree, of the first two trees, and so on."""
        columns = self._rows(X).columns
        threads = threads_of(self.n_jobs)
        return (predict(forest, columns, threads=threads).numbers for forest in self._stages())

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The coefficient of determination of the first tree, of the first two trees, and so on."""
        from sklearn.metrics import r2_score

        return (float(r2_score(y, each, sample_weight=sample_weight)) for each in self.staged_predict(X))
