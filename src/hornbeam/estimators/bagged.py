"""Bagged trees as scikit-learn estimators: the whole recipe, including its pruning, on a sample of the rows per tree.

BaggedClassifier("cart", n_estimators=50)
"""

from __future__ import annotations

from typing import Any

from sklearn.base import ClassifierMixin, RegressorMixin

from hornbeam.ensembles.honest import Honesty
from hornbeam.ensembles.out_of_bag import OutOfBag
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.estimators.fitted import PredictsClasses, PredictsNumbers
from hornbeam.estimators.forests import BaseForest, ForestRegressor, sample_fraction
from hornbeam.estimators.settings import recipe_of
from hornbeam.recipes.recipe import Recipe
from hornbeam.table.table import Table


class _Bagged(BaseForest):
    """The common base of bagged trees: rows sampled per tree, all else by the recipe."""

    def __init__(
        self,
        recipe: Any = "plain",
        n_estimators: int = 10,
        *,
        max_samples: int | float = 1.0,
        bootstrap: bool = True,
        oob_score: bool = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        combine: str = "mean",
    ) -> None:
        self._store_parameters(locals())

    def _recipe(self, table: Table) -> Recipe:
        return self._recipe_for((), None)

    def _recipe_for(self, classes: tuple[Any, ...], n_rows: int | None, **changes: Any) -> Recipe:
        return recipe_of({"recipe": self.recipe}, "number" if self._target_kind == "numeric" else "class")

    def _sampling(self, n_rows: int) -> RowSampling:
        return RowSampling(with_replacement=bool(self.bootstrap), fraction=sample_fraction(self.max_samples, n_rows))

    def _honesty(self) -> Honesty | None:
        return None


class BaggedClassifier(PredictsClasses, ClassifierMixin, _Bagged):  # type: ignore[misc]
    """Bagged classification trees: `recipe`, including its pruning, on a sample of the rows per tree."""

    def _oob_attributes(self, result: OutOfBag) -> dict[str, Any]:
        return {"oob_score_": 1.0 - result.error, "oob_decision_function_": result.values}


class BaggedRegressor(PredictsNumbers, RegressorMixin, _Bagged):  # type: ignore[misc]
    """Bagged regression trees: `recipe`, including its pruning, on a sample of the rows per tree."""

    _oob_attributes = ForestRegressor._oob_attributes
