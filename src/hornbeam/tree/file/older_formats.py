"""Converts the descriptions of older model files to the present form.

Format 1.0 stored the reason of a leaf and the kind of a question as numbers of fixed lists, and called the metadata
"facts". Format 1.1 stores the names in use: the keys `reasons` and `kinds`. The parts and settings of the recipes of
format 1.0 have other names since then (`older_recipes.py`). Some names of format 1.1 changed before its first release:
keys of the metadata, the setting `by` of parts, and how rules predict.
"""

from __future__ import annotations

from typing import Any

from hornbeam.tree.file.older_recipes import SAMPLING, each_part, rename_by, rename_keys, upgrade_part, upgrade_recipe

METADATA = {"fills": "fill_values", "gaps": "columns_with_missing", "missing_shares": "missing_fractions"}
PRUNING = {"left_out_loss": "held_out_loss"}

# The lists of format 1.0 never change, whatever `name_codes.py` becomes.
KINDS_1_0 = ("threshold", "intervals", "subset", "multiway", "is_missing", "hyperplane", "sphere", "combined")
REASONS_1_0 = (
    "",
    "pure",
    "identical rows",
    "no improvement",
    "depth",
    "below min_split",
    "below min_leaf",
    "at most eta rows",
    "purity",
    "min gain",
    "min decrease",
    "leaves",
    "nodes",
    "no attributes left",
    "empty",
    "pruned",
    "collapsed",
    "not significant",
    "validation",
    "by hand",
    "penalized size",
)


def upgrade_description(description: Any, kind: str) -> Any:
    """The description of a tree, a forest or rules in the present form; values of the wrong type stay as they are."""
    if not isinstance(description, dict):
        return description
    if "facts" in description and "metadata" not in description:
        description = _from_1_0(description, kind)
    found = _with_present_names(description)
    if isinstance(found.get("about"), list):
        found["about"] = [_with_present_names(each) for each in found["about"]]
    return found


def _with_present_names(description: Any) -> Any:
    """A description of format 1.1 with the names that changed."""
    if not isinstance(description, dict):
        return description
    found = rename_keys(description, {"answers_by": "predict_by"})
    if isinstance(found.get("metadata"), dict):
        found["metadata"] = rename_keys(found["metadata"], METADATA)
        prunings = found["metadata"].get("prunings")
        if isinstance(prunings, list):
            found["metadata"]["prunings"] = [
                rename_keys(each, PRUNING) if isinstance(each, dict) else each for each in prunings
            ]
    if isinstance(found.get("recipe"), dict):
        found["recipe"] = each_part(found["recipe"], rename_by)
    return found


def _from_1_0(description: dict[str, Any], kind: str) -> dict[str, Any]:
    found = {**_upgraded(description), "kinds": list(KINDS_1_0)}
    if kind != "rules":
        found["reasons"] = list(REASONS_1_0)
    if isinstance(found.get("about"), list):
        found["about"] = [_upgraded(each) for each in found["about"]]
    return found


def _upgraded(description: Any) -> Any:
    """A description with the key "metadata" in place of "facts", and a recipe with the present names."""
    if not isinstance(description, dict) or "metadata" in description:
        return description
    found = rename_keys(description, {"facts": "metadata"})
    if "metadata" in found:
        found["metadata"] = _upgraded_metadata(found["metadata"])
    if "recipe" in found:
        found["recipe"] = upgrade_recipe(found["recipe"])
    return found


def _upgraded_metadata(metadata: Any) -> Any:
    """Metadata with the present names of row sampling and of the prunings that were applied."""
    if not isinstance(metadata, dict):
        return metadata
    found = rename_keys(metadata, {"draw": "sampling"})
    if isinstance(found.get("sampling"), dict):
        found["sampling"] = rename_keys(found["sampling"], SAMPLING)
    if isinstance(found.get("prunings"), list):
        found["prunings"] = [_upgraded_pruning(each) for each in found["prunings"]]
    return found


def _upgraded_pruning(pruning: Any) -> Any:
    if not isinstance(pruning, dict) or "pruning" not in pruning:
        return pruning
    return {**pruning, "pruning": upgrade_part(pruning["pruning"])}
