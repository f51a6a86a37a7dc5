"""Converts the recipes of older model files: parts and settings that have other names since then.

`upgrade_recipe` converts those of format 1.0. `rename_by` converts a part of format 1.1 that was written before the
setting `by` became `method`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PARTS = {
    "by_hand": "manual",
    "depth": "max_depth",
    "each_value": "multiway",
    "fill": "impute",
    "given": "custom_questions",
    "of_loss": "loss_decrease",
    "one_value": "level_vs_rest",
    "user": "custom",
}
RECIPE_SETTINGS = {"admits_zero": "allow_zero_gain", "price": "split_penalty"}
SAMPLING = {"by": "method", "replace": "with_replacement", "share": "fraction"}
PART_SETTINGS = {  # by the present name of the part
    "adaboost": {"trees": "n_trees", "rate": "learning_rate", "way": "algorithm"},
    "bagging": {"trees": "n_trees"},
    "boosting": {
        "rounds": "n_rounds",
        "rate": "learning_rate",
        "depth": "max_depth",
        "leaves": "max_leaves",
        "held_out": "validation_fraction",
        "patience": "early_stopping_rounds",
        "least": "min_improvement",
        "monotone": "monotone_constraints",
        "together": "interaction_constraints",
    },
    "c45": {"by": "method"},
    "conditional_inference": {"tries": "max_columns"},
    "critical_value": {"at_least": "threshold"},
    "forest": {"trees": "n_trees"},
    "impute": {"by": "method"},
    "intervals": {"by": "method", "most": "max_intervals"},
    "level_vs_rest": {"by": "method"},
    "many_levels": {"toll": "penalize_sets"},
    "max_depth": {"at_most": "depth"},
    "max_leaves": {"at_most": "leaves"},
    "max_nodes": {"at_most": "nodes"},
    "min_decrease": {"least": "decrease"},
    "multiway": {"admits_zero": "allow_zero_gain"},
    "permutation_test": {"enough": "max_exceedances"},
    "random_subsets": {"tries": "n_sets"},
    "sorted_cuts": {"least": "min_size"},
    "sparse_planes": {"at_least": "min_directions", "at_most": "max_directions"},
    "superclasses": {"judge": "method"},
    "surrogates": {"at_most": "max_surrogates", "by": "method"},
}
HAD_BY = ("c45", "impute", "intervals", "level_vs_rest", "superclasses", "surrogates")
VALUES = {("sorted_cuts", "min_size", "plain"): "min_leaf"}
_SINGLE = ("criterion", "missing", "order", "loss", "pruning", "ensemble")
_LISTS = ("searches", "stops")


def upgrade_recipe(recipe: Any) -> Any:
    """A recipe, or the settings of a boosted model, with the present names; values of the wrong type stay."""
    if not isinstance(recipe, dict):
        return recipe
    settings = PART_SETTINGS["boosting"] if recipe.get("name") == "boosting" else {}
    upgraded = rename_keys(recipe, {**RECIPE_SETTINGS, **settings})
    if upgraded.get("name") == "notes":
        upgraded["name"] = "lecture_notes"
    return each_part(upgraded, upgrade_part)


def each_part(recipe: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """A copy of a recipe with a change of each of its parts."""
    found = dict(recipe)
    for name in _SINGLE:
        if name in found:
            found[name] = change(found[name])
    for name in _LISTS:
        if isinstance(found.get(name), list):
            found[name] = [change(part) for part in found[name]]
    return found


def rename_by(part: Any) -> Any:
    """A part with the setting `method` in place of `by`, where it had that."""
    if not isinstance(part, dict) or part.get("name") not in HAD_BY:
        return part
    return rename_keys(part, {"by": "method"})


def upgrade_part(part: Any) -> Any:
    """A part, as its name or as a table of its name and settings, with the present names."""
    if isinstance(part, str):
        return PARTS.get(part, part)
    old_name = part.get("name") if isinstance(part, dict) else None
    if not isinstance(old_name, str):
        return part
    name = PARTS.get(old_name, old_name)
    upgraded = {**rename_keys(part, PART_SETTINGS.get(name, {})), "name": name}
    for key, value in upgraded.items():
        if isinstance(value, str):
            upgraded[key] = VALUES.get((name, key, value), value)
    if name in ("bagging", "forest"):
        return _with_sampling(upgraded)
    if name == "loss_decrease" and "loss" in upgraded:
        upgraded["loss"] = upgrade_part(upgraded["loss"])
    return upgraded


def _with_sampling(part: dict[str, Any]) -> dict[str, Any]:
    """An ensemble method whose settings of row sampling are a table of their own."""
    sampling = rename_keys({key: part[key] for key in SAMPLING if key in part}, SAMPLING)
    others = {key: value for key, value in part.items() if key not in SAMPLING}
    return {**others, "sampling": sampling} if sampling else others


def rename_keys(table: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """A copy of a table with other keys."""
    return {names.get(key, key): value for key, value in table.items()}
