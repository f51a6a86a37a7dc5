"""How is a forest taken apart into named arrays and a description, and put together again?

Each array of the members stands one after the other; `forest.lengths` says how many rows of it each member has, one
row a member, arrays in the order of their names. What the members' descriptions say alike is written once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamError, ModelFileError
from hornbeam.tree import plain_values
from hornbeam.tree.forest import Forest, score_schema
from hornbeam.tree.tree_arrays import Arrays, about_tree, built_tree, schema_in, schema_out, taken_tree, tree_dtypes
from hornbeam.tree.validate import validated

FOREST_ARRAYS = {
    "forest.weights": np.dtype(np.float64),
    "forest.base": np.dtype(np.float64),
    "forest.output": np.dtype(np.int32),
    "forest.about": np.dtype(np.int32),
    "forest.lengths": np.dtype(np.int64),
}


def taken_forest(forest: Forest) -> tuple[dict[str, Any], Arrays]:
    """A forest as a description and arrays."""
    names = sorted(tree_dtypes())
    parts = [taken_tree(tree)[1] for tree in forest.trees]
    found: dict[bytes, int] = {}
    said = [plain_values.dumped(about_tree(tree)) for tree in forest.trees]
    which = [found.setdefault(text, len(found)) for text in said]
    description = {
        "about": [plain_values.loaded(text) for text in found],
        "combine": forest.combine,
        "facts": dict(forest.facts),
        "link": forest.link,
        "recipe": dict(forest.recipe),
        "schema": schema_out(forest.schema),
    }
    arrays: Arrays = {name: _stacked([part[name] for part in parts], name) for name in names}
    arrays["forest.weights"] = forest.weights
    arrays["forest.base"] = forest.base
    arrays["forest.output"] = forest.output
    arrays["forest.about"] = np.array(which, dtype=np.int32)
    lengths = [[len(part[name]) for name in names] for part in parts]
    arrays["forest.lengths"] = np.array(lengths, dtype=np.int64).reshape(len(parts), len(names))
    return description, arrays


def _stacked(parts: list[npt.NDArray[Any]], name: str) -> npt.NDArray[Any]:
    if parts:
        return np.concatenate(parts)
    return np.zeros((0, 3) if name == "nodes.stats" else 0, dtype=tree_dtypes()[name])


def built_forest(about: Any, arrays: Mapping[str, npt.NDArray[Any]]) -> Forest:
    """A forest from its description and arrays, every member checked."""
    if not isinstance(about, dict) or set(about) != {"about", "combine", "facts", "link", "recipe", "schema"}:
        raise ModelFileError("The description does not name about, schema, recipe, facts, combine and link.")
    if not isinstance(about["about"], list) or not isinstance(about["facts"], dict):
        raise ModelFileError("Facts or members are of another kind than they must be.")
    if not isinstance(about["recipe"], dict):
        raise ModelFileError("The recipe is of another kind than it must be.")
    schema = schema_in(about["schema"])
    members = score_schema(schema) if about["combine"] == "sum" else schema
    trees = []
    which = arrays["forest.about"]
    for index, part in enumerate(_members(arrays)):
        if index >= len(which) or not 0 <= which[index] < len(about["about"]):
            raise ModelFileError(f"Tree {index} has no description.", array="forest.about", index=0)
        try:
            trees.append(validated(built_tree(about["about"][which[index]], part, members)))
        except ModelFileError as error:
            raise ModelFileError(f"Tree {index}: {error.message}", hint=error.hint, array="forest.lengths") from None
    try:
        return Forest(
            schema=schema,
            trees=tuple(trees),
            weights=arrays["forest.weights"],
            combine=about["combine"],
            link=about["link"],
            base=arrays["forest.base"],
            output=arrays["forest.output"],
            recipe=about["recipe"],
            facts=about["facts"],
        )
    except HornbeamError as error:
        raise ModelFileError(error.message, hint=error.hint) from None


def _members(arrays: Mapping[str, npt.NDArray[Any]]) -> list[Arrays]:
    """The arrays of every member."""
    names = sorted(tree_dtypes())
    lengths = arrays["forest.lengths"]
    if lengths.shape[1] != len(names) or (lengths < 0).any():
        raise ModelFileError("The lengths of the members' arrays are wrong.", array="forest.lengths")
    ends = np.cumsum(lengths, axis=0)
    for column, name in enumerate(names):
        total = int(ends[-1, column]) if len(ends) else 0
        if total != len(arrays[name]):
            raise ModelFileError(f"The members have {total} rows of {name}; there are {len(arrays[name])}.", array=name)
    starts = ends - lengths
    return [
        {name: arrays[name][starts[t, c] : ends[t, c]] for c, name in enumerate(names)} for t in range(len(lengths))
    ]
