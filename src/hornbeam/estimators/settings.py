"""Converts the parameters of an estimator to a recipe; parameters that are None follow the base recipe.

    max_depth                max_depth.depth            max_leaf_nodes          max_leaves.leaves, best-first
    min_samples_split        min_split.rows             min_impurity_decrease   min_decrease.least
    min_samples_leaf         min_leaf.rows              splitter="random"       the search random_cuts
    min_weight_fraction_leaf min_leaf.weight            costs                   the loss cost_matrix

Fractions are rounded as in scikit-learn: ceil(fraction * rows), at least 2 to split. The recipe of the same parameters
and table size is cached.
"""

from __future__ import annotations

import functools
import math
import os
import re
import warnings
from collections.abc import Mapping
from typing import Any

from hornbeam.errors import OptionError, Set, short_repr
from hornbeam.growing.method import Method
from hornbeam.options import is_integer, is_real
from hornbeam.parts.criteria import criteria
from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.cost_complexity import CostComplexity
from hornbeam.parts.stops import stops
from hornbeam.recipes.recipe import Recipe, recipe

_STOPS = {
    "max_depth": ("max_depth", "depth"),
    "min_samples_split": ("min_split", "rows"),
    "min_samples_leaf": ("min_leaf", "rows"),
    "min_weight_leaf": ("min_leaf", "weight"),
    "max_leaf_nodes": ("max_leaves", "leaves"),
    "min_impurity_decrease": ("min_decrease", "decrease"),
}
_CRITERION_NAMES = {"log_loss": "entropy"}
# The loss of a criterion, if it differs from the default loss of the target type.
_LOSSES = {"absolute_error": "absolute"}


def recipe_of(parameters: Mapping[str, Any], target: str) -> Recipe:
    """The recipe of an estimator's parameters for a target (class or number); fractions are row counts already."""
    given = {name: value for name, value in parameters.items() if value is not None}
    given["target"] = target
    is_file = isinstance(given["recipe"], str) and given["recipe"].endswith(".toml")
    if is_file or not isinstance(given["recipe"], (str, Recipe)):
        return _build_recipe(**given)  # the file may have changed
    try:
        hash(tuple(given.values()))
    except TypeError:
        return _build_recipe(**given)
    return _cached_recipe(**given)


def _build_recipe(**parameters: Any) -> Recipe:
    base = recipe(parameters["recipe"]).require_single_tree().with_target(parameters["target"])
    unchanged = ("priors", "class_weight", "missing", "unseen")
    changes: dict[str, Any] = {name: parameters[name] for name in unchanged if name in parameters}
    if "max_features" in parameters:
        changes["max_features"] = _python_number(parameters["max_features"])
    if "criterion" in parameters:
        changes["criterion"] = _criterion(parameters["criterion"])
        if base.loss is None and changes["criterion"].name in _LOSSES:
            changes["loss"] = _LOSSES[changes["criterion"].name]
    if "costs" in parameters:
        changes["loss"] = {"name": "cost_matrix", "costs": parameters["costs"]}
    if "max_leaf_nodes" in parameters:
        changes["order"] = "best_first"
    changes.update(_searches(parameters))
    changes.update(_pruning(parameters))
    if parameters["recipe"] == "plain" and _learns_branches(parameters):
        changes["missing"] = "learned"
    stops_given = _stops(base, parameters)
    if stops_given:
        changes["stops"] = stops_given
    return (base.with_changes(**changes) if changes else base).for_target(parameters["target"])


_cached_recipe = functools.lru_cache(maxsize=128, typed=True)(_build_recipe)


def _criterion(given: Any) -> Any:
    if isinstance(given, str) and given == "friedman_mse":
        warnings.warn(
            "criterion 'friedman_mse' is deprecated in scikit-learn; 'squared_error' is used instead.",
            FutureWarning,
            stacklevel=6,
        )
        given = "squared_error"
    return criteria.part(_CRITERION_NAMES.get(given, given) if isinstance(given, str) else given)


def _learns_branches(parameters: Mapping[str, Any]) -> bool:
    """Whether a branch for missing values is learned by default, as in scikit-learn; not of random cuts or medians."""
    is_usual = not {"missing", "searches"} & parameters.keys() and parameters.get("splitter", "best") == "best"
    return is_usual and parameters.get("criterion") != "absolute_error"


