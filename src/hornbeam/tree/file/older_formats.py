"""Converts the descriptions of older model files to the present form.

Format 1.0 stored the reason of a leaf and the kind of a question as numbers of fixed lists, and called the metadata
"facts". Format 1.1 stores the names in use: the keys `reasons` and `kinds`. The parts and settings of the recipes of
format 1.0 have other names since then (`older_recipes.py`).
"""

from __future__ import annotations

from typing import Any

from hornbeam.tree.file.older_recipes import SAMPLING, rename_keys, upgrade_part, upgrade_recipe

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
    if not isinstance(description, dict) or "facts" not in description or "metadata" in description:
        return description
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
