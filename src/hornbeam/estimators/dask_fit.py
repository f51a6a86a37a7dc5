"""Fits estimators to Dask collections X and y: the workers of the cluster grow the model (`hornbeam.scale`).

The parameters are those of a table in memory. What needs the rows in this process is an error.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.ensembles.methods.base import EnsembleMethod
from hornbeam.errors import InputError, OptionError
from hornbeam.estimators.categories import categorical_kinds
from hornbeam.estimators.rows import names_of
from hornbeam.estimators.settings import threads_of
from hornbeam.recipes.grow_files import CLUSTER_MEMORY, grow_files
from hornbeam.recipes.recipe import Recipe
from hornbeam.scale.dask_collections import DaskRows
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.prepare import PreparedFiles
from hornbeam.seeds import as_seed

_BY_CLASS = ("class_weight", "priors", "costs")


@dataclasses.dataclass(frozen=True)
class _Target:
    levels: tuple[Any, ...]


class _Facts:
    """What the parameters of an estimator depend on, of a table whose rows are elsewhere."""

    def __init__(self, files: PreparedFiles | None) -> None:
        self._n_rows = 1 if files is None else files.plan.n_rows + files.plan.n_held_out
        self.target = _Target(() if files is None else files.plan.target.spec.levels)
        weight = 1.0 if files is None else files.plan.total_weight
        self.weights = self.row_weights = np.array([weight])

    def __len__(self) -> int:
        return self._n_rows


def model_of_collections(
    estimator: Any,
    rows: tuple[Any, Any, Any],
    client: Any,
    ensemble: Callable[[int], EnsembleMethod] | None = None,
) -> Any:
    """The model of an estimator for X, y and weights; `ensemble` gives that of a number of rows."""
    X, _, _ = rows
    data = DaskRows.of(*rows)
    kinds: dict[str, Any] = dict(
        categorical_kinds(getattr(estimator, "categorical_features", None), X, names_of(X)) or {}
    )
    kinds[data.target] = estimator._target_kind
    dataset = Dataset(data, data.target, kinds=kinds, weights=data.weights, keep_ids=True)
    if getattr(estimator, "min_weight_fraction_leaf", None) and getattr(estimator, "class_weight", None) is not None:
        raise OptionError(
            "min_weight_fraction_leaf cannot be combined with class_weight for Dask collections.",
            hint="Pass min_samples_leaf instead.",
            option="min_weight_fraction_leaf",
        )

    def recipe_for(files: PreparedFiles) -> Recipe:
        if any("missing target" in str(note) for note in files.plan.notes):
            raise InputError("y contains missing values.", hint="Omit these rows.")
        return _recipe(estimator, files, ensemble)

    without_classes = copy.copy(estimator)
    without_classes.__dict__.update({name: None for name in _BY_CLASS if hasattr(estimator, name)})
    recipe = _recipe(without_classes, None, ensemble)
    seed = None if estimator.random_state is None else as_seed(estimator.random_state)
    settings = {"seed": seed, "threads": threads_of(estimator.n_jobs), "client": client}
    return grow_files(dataset, recipe, memory=CLUSTER_MEMORY, recipe_for=recipe_for, **settings)


def refuse(**given: Any) -> None:
    """Raise an error for an argument of `fit` or a parameter that needs the rows in this process."""
    for name, value in given.items():
        if value is not None and value is not False:
            raise OptionError(
                f"{name} cannot be used with Dask collections.",
                hint="Omit it, or compute the collections into memory.",
                option=name,
            )


def _recipe(estimator: Any, files: PreparedFiles | None, ensemble: Callable[[int], EnsembleMethod] | None) -> Recipe:
    facts = _Facts(files)
    found: Recipe = estimator._recipe(facts)
    return found if ensemble is None else found.with_changes(ensemble=ensemble(len(facts)))
