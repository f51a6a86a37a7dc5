"""What do all estimators of many trees share?  The forest they learn, and how it is asked."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from hornbeam.estimators.classes import labels_of
from hornbeam.estimators.parameters import WithParts
from hornbeam.estimators.paths import decision_paths, importances
from hornbeam.estimators.rows import names_of, new_rows, training_table
from hornbeam.estimators.settings import threads_of
from hornbeam.estimators.trees import NotFittedTreeError
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import Prediction, predict


class Many(WithParts):
    """An estimator whose model is `forest_`."""

    _target_kind: ClassVar[str] = "numeric"
    n_jobs: int | None
    forest_: Forest

    def _table(self, X: Any, y: Any, sample_weight: Any) -> Table:
        return training_table(type(self).__name__, X, y, sample_weight, self._target_kind)

    def _keep(self, forest: Forest, X: Any, y: Any, learned: dict[str, Any]) -> Self:
        """All that was learned, at once."""
        learned = {
            "forest_": forest,
            "n_features_in_": len(forest.schema.columns),
            "n_outputs_": 1,
            **self._learned(forest, y),
            **learned,
        }
        names = names_of(X)
        if names is not None:
            learned["feature_names_in_"] = names
        else:
            self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(learned)
        return self

    def _learned(self, forest: Forest, y: Any) -> dict[str, Any]:
        return {}

    def _fitted(self) -> Forest:
        """The forest, or an error that says there is none yet."""
        forest: Forest | None = self.__dict__.get("forest_")
        if forest is None:
            name = type(self).__name__
            raise NotFittedTreeError(f"This {name} instance is not fitted yet.", hint="Call fit before using it.")
        return forest

    def _rows(self, X: Any) -> Table:
        return new_rows(type(self).__name__, self._fitted().schema, X, hasattr(self, "feature_names_in_"))

    def _said(self, X: Any) -> Prediction:
        forest = self._fitted()
        return predict(forest, self._rows(X).columns, threads=threads_of(self.n_jobs))

    @property
    def estimators_(self) -> tuple[Tree, ...]:
        """The members."""
        return self._fitted().trees

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """The mean over the trees of the share of the decrease in impurity that each column brings."""
        forest = self._fitted()
        each = np.array([importances(tree) for tree in forest.trees])
        found: npt.NDArray[np.float64] = np.average(each, axis=0, weights=forest.weights)
        return found / found.sum() if found.sum() > 0 else found

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """The node where each row ends in each tree, (rows, trees)."""
        columns = self._rows(X).columns
        threads = threads_of(self.n_jobs)
        each = [walk.leaves(tree, columns, threads=threads) for tree in self._fitted().trees]
        return np.column_stack(each).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[Any, npt.NDArray[np.int64]]:
        """A sparse matrix (rows, nodes of all trees), and where each tree's nodes begin."""
        from scipy.sparse import hstack

        columns = self._rows(X).columns
        trees = self._fitted().trees
        each = [decision_paths(tree, walk.leaves(tree, columns)) for tree in trees]
        starts = np.concatenate([[0], np.cumsum([len(tree) for tree in trees])]).astype(np.int64)
        return hstack(each).tocsr(), starts

    def __len__(self) -> int:
        return len(self._fitted())

    def __sklearn_is_fitted__(self) -> bool:
        return "forest_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags


class SaysClasses:
    """Prediction of classes."""

    _target_kind: ClassVar[str] = "nominal"
    classes_: npt.NDArray[Any]

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class of each row."""
        said: Prediction = self._said(X)  # type: ignore[attr-defined]
        return labels_of(said, self.classes_)[said.codes]

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The share of each class, in the order of `classes_`."""
        said: Prediction = self._said(X)  # type: ignore[attr-defined]
        return said.shares

    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The logarithms of the shares; -inf for a share of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class SaysNumbers:
    """Prediction of numbers."""

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """The number of each row."""
        said: Prediction = self._said(X)  # type: ignore[attr-defined]
        return said.numbers
