"""Decision trees as scikit-learn estimators, with the methods and attributes of scikit-learn's trees.

    TreeClassifier("c45").fit(frame, y).predict(frame)          TreeRegressor(max_depth=4, min_samples_leaf=0.01)

Parameters with scikit-learn's names have scikit-learn's meaning; a parameter that is None follows the recipe, except
that the recipe plain learns a branch for missing values, as scikit-learn's trees do. Data
frames with text, categories and missing values need no encoding. If `fit` fails, the estimator keeps its state. The
same data and parameters give the same tree for any `n_jobs`; `random_state=None` is the recipe's seed.
"""

from __future__ import annotations

from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin

from hornbeam.estimators.classes import by_label, costs_by_label, total_weight
from hornbeam.estimators.files import is_elsewhere, known_classes, refuse_with_files
from hornbeam.estimators.fitted import Fitted, PredictsClasses, PredictsNumbers
from hornbeam.estimators.paths import decision_paths
from hornbeam.estimators.settings import checked_fraction, n_rows_of_fraction, recipe_of, threads_of
from hornbeam.estimators.sklearn_arrays import SklearnTree, with_sklearn_names
from hornbeam.explanation.impurity import gain_fractions
from hornbeam.growing.column_sampling import n_sampled_columns
from hornbeam.parts.prunings.cost_complexity import cost_complexity_path
from hornbeam.recipes.grow_and_prune import grow_and_prune
from hornbeam.recipes.grow_files import grow_files
from hornbeam.recipes.recipe import Recipe
from hornbeam.seeds import as_seed
from hornbeam.table.divide import divide
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

