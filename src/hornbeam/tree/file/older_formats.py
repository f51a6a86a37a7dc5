"""Converts the descriptions of older model files to the present form.

Format 1.0 stored the reason of a leaf and the kind of a question as numbers of fixed lists, and called the metadata
"facts". Format 1.1 stores the names in use: the keys `reasons` and `kinds`.
"""

from __future__ import annotations

from typing import Any

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

_SAMPLING_1_0 = {"replace": "with_replacement"}


def upgrade_description(description: Any, kind: str) -> Any:
    """The description of a tree, a forest or rules in the present form; values of the wrong type stay as they are."""
    if not isinstance(description, dict) or "facts" not in description or "metadata" in description:
        return description
    found = {**_renamed(description), "kinds": list(KINDS_1_0)}
    if kind != "rules":
        found["reasons"] = list(REASONS_1_0)
    if isinstance(found.get("about"), list):
        found["about"] = [_renamed(each) for each in found["about"]]
    return found


def _renamed(description: Any) -> Any:
    """A description with the key "metadata" in place of "facts", and the present names of the row sampling in it."""
    if not isinstance(description, dict) or "metadata" in description:
        return description
    found = {"metadata" if key == "facts" else key: value for key, value in description.items()}
    metadata = found.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("draw"), dict):
        sampling = {_SAMPLING_1_0.get(key, key): value for key, value in metadata["draw"].items()}
        found["metadata"] = {**metadata, "draw": sampling}
    return found
