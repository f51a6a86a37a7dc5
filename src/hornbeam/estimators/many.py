"""The base class of estimators with several trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from hornbeam.estimators.fitted import Fitted
from hornbeam.estimators.paths import decision_paths
from hornbeam.estimators.settings import threads_of
from hornbeam.estimators.trees import tree_estimator, unfitted_tree
from hornbeam.explanation.impurity import gain_fractions
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest


class EnsembleEstimator(Fitted):
    """An estimator whose model is `forest_`."""

    _model: ClassVar[str] = "forest_"
    forest_: Forest

    def _store_forest(self, forest: Forest, X: Any, y: Any, attributes: dict[str, Any]) -> Self:
        return self._store_model(forest, X, y, {"n_outputs_": 1, **attributes})

    @property
    def estimators_(self) -> Any:
        """The trees as fitted estimators; `forest_.trees` has the trees themselves."""
        forest: Forest = self._fitted()
        return [tree_estimator(self, tree) for tree in forest.trees]

    @property
    def estimator_(self) -> Any:
        """An estimator of one tree with the parameters of the ensemble, not fitted."""
        return unfitted_tree(self, is_class=self._target_kind == "nominal")

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """The fraction of the impurity decrease per column, averaged over the trees."""
        return gain_fractions(self._fitted())

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """The node where each row ends in each tree, (rows, trees)."""
        columns = self._rows(X).columns
        threads = threads_of(self.n_jobs)
        each = [walk.leaves(tree, columns, threads=threads) for tree in self._fitted().trees]
        return np.column_stack(each).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[Any, npt.NDArray[np.int64]]:
        """A sparse matrix (rows, nodes of all trees), and the first column of each tree."""
        from scipy.sparse import hstack

        columns = self._rows(X).columns
        trees = self._fitted().trees
        each = [decision_paths(tree, walk.leaves(tree, columns)) for tree in trees]
        starts = np.concatenate([[0], np.cumsum([len(tree) for tree in trees])]).astype(np.int64)
        return hstack(each).tocsr(), starts

    def __len__(self) -> int:
        return len(self._fitted())

    def __getitem__(self, index: int) -> Any:
        return self.estimators_[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)