_UNCHANGED = (
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
    """The common base of classifier and regressor."""

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
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self._store_parameters(locals())

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        times: Any = None,
        memory: str | int | None = None,
        client: Any = None,
    ) -> Self:
        """Grow the tree; rows of weight 0 are ignored.

        The rows that a pruning holds out are whole `groups` (one value per row), or later by `times`. scikit-learn's
        tools pass them on after `set_fit_request(groups=True)`.

        X may be files ("data/*.parquet"), an Arrow stream or a `hornbeam.scale.Dataset`; y is the name of the target
        column then, and `sample_weight` that of the weights. With `memory` ("2GB") they need not fit into memory. Dask
        collections X and y are fitted by the workers of the `client`, or of the default client.
        """
        if is_elsewhere(X, memory, client):
            given = {"groups": groups, "times": times}
            return self._fit_files(X, y, sample_weight, given, {"memory": memory, "client": client})
        table = divide(self._table(X, y, sample_weight, copy=False), groups=groups, times=times)
        recipe = self._recipe(table)
        tree = self._grow(table, recipe)
        attributes = {"n_outputs_": 1, "max_features_": n_sampled_columns(recipe.max_features, len(table.columns))}
        return self._store_model(with_sklearn_names(tree), X, y, attributes)

    def _fit_files(self, X: Any, y: Any, sample_weight: Any, given: dict[str, Any], resources: dict[str, Any]) -> Self:
        """Grow the tree from rows that need not fit into memory."""
        refuse_with_files(X, **given, min_weight_fraction_leaf=self.min_weight_fraction_leaf)
        first = self._recipe_for((), None)
        tree = grow_files(
            self._dataset(X, y, sample_weight),
            first,
            refine=lambda files: self._recipe_for(known_classes(X, files), files.plan.n_rows),
            seed=self._seed(first),
            threads=threads_of(self.n_jobs),
            **resources,
        )
        features = n_sampled_columns(self.max_features, len(tree.schema.columns))
        attributes = {"n_outputs_": 1, "max_features_": features}
        return self._store_model(with_sklearn_names(cast(Tree, tree)), X, y, attributes)

    def _by_class(self, classes: tuple[Any, ...]) -> dict[str, Any]:
        """The parameters with values per class."""
        return {}

    def _recipe_for(self, classes: tuple[Any, ...], n_rows: int | None, **changes: Any) -> Recipe:
        """The recipe of the parameters; without those per class or per number of rows if the number is unknown."""
        parameters = {name: getattr(self, name) for name in _UNCHANGED}
        if n_rows is not None:
            parameters.update(self._by_class(classes))
            for name, minimum in (("min_samples_split", 2), ("min_samples_leaf", 1)):
                if getattr(self, name) is not None:
                    parameters[name] = n_rows_of_fraction(name, getattr(self, name), n_rows, minimum)
        target = "number" if self._target_kind == "numeric" else "class"
        return recipe_of({**parameters, **changes}, target)

    def _recipe(self, table: Table, **changes: Any) -> Recipe:
        """The recipe of the parameters for a table."""
        classes = table.target.levels if table.target is not None else ()
        if self.min_weight_fraction_leaf is not None:
            fraction = checked_fraction("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
            class_weight = self._by_class(classes).get("class_weight")
            changes["min_weight_leaf"] = fraction * total_weight(table, class_weight)
        return self._recipe_for(classes, len(table), **changes)

    def _seed(self, recipe: Recipe) -> int:
        return recipe.seed if self.random_state is None else as_seed(self.random_state)

    def _grow(self, table: Table, recipe: Recipe) -> Tree:
        return grow_and_prune(table, recipe, seed=self._seed(recipe), threads=threads_of(self.n_jobs))

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """The node where each row ends."""
        return self._predict(X).nodes.astype(np.int64)

    def decision_path(self, X: Any) -> Any:
        """A sparse matrix (rows, nodes): 1 for each node on the path of a row."""
        return decision_paths(self._fitted(), self._predict(X).nodes)

    def get_depth(self) -> int:
        """The maximum depth."""
        return int(self._fitted().depth)

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        return int(self._fitted().n_leaves)

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """The fraction of the impurity decrease per column; all 0 for a tree without splits."""
        return gain_fractions(self._fitted())

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """The alphas at which the full tree is pruned, and the impurity of its leaves after each."""
        from sklearn.utils import Bunch

        table = self._table(X, y, sample_weight, copy=False)
        tree = self._grow(table, self._recipe(table, prune=False, ccp_alpha=None))
        alphas, impurities = cost_complexity_path(tree)
        return Bunch(ccp_alphas=alphas, impurities=impurities)


class TreeClassifier(PredictsClasses, ClassifierMixin, _Tree):  # type: ignore[misc]
    """A classification tree.

    `recipe` is a name, a file or a Recipe. Additional parameters: `missing` (the strategy for missing values), `unseen`
    (for levels not seen in training: "as_missing", "majority", "stay" or "error"), `prune` (a pruning; False for none),
    `searches` (the candidate splits), `priors` (class probabilities to assume), `costs` (`costs[truth][predicted]`, or
    a matrix in the order of `classes_`), `n_jobs` (threads).
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
        categorical_features: Any = "from_dtype",
        priors: Any = None,
        costs: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self._store_parameters(locals())

    def _by_class(self, classes: tuple[Any, ...]) -> dict[str, Any]:
        return {
            "class_weight": by_label("class_weight", self.class_weight, classes),
            "priors": by_label("priors", self.priors, classes),
            "costs": costs_by_label(self.costs, classes),
        }


class TreeRegressor(PredictsNumbers, RegressorMixin, _Tree):  # type: ignore[misc]
    """A regression tree.

    `recipe` is a name, a file or a Recipe. Additional parameters: `missing` (the strategy for missing values), `unseen`
    (for levels not seen in training: "as_missing", "majority", "stay" or "error"), `prune` (a pruning; False for none),
    `searches` (the candidate splits), `n_jobs` (threads).
    """


def unfitted_tree(owner: Any, *, is_class: bool) -> TreeClassifier | TreeRegressor:
    """An estimator of one tree with the parameters that an ensemble shares with it."""
    kind = TreeClassifier if is_class else TreeRegressor
    shared = owner.get_params(deep=False)
    return kind(**{name: shared[name] for name in kind._get_param_names() if name in shared})


def tree_estimator(owner: Any, tree: Tree) -> TreeClassifier | TreeRegressor:
    """A tree of a fitted ensemble as a fitted estimator."""
    estimator = unfitted_tree(owner, is_class=tree.is_class)
    fitted: dict[str, Any] = {"tree_": with_sklearn_names(tree), "n_features_in_": len(tree.schema.columns)}
    fitted["n_outputs_"] = 1
    fitted["max_features_"] = n_sampled_columns(tree.recipe.get("max_features"), len(tree.schema.columns))
    shared = ("classes_", "n_classes_", "feature_names_in_") if tree.is_class else ("feature_names_in_",)
    fitted.update({name: getattr(owner, name) for name in shared if hasattr(owner, name)})
    estimator.__dict__.update(fitted)
    return estimator
