"""Random forests and extra trees as scikit-learn estimators.

    ForestClassifier(200, oob_score=True).fit(frame, y).oob_score_          ExtraTreesRegressor(n_jobs=-1)

Parameters with scikit-learn's names have scikit-learn's meaning; parameters of one tree that are None follow the
recipe. Every criterion, search and strategy for missing values is available. If `fit` fails, the estimator keeps its
state. The same data and parameters give the same forest for any `n_jobs`; `random_state=None` is the recipe's seed.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin

from hornbeam.ensembles.forest import grow_forest
from hornbeam.ensembles.honest import Honesty
from hornbeam.ensembles.members import check_tree_count
from hornbeam.ensembles.methods.bagging import Bagging
from hornbeam.ensembles.out_of_bag import OutOfBag, out_of_bag
from hornbeam.ensembles.progress import TimedProgress
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.errors import OptionError, Set, short_repr
from hornbeam.estimators.classes import by_label
from hornbeam.estimators.files import is_elsewhere, kind_of, known_classes, refuse_with_files
from hornbeam.estimators.fitted import PredictsClasses, PredictsNumbers
from hornbeam.estimators.many import EnsembleEstimator
from hornbeam.estimators.samples import rows_of_sample, sampled_from
from hornbeam.estimators.settings import checked_fraction, n_rows_of_fraction, recipe_of, threads_of
from hornbeam.estimators.wording import translate_parameters
from hornbeam.growing.column_sampling import n_sampled_columns
from hornbeam.options import is_integer, is_real
from hornbeam.recipes.forests import bag
from hornbeam.recipes.grow_files import grow_files
from hornbeam.recipes.recipe import Recipe
from hornbeam.seeds import as_seed
from hornbeam.table.divide import divide
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest

_TREE_PARAMETERS = (
    "recipe",
    "criterion",
    "max_depth",
    "max_leaf_nodes",
    "min_impurity_decrease",
    "ccp_alpha",
    "missing",
    "unseen",
    "searches",
)


class BaseForest(EnsembleEstimator):
    """The common base of all forests."""

    _uses_random_cuts: ClassVar[bool] = False
    sampling: RowSampling | None
    honest: bool | Honesty

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        recipe: Any = "plain",
        criterion: Any = None,
        max_depth: int | None = None,
        min_samples_split: int | float | None = None,
        min_samples_leaf: int | float | None = None,
        min_weight_fraction_leaf: float | None = None,
        max_features: int | float | str | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = None,
        bootstrap: bool | None = None,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float | None = None,
        max_samples: int | float | None = None,
        missing: Any = None,
        unseen: str | None = None,
        searches: Any = None,
        categorical_features: Any = "from_dtype",
        sampling: RowSampling | None = None,
        combine: str = "mean",
        honest: bool | Honesty = False,
    ) -> None:
        self._store_parameters(locals())

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        memory: str | int | None = None,
        client: Any = None,
    ) -> Self:
        """Grow the forest; with `warm_start` only the additional trees.

        With `groups` (one value per row), the samples of the trees are whole groups, and so are the out-of-bag rows.
        scikit-learn's tools pass them on after `set_fit_request(groups=True)`.

        X may be files ("data/*.parquet"), an Arrow stream or a `hornbeam.scale.Dataset`; y is the name of the target
        column then, and `sample_weight` that of the weights. With `memory` ("2GB") they need not fit into memory: the
        samples of the trees are by a hash of the row. Dask collections X and y are fitted by the workers of the
        `client`, or of the default client.
        """
        if is_elsewhere(X, memory, client):
            resources = {"memory": memory, "client": client}
            return self._fit_files(X, y, sample_weight, groups, resources)
        table = divide(self._table(X, y, sample_weight), groups=groups)
        recipe = self._recipe(table)
        sampling = self._sampling(len(table))
        continue_from = self.__dict__.get("forest_") if self.warm_start else None
        if continue_from is not None and self.n_estimators == len(continue_from):
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.", UserWarning, stacklevel=2
            )
        forest = self._grow(table, recipe, sampling, continue_from)
        attributes: dict[str, Any] = {"max_features_": n_sampled_columns(recipe.max_features, len(table.columns))}
        attributes["_sampled_from"] = sampled_from(forest, table, sampling)
        if self.oob_score:
            attributes.update(self._out_of_bag(forest, table))
        return self._store_forest(forest, X, y, attributes)

    @property
    def estimators_samples_(self) -> list[npt.NDArray[np.int32]]:
        """The rows in the sample of each tree, a row that was sampled m times m times."""
        forest: Forest = self._fitted()
        return [rows_of_sample(self._sampled_from, forest, tree) for tree in range(len(forest))]

    def _fit_files(self, X: Any, y: Any, sample_weight: Any, groups: Any, resources: dict[str, Any]) -> Self:
        """Grow the forest from rows that need not fit into memory."""
        unsupported = {"groups": groups, "oob_score": self.oob_score, "warm_start": self.warm_start}
        unsupported["honest"] = self._honesty()
        unsupported["min_weight_fraction_leaf"] = getattr(self, "min_weight_fraction_leaf", None)
        refuse_with_files(X, **unsupported)
        if self._rebalances_classes():
            raise OptionError(
                f"class_weight='balanced_subsample' requires rows in memory, but X is {kind_of(X)}.",
                fix=Set("class_weight", "balanced"),
                option="class_weight",
            )
        first = self._ensemble_recipe((), None)
        seed = first.seed if self.random_state is None else as_seed(self.random_state)
        forest = grow_files(
            self._dataset(X, y, sample_weight),
            first,
            seed=seed,
            threads=threads_of(self.n_jobs),
            refine=lambda files: self._ensemble_recipe(known_classes(X, files), files.plan.n_rows),
            report=(lambda text: print(text, file=sys.stderr)) if self.verbose else None,
            **resources,
        )
        assert isinstance(forest, Forest)
        features = n_sampled_columns(forest.trees[0].recipe.get("max_features"), len(forest.schema.columns))
        return self._store_forest(forest, X, y, {"max_features_": features})

    def _ensemble_recipe(self, classes: tuple[Any, ...], n_rows: int | None) -> Recipe:
        """The recipe of the forest; without what depends on classes and rows if the number of rows is unknown."""
        with translate_parameters({"n_trees": "n_estimators"}):
            check_tree_count(self.n_estimators)
            sampling = RowSampling() if n_rows is None else self._sampling(n_rows)
            ensemble = Bagging(n_trees=self.n_estimators, sampling=sampling, combine=self.combine)
        return self._recipe_for(classes, n_rows).with_changes(ensemble=ensemble)

    def _by_class(self, classes: tuple[Any, ...]) -> dict[str, Any]:
        return {}

    def _recipe_for(self, classes: tuple[Any, ...], n_rows: int | None, **changes: Any) -> Recipe:
        """The recipe of one tree; without those per class or per number of rows if the number is unknown."""
        parameters = {name: getattr(self, name) for name in _TREE_PARAMETERS if hasattr(self, name)}
        parameters["max_features"] = self.max_features
        if n_rows is not None:
            parameters.update(self._by_class(classes))
            for name, minimum in (("min_samples_split", 2), ("min_samples_leaf", 1)):
                if getattr(self, name) is not None:
                    parameters[name] = n_rows_of_fraction(name, getattr(self, name), n_rows, minimum)
        if self._uses_random_cuts and self.searches is None:
            parameters["searches"] = "random_cuts"
        return recipe_of({**parameters, **changes}, "number" if self._target_kind == "numeric" else "class")

    def _recipe(self, table: Table) -> Recipe:
        changes = {}
        if self.min_weight_fraction_leaf is not None:
            fraction = checked_fraction("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
            weight = float(len(table) if table.weights is None else table.weights.sum())
            changes["min_weight_leaf"] = fraction * weight
        return self._recipe_for(table.target.levels if table.target is not None else (), len(table), **changes)

    def _sampling(self, n_rows: int) -> RowSampling:
        bootstrap = not self._uses_random_cuts if self.bootstrap is None else self.bootstrap
        if self.sampling is not None:
            return self.sampling
        if not bootstrap:
            if self.max_samples is not None:
                raise OptionError(
                    "max_samples requires bootstrap=True.",
                    fix=(
                        Set("bootstrap", True),
                        Set("sampling", purpose="with RowSampling(with_replacement=False, fraction=...)"),
                    ),
                )
            return RowSampling(method="none")
        return RowSampling(fraction=sample_fraction(self.max_samples, n_rows))

    def _grow(self, table: Table, recipe: Recipe, sampling: RowSampling, continue_from: Forest | None) -> Forest:
        seed = recipe.seed if self.random_state is None else as_seed(self.random_state)
        with translate_parameters({"n_trees": "n_estimators"}):
            check_tree_count(self.n_estimators)
        settings: dict[str, Any] = {
            "n_trees": self.n_estimators,
            "sampling": sampling,
            "combine": self.combine,
            "seed": seed if continue_from is None else continue_from.metadata["seed"],
            "threads": threads_of(self.n_jobs),
            "progress": self._progress(0 if continue_from is None else len(continue_from)),
            "continue_from": continue_from,
        }
        with translate_parameters({"n_trees": "n_estimators"}):
            if recipe.pruning is not None:
                return bag(table, recipe, **settings)
            return grow_forest(table, recipe, honest=self._honesty(), rebalance=self._rebalances_classes(), **settings)

    def _honesty(self) -> Honesty | None:
        if isinstance(self.honest, bool):
            return Honesty() if self.honest else None
        return self.honest

    def _rebalances_classes(self) -> bool:
        return False

    def _progress(self, first: int) -> TimedProgress | None:
        if not self.verbose:
            return None
        return TimedProgress(self.n_estimators, lambda text: print(text, file=sys.stderr), first=first)

    def _out_of_bag(self, forest: Forest, table: Table) -> dict[str, Any]:
        """The out-of-bag attributes of scikit-learn, and `out_of_bag_` with all results."""
        if forest.metadata["sampling"]["method"] == "none":
            raise OptionError("oob_score requires out-of-bag rows.", fix=Set("bootstrap", True), option="oob_score")
        result = out_of_bag(forest, table, threads=threads_of(self.n_jobs))
        if result.n_left_out:
            warnings.warn(
                f"Some inputs do not have OOB scores: {result.n_left_out} of {len(result.target)} rows are in the "
                "sample of every tree. Grow more trees (n_estimators).",
                UserWarning,
                stacklevel=4,
            )
        return {"out_of_bag_": result, **self._oob_attributes(result)}

    def _oob_attributes(self, result: OutOfBag) -> dict[str, Any]:
        raise NotImplementedError


class ForestClassifier(PredictsClasses, ClassifierMixin, BaseForest):  # type: ignore[misc]
    """A random forest of classification trees: rows sampled per tree, columns sampled per node.

    Additional parameters: `recipe` (of one tree), `missing`, `unseen` (for levels not seen in training), `searches`,
    `sampling` (stratified or balanced samples, samples without replacement), `combine` ("mean" of probabilities or
    "vote"), `honest` (separate rows choose splits and compute predictions). `bootstrap=None` means True.
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        recipe: Any = "plain",
        criterion: Any = None,
        max_depth: int | None = None,
        min_samples_split: int | float | None = None,
        min_samples_leaf: int | float | None = None,
        min_weight_fraction_leaf: float | None = None,
        max_features: int | float | str | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = None,
        bootstrap: bool | None = None,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        ccp_alpha: float | None = None,
        max_samples: int | float | None = None,
        missing: Any = None,
        unseen: str | None = None,
        searches: Any = None,
        categorical_features: Any = "from_dtype",
        sampling: RowSampling | None = None,
        combine: str = "mean",
        honest: bool | Honesty = False,
    ) -> None:
        self._store_parameters(locals())

    def _by_class(self, classes: tuple[Any, ...]) -> dict[str, Any]:
        given = None if self._rebalances_classes() else self.class_weight
        return {"class_weight": by_label("class_weight", given, classes)}

    def _rebalances_classes(self) -> bool:
        return isinstance(self.class_weight, str) and self.class_weight == "balanced_subsample"

    def _oob_attributes(self, result: OutOfBag) -> dict[str, Any]:
        return {"oob_score_": 1.0 - result.error, "oob_decision_function_": result.values}


