"""Which recipe do an estimator's parameters mean?  scikit-learn's names become parts; what is None follows the recipe.

    max_depth                depth.at_most              max_leaf_nodes          max_leaves.leaves, best-first
    min_samples_split        min_split.rows             min_impurity_decrease   min_decrease.least
    min_samples_leaf         min_leaf.rows              splitter="random"       the search random_cuts
    min_weight_fraction_leaf min_leaf.weight            costs                   the loss cost_matrix

Shares count as scikit-learn counts them: ceil(share * rows), at least 2 to split. The same parameters on tables of the
same size are turned into a recipe once.
"""

from __future__ import annotations

import functools
import math
import os
import re
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
_CALLED = {"log_loss": "entropy"}
# The loss whose best answer a criterion measures, where it is not the one that follows from the target.
_LOSSES = {"absolute_error": "absolute"}


def recipe_of(wishes: Mapping[str, Any], target: str) -> Recipe:
    """The recipe for a target (class or number) that wishes make of theirs: parameters, shares already counted."""
    given = {name: value for name, value in wishes.items() if value is not None}
    given["target"] = target
    is_file = isinstance(given["recipe"], str) and given["recipe"].endswith(".toml")
    if is_file or not isinstance(given["recipe"], (str, Recipe)):
        return _made(**given)  # a file may have changed since
    try:
        hash(tuple(given.values()))
    except TypeError:
        return _made(**given)
    return _made_once(**given)


def _made(**wishes: Any) -> Recipe:
    base = recipe(wishes["recipe"]).require_single_tree()
    as_given = ("priors", "class_weight", "missing", "unseen")
    changes: dict[str, Any] = {name: wishes[name] for name in as_given if name in wishes}
    if "max_features" in wishes:
        changes["max_features"] = _plain_number(wishes["max_features"])
    if "criterion" in wishes:
        changes["criterion"] = _criterion(wishes["criterion"])
        if base.loss is None and changes["criterion"].name in _LOSSES:
            changes["loss"] = _LOSSES[changes["criterion"].name]
    if "costs" in wishes:
        changes["loss"] = {"name": "cost_matrix", "costs": wishes["costs"]}
    if "max_leaf_nodes" in wishes:
        changes["order"] = "best_first"
    changes.update(_searches(wishes))
    changes.update(_pruning(wishes))
    found = _stops(base, wishes)
    if found:
        changes["stops"] = found
    return (base.with_changes(**changes) if changes else base).for_target(wishes["target"])


_made_once = functools.lru_cache(maxsize=128, typed=True)(_made)


def _criterion(wanted: Any) -> Any:
    if isinstance(wanted, str) and wanted == "friedman_mse":
        raise OptionError(
            "criterion 'friedman_mse' is not offered.",
            fix=Set("criterion", "squared_error"),
            hint="It grows the same trees, except that it weights unequal branches differently.",
            option="criterion",
        )
    return criteria.part(_CALLED.get(wanted, wanted) if isinstance(wanted, str) else wanted)


def _searches(wishes: Mapping[str, Any]) -> dict[str, Any]:
    splitter = wishes.get("splitter", "best")
    if not isinstance(splitter, str) or splitter not in ("best", "random"):
        raise OptionError(
            f"splitter must be best or random; got {short_repr(splitter)}.", option="splitter", got=splitter
        )
    if splitter == "random":
        if "searches" in wishes:
            raise OptionError("searches and splitter='random' exclude each other.", hint="Omit one of them.")
        return {"searches": "random_cuts"}
    return {"searches": wishes["searches"]} if "searches" in wishes else {}


def _pruning(wishes: Mapping[str, Any]) -> dict[str, Any]:
    prune, alpha = wishes.get("prune"), wishes.get("ccp_alpha")
    if prune is not None and alpha is not None:
        raise OptionError("prune and ccp_alpha exclude each other.", hint="Pass None for one of them.", option="prune")
    if alpha is not None:
        checked = _named("ccp_alpha", CostComplexity, alpha=alpha, measure="impurity")
        return {"pruning": checked if alpha > 0 else None}
    if prune is not None:
        return {"pruning": None if prune is False else prunings.part(prune)}
    return {}


def _stops(base: Method, wishes: Mapping[str, Any]) -> list[Any]:
    """The stops that parameters ask for, with the recipe's other settings of the same stops kept."""
    found = {stop.name: stop for stop in base.stops}
    changed = []
    for parameter, (name, setting) in _STOPS.items():
        if parameter in wishes:
            make = found[name].replace if name in found else stops.part_class(name)
            found[name] = _named(parameter, make, **{setting: wishes[parameter]})
            changed.append(name)
    return [found[name] for name in dict.fromkeys(changed)]


def _named(parameter: str, make: Any, **settings: Any) -> Any:
    """A part, or its error under the parameter's name."""
    try:
        return make(**settings)
    except OptionError as error:
        metadata = {**error.details, "option": parameter}
        # "Depth.at_most must lie ..." is said of the parameter.
        message = re.sub(r"^\w+\.\w+(?= )", parameter, error.message)
        message = message if message.startswith(parameter) else f"{parameter}: {message}"
        raise OptionError(message, **error.remedy, **metadata) from None


def n_rows_of_fraction(parameter: str, given: Any, n_rows: int, least: int) -> Any:
    """How many rows a parameter means: a whole number as it is, a share of the rows rounded up."""
    if is_integer(given) or not is_real(given):
        if is_integer(given) and given < least:
            raise OptionError(
                f"{parameter} must be a whole number of at least {least} or a share of the rows; got {given}.",
                option=parameter,
                got=given,
            )
        return given
    if not 0 < given <= 1:
        raise OptionError(
            f"{parameter} must be a whole number or a share of the rows above 0 and at most 1; got {short_repr(given)}.",
            option=parameter,
            got=given,
        )
    return max(least, math.ceil(given * n_rows))


def checked_fraction(parameter: str, given: Any) -> float:
    """A share of the weight between 0 and a half."""
    if not is_real(given) or not 0 <= given <= 0.5:
        raise OptionError(
            f"{parameter} must lie between 0 and 0.5; got {short_repr(given)}.", option=parameter, got=given
        )
    return float(given)


def threads_of(n_jobs: Any) -> int:
    """How many threads n_jobs means: one for None, all for -1, all but one for -2; never more than there are."""
    if n_jobs is None:
        return 1
    if not is_integer(n_jobs) or n_jobs == 0:
        raise OptionError(
            f"n_jobs must be a whole number other than 0, or none for one thread; got {short_repr(n_jobs)}.",
            fix=Set("n_jobs", -1, "to use all threads"),
            option="n_jobs",
            got=n_jobs,
        )
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(int(n_jobs), there) if n_jobs > 0 else max(1, there + 1 + int(n_jobs))


def _plain_number(given: Any) -> Any:
    """A number without NumPy's type, so that a recipe can be written to a file."""
    return given.item() if hasattr(given, "item") else given