def _searches(parameters: Mapping[str, Any]) -> dict[str, Any]:
    splitter = parameters.get("splitter", "best")
    if not isinstance(splitter, str) or splitter not in ("best", "random"):
        raise OptionError(
            f"splitter must be best or random, got {short_repr(splitter)}.", option="splitter", got=splitter
        )
    if splitter == "random":
        if "searches" in parameters:
            raise OptionError("searches and splitter='random' cannot be combined.", hint="Omit one of them.")
        return {"searches": "random_cuts"}
    return {"searches": parameters["searches"]} if "searches" in parameters else {}


def _pruning(parameters: Mapping[str, Any]) -> dict[str, Any]:
    prune, alpha = parameters.get("prune"), parameters.get("ccp_alpha")
    if prune is not None and alpha is not None:
        raise OptionError("prune and ccp_alpha cannot be combined.", hint="Pass None for one of them.", option="prune")
    if alpha is not None:
        checked = _renamed_error("ccp_alpha", CostComplexity, alpha=alpha, measure="impurity")
        return {"pruning": checked if alpha > 0 else None}
    if prune is not None:
        return {"pruning": None if prune is False else prunings.part(prune)}
    return {}


def _stops(base: Method, parameters: Mapping[str, Any]) -> list[Any]:
    """The stops that the parameters set; other settings of these stops are those of the recipe."""
    found = {stop.name: stop for stop in base.stops}
    changed = []
    for parameter, (name, setting) in _STOPS.items():
        if parameter in parameters:
            make = found[name].replace if name in found else stops.part_class(name)
            found[name] = _renamed_error(parameter, make, **{setting: parameters[parameter]})
            changed.append(name)
    return [found[name] for name in dict.fromkeys(changed)]


def _renamed_error(parameter: str, make: Any, **settings: Any) -> Any:
    """A part; an error is raised under the name of the parameter."""
    try:
        return make(**settings)
    except OptionError as error:
        metadata = {**error.details, "option": parameter}
        # "MaxDepth.depth must be ..." becomes "max_depth must be ...".
        message = re.sub(r"^\w+\.\w+(?= )", parameter, error.message)
        message = message if message.startswith(parameter) else f"{parameter}: {message}"
        raise OptionError(message, **error.remedy, **metadata) from None


def n_rows_of_fraction(parameter: str, given: Any, n_rows: int, minimum: int) -> Any:
    """The number of rows of a parameter: an integer unchanged, a fraction of the rows rounded up."""
    if is_integer(given) or not is_real(given):
        if is_integer(given) and given < minimum:
            raise OptionError(
                f"{parameter} must be an integer of at least {minimum} or a fraction of the rows, got {given}.",
                option=parameter,
                got=given,
            )
        return given
    if not 0 < given <= 1:
        raise OptionError(
            f"{parameter} must be an integer, or a fraction above 0 and at most 1, got {short_repr(given)}.",
            option=parameter,
            got=given,
        )
    return max(minimum, math.ceil(given * n_rows))


def checked_fraction(parameter: str, given: Any) -> float:
    """A fraction between 0 and 0.5."""
    if not is_real(given) or not 0 <= given <= 0.5:
        raise OptionError(
            f"{parameter} must be between 0 and 0.5, got {short_repr(given)}.", option=parameter, got=given
        )
    return float(given)


def threads_of(n_jobs: Any) -> int:
    """The number of threads of n_jobs: 1 for None, all for -1, all but one for -2; never more than available."""
    if n_jobs is None:
        return 1
    if not is_integer(n_jobs) or n_jobs == 0:
        raise OptionError(
            f"n_jobs must be None or an integer other than 0, got {short_repr(n_jobs)}.",
            fix=Set("n_jobs", -1, "to use all threads"),
            option="n_jobs",
            got=n_jobs,
        )
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(int(n_jobs), available) if n_jobs > 0 else max(1, available + 1 + int(n_jobs))


def _python_number(given: Any) -> Any:
    """A Python number, so that the recipe can be written to a file."""
    return given.item() if hasattr(given, "item") else given
