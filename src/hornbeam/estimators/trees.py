"""A tree as a scikit-learn estimator: fit, predict, and all that scikit-learn's own trees offer.

    TreeClassifier("c45").fit(frame, y).predict(frame)          TreeRegressor(max_depth=4, min_samples_leaf=0.01)

Parameters of scikit-learn's names mean what they mean there; a parameter that is None follows the recipe. Frames with
text, category and missing columns are taken as they are. `fit` is all or nothing: when it fails, what was learned
before stays as it was. The same data and parameters give the same tree, whatever `n_jobs`; `random_state=None` takes
the recipe's seed.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin

from hornbeam.estimators.classes import by_label, costs_by_label, weight_of
from hornbeam.estimators.fitted import Fitted, PredictsClasses, PredictsNumbers
from hornbeam.estimators.paths import decision_paths
from hornbeam.estimators.settings import checked_fraction, n_rows_of_fraction, recipe_of, threads_of
from hornbeam.estimators.sklearn_arrays import SklearnTree, with_sklearn_names
from hornbeam.explanation.impurity import gain_fractions
from hornbeam.growing.column_sampling import n_sampled_columns
from hornbeam.parts.prunings.cost_complexity import cost_complexity_path
from hornbeam.recipes.grow_and_prune import grow_and_prune
from hornbeam.recipes.recipe import Recipe
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

_PLAIN = (
    "recipe",
    "criterion",
    "splitter",
    "max_depth",
    "max_features",
    "max_leaf_nodes",
    "min_impurity_decrease",
    "ccp_alpha",
    "missing",
    "unseen",
    "prune",
    "searches",
)


class _Tree(Fitted):
    """What classifiers and regressors share."""

    tree_: SklearnTree

    def __init__(
        self,
        recipe: Any = "plain",
        *,
        criterion: Any = None,
        splitter: str | None = None,
        max_depth: int | None = None,
        min_samples_split: int | float | None = None,
        min_samples_leaf: int | float | None = None,
        min_weight_fraction_leaf: float | None = None,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = None,
        ccp_alpha: float | None = None,
        missing: Any = None,
        unseen: str | None = None,
        prune: Any = None,
        searches: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self._hold(locals())

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree; rows of weight 0 count as not there."""
        table = self._table(X, y, sample_weight, copy=False)
        recipe = self._recipe(table)
        tree = self._grown(table, recipe)
        learned = {"n_outputs_": 1, "max_features_": n_sampled_columns(recipe.max_features, len(table.columns))}
        return self._keep(with_sklearn_names(tree), X, y, learned)

    def _by_class(self, classes: tuple[Any, ...]) -> dict[str, Any]:
        """The parameters that speak of classes, by their names."""
        return {}

    def _recipe(self, table: Table, **changes: Any) -> Recipe:
        """The recipe that the parameters make for a table."""
        wishes = {name: getattr(self, name) for name in _PLAIN}
        wishes.update(self._by_class(table.target.levels if table.target is not None else ()))
        for name, least in (("min_samples_split", 2), ("min_samples_leaf", 1)):
            if getattr(self, name) is not None:
                wishes[name] = n_rows_of_fraction(name, getattr(self, name), len(table), least)
        if self.min_weight_fraction_leaf is not None:
            share = checked_fraction("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
            wishes["min_weight_leaf"] = share * weight_of(table, wishes.get("class_weight"))
        target = "number" if self._target_kind == "numeric" else "class"
        return recipe_of({**wishes, **changes}, target)

    def _grown(self, table: Table, recipe: Recipe) -> Tree:
        seed = recipe.seed if self.random_state is None else as_seed(self.random_state)
        return grow_and_prune(table, recipe, seed=seed, threads=threads_of(self.n_jobs))

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """The node where each row ends."""
        return self._said(X).nodes.astype(np.int64)

    def decision_path(self, X: Any) -> Any:
        """A sparse matrix (rows, nodes): 1 for every node on the way of a row."""
        return decision_paths(self._fitted(), self._said(X).nodes)

    def get_depth(self) -> int:
        """The longest path from the root."""
        return int(self._fitted().depth)

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        return int(self._fitted().n_leaves)

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """The share of the whole decrease in impurity that each column brings; all 0 when nothing is asked."""
        return gain_fractions(self._fitted())

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """The alphas at which the full tree loses nodes, and the impurity of its leaves after each."""
        from sklearn.utils import Bunch

        table = self._table(X, y, sample_weight, copy=False)
        tree = self._grown(table, self._recipe(table, prune=False, ccp_alpha=None))
        alphas, impurities = cost_complexity_path(tree)
        return Bunch(ccp_alphas=alphas, impurities=impurities)


class TreeClassifier(PredictsClasses, ClassifierMixin, _Tree):  # type: ignore[misc]
    """A tree whose leaves say a class.

    `recipe` is a name, a file or a Recipe. Beside scikit-learn's parameters: `missing` (what happens to rows whose
    answer is unknown), `unseen` (what becomes of levels that a node never met: "as_missing", "majority", "stay" or
    "error"), `prune` (a pruning; False for none), `searches` (what is asked), `priors` (class shares to assume),
    `costs` (`costs[truth][answer]`, or a matrix in the order of `classes_`), `n_jobs` (threads).
    """

    def __init__(
        self,
        recipe: Any = "plain",
        *,
        criterion: Any = None,
        splitter: str | None = None,
        max_depth: int | None = None,
        min_samples_split: int | float | None = None,
        min_samples_leaf: int | float | None = None,
        min_weight_fraction_leaf: float | None = None,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = None,
        class_weight: Any = None,
        ccp_alpha: float | None = None,
        missing: Any = None,
        unseen: str | None = None,
        prune: Any = None,
        searches: Any = None,
        priors: Any = None,
        costs: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self._hold(locals())

    def _by_class(self, classes: tuple[Any, ...]) -> dict[str, Any]:
        return {
            "class_weight": by_label("class_weight", self.class_weight, classes),
            "priors": by_label("priors", self.priors, classes),
            "costs": costs_by_label(self.costs, classes),
        }


class TreeRegressor(PredictsNumbers, RegressorMixin, _Tree):  # type: ignore[misc]
    """A tree whose leaves say a number.

    `recipe` is a name, a file or a Recipe. Beside scikit-learn's parameters: `missing` (what happens to rows whose
    answer is unknown), `unseen` (what becomes of levels that a node never met: "as_missing", "majority", "stay" or
    "error"), `prune` (a pruning; False for none), `searches` (what is asked), `n_jobs` (threads).
    """
