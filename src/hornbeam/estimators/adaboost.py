"""AdaBoost of trees as a scikit-learn estimator.

AdaBoostTreeClassifier(100, max_depth=2).fit(frame, y)        AdaBoostTreeClassifier(10, recipe="c45", algorithm="c50")
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from hornbeam.errors import OptionError, short_repr
from hornbeam.estimators.fitted import PredictsClasses
from hornbeam.estimators.many import EnsembleEstimator
from hornbeam.estimators.settings import n_rows_of_fraction, recipe_of, threads_of
from hornbeam.estimators.wording import translate_parameters
from hornbeam.options import is_real
from hornbeam.recipes.forests import adaboost
from hornbeam.tree.prediction import predict


class AdaBoostTreeClassifier(PredictsClasses, ClassifierMixin, EnsembleEstimator):  # type: ignore[misc]
    """AdaBoost: trees grown one after the other vote; row weights move to misclassified rows.

    `algorithm` is "samme" or "c50" (the boosting of C5.0; use it with a recipe such as "c45" and max_depth=None). The
    other parameters are those of scikit-learn and of one tree.
    """

    def __init__(
        self,
        n_estimators: int = 50,
        *,
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees; rows of weight 0 are ignored."""
        if not is_real(self.learning_rate) or not self.learning_rate > 0:
            raise OptionError(
                f"learning_rate must be above 0, got {short_repr(self.learning_rate)}.",
                option="learning_rate",
                got=self.learning_rate,
            )
        table = self._table(X, y, sample_weight)
        parameters = {"recipe": self.recipe, "criterion": self.criterion, "max_depth": self.max_depth}
        if self.min_samples_leaf is not None:
            parameters["min_samples_leaf"] = n_rows_of_fraction(
                "min_samples_leaf", self.min_samples_leaf, len(table), 1
            )
        recipe = recipe_of(parameters, "class")
        with translate_parameters({"AdaBoost.n_trees": "n_estimators", "AdaBoost.algorithm": "algorithm"}):
            forest = adaboost(
                table,
                recipe,
                n_trees=self.n_estimators,
                learning_rate=float(self.learning_rate),
                algorithm=self.algorithm,
                seed=self.random_state,
                threads=threads_of(self.n_jobs),
            )
        fitted = {
            "estimator_weights_": np.array(forest.weights),
            "estimator_errors_": np.array(forest.metadata["errors"]),
        }
        return self._store_forest(forest, X, y, fitted)

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """The predictions of the first tree, of the first two trees, and so on."""
        forest, columns = self._fitted(), self._rows(X).columns
        for count in range(1, len(forest) + 1):
            first = dataclasses.replace(
                forest, trees=forest.trees[:count], weights=forest.weights[:count], output=forest.output[:count]
            )
            yield self.classes_[predict(first, columns, threads=threads_of(self.n_jobs)).codes]