class ForestRegressor(PredictsNumbers, RegressorMixin, BaseForest):  # type: ignore[misc]
    """A random forest of regression trees; all columns compete at a node unless `max_features` limits them.

    Additional parameters: `recipe`, `missing`, `unseen`, `searches`, `sampling`, `honest`. `bootstrap=None` means True.
    """

    def _oob_attributes(self, result: OutOfBag) -> dict[str, Any]:
        weights, seen = result.weights[result.has_prediction], result.target[result.has_prediction]
        mean = np.average(seen, weights=weights) if len(seen) else np.nan
        spread = float(np.average((seen - mean) ** 2, weights=weights)) if len(seen) else np.nan
        score = 1.0 - result.error / spread if spread > 0 else np.nan
        return {"oob_score_": score, "oob_prediction_": result.values[:, 0]}


class ExtraTreesClassifier(ForestClassifier):
    """Extremely randomized trees: all rows, columns sampled per node, one random cut of each.

    The parameters are those of ForestClassifier; `bootstrap=None` means False.
    """

    _uses_random_cuts = True


class ExtraTreesRegressor(ForestRegressor):
    """Extremely randomized regression trees: all rows, one random cut of each column that competes.

    The parameters are those of ForestRegressor; `bootstrap=None` means False.
    """

    _uses_random_cuts = True


def sample_fraction(given: Any, n_rows: int) -> float:
    """The number of sampled rows as a fraction, from None (all), a number of rows, or a fraction."""
    if given is None:
        return 1.0
    if is_integer(given) and 1 <= given <= n_rows:
        return float(given) / n_rows
    if not is_integer(given) and is_real(given) and 0 < given <= 1:
        return float(given)
    raise OptionError(
        f"max_samples must be an integer between 1 and {n_rows} (rows) or a fraction, got {short_repr(given)}.",
        option="max_samples",
        got=given,
    )
