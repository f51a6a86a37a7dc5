"""Converts a forest to named arrays and a description, and back.

The arrays of the trees are concatenated in compact form (`forest_compact.py`); `forest.lengths` has one row per tree
with its numbers of nodes, questions, surrogates and pool entries. Equal descriptions of trees are written once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamError, ModelFileError, short_repr
from hornbeam.table.memory import require_memory
from hornbeam.tree.file import plain_values
from hornbeam.tree.file.forest_compact import COUNTED, Members, compact, expand, narrow
from hornbeam.tree.file.tree_arrays import (
    TEXT,
    Arrays,
    check_known,
    load_names,
    member_from_arrays,
    node_arrays,
    schema_in,
    schema_out,
    store_names,
    tree_description,
    tree_dtypes,
)
from hornbeam.tree.file.validate import check_schema, validate_tree
from hornbeam.tree.file.validate_metadata import check_metadata
from hornbeam.tree.file.validate_questions import Levels
from hornbeam.tree.forest import Forest, score_schema

# The arrays that only a forest has, with the kinds of dtypes that they may have.
FOREST_ARRAYS = {
    TEXT: "u",
    "forest.weights": "f",
    "forest.base": "f",
    "forest.output": "iu",
    "forest.about": "iu",
    "forest.lengths": "iu",
}
_KEYS = {"about", "combine", "kinds", "link", "metadata", "reasons", "recipe", "schema"}
_MAX_ROWS = 2**31 - 1
# Memory of a tree in addition to its arrays, and the growth of arrays: one byte in the file, eight in memory, twice.
_TREE_BYTES = 10_000
_GROWTH = 16


def forest_to_arrays(forest: Forest) -> tuple[dict[str, Any], Arrays]:
    """A forest as a description and arrays."""
    names = sorted(tree_dtypes())
    parts = _taken(forest)
    found: dict[bytes, int] = {}
    descriptions = [plain_values.canonical_json(tree_description(tree)) for tree in forest.trees]
    which = [found.setdefault(text, len(found)) for text in descriptions]
    description = {
        "about": [plain_values.parse_canonical_json(text) for text in found],
        "combine": forest.combine,
        "metadata": dict(forest.metadata),
        **store_names(
            parts,
            kinds=[tree.questions.kinds for tree in forest.trees],
            reasons=[tree.reasons for tree in forest.trees],
        ),
        "link": forest.link,
        "recipe": dict(forest.recipe),
        "schema": schema_out(forest.schema),
    }
    whole: Arrays = {name: _stacked([part[name] for part in parts], name) for name in names}
    lengths = np.array([[len(part[name]) for name in COUNTED] for part in parts], dtype=np.int64)
    lengths = lengths.reshape(len(parts), len(COUNTED))
    arrays = compact(whole, Members(lengths))
    arrays["forest.weights"] = forest.weights
    arrays["forest.base"] = forest.base
    arrays["forest.output"] = narrow(forest.output)
    arrays["forest.about"] = narrow(np.array(which, dtype=np.int32))
    arrays["forest.lengths"] = narrow(lengths)
    return description, arrays


def _taken(forest: Forest) -> list[Arrays]:
    """The arrays of each tree; a schema that trees share is checked once."""
    levels: dict[int, Levels] = {}
    parts = []
    for tree in forest.trees:
        if id(tree.schema) not in levels:
            check_schema(tree.schema)
            levels[id(tree.schema)] = Levels.of(tree.schema)
        parts.append(node_arrays(tree, levels[id(tree.schema)]))
    return parts


def _stacked(parts: list[npt.NDArray[Any]], name: str) -> npt.NDArray[Any]:
    if parts:
        return np.concatenate(parts)
    return np.zeros((0, 3) if name == "nodes.stats" else 0, dtype=tree_dtypes()[name])


def forest_from_arrays(about: Any, arrays: Mapping[str, npt.NDArray[Any]]) -> Forest:
    """A forest from its description and arrays; each tree is checked."""
    if not isinstance(about, dict) or set(about) != _KEYS:
        raise ModelFileError(f"The description must have the keys {', '.join(sorted(_KEYS))}.")
    schema = schema_in(about["schema"])
    check_schema(schema)
    members = score_schema(schema) if about["combine"] == "sum" else schema
    if not isinstance(about["about"], list):
        raise ModelFileError("The descriptions of the trees must be a list.")
    check_metadata(about["metadata"], about["recipe"], schema)
    for each in about["about"]:
        if not isinstance(each, dict):
            raise ModelFileError("The description of a tree must be a mapping.")
        check_metadata(each.get("metadata"), each.get("recipe"), members)
    levels = Levels.of(members)
    trees = []
    which = arrays["forest.about"]
    tables, parts = _members(about, arrays, len(members.classes) if members.is_class else 3)
    for index, part in enumerate(parts):
        if index >= len(which) or not 0 <= which[index] < len(about["about"]):
            raise ModelFileError(f"Tree {index} has no description.", array="forest.about", index=0)
        try:
            tree = member_from_arrays(about["about"][which[index]], part, members, tables)
            trees.append(validate_tree(tree, levels))
        except ModelFileError as error:
            raise ModelFileError(f"Tree {index}: {error.message}", **error.remedy, array="forest.lengths") from None
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
            metadata=about["metadata"],
        )
    except HornbeamError as error:
        raise ModelFileError(error.message, **error.remedy) from None


def check_forest_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Check that the arrays of a forest are present and no others; those of its trees may be compact or omitted."""
    for name, kinds in FOREST_ARRAYS.items():
        if name not in arrays:
            raise ModelFileError(f"The model lacks the array {short_repr(name)}.")
        if arrays[name].dtype.kind not in kinds:
            raise ModelFileError(f"Array {short_repr(name)} has the wrong type.", array=name)
    check_known(arrays, {**FOREST_ARRAYS, **tree_dtypes()})
    for name, array in arrays.items():
        two_way = name == "forest.lengths" or (name == "nodes.stats" and array.ndim == 2)
        if array.ndim != (2 if two_way else 1):
            raise ModelFileError(f"Array {short_repr(name)} has the wrong shape.", array=name)


def _members(
    about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], width: int
) -> tuple[dict[str, tuple[str, ...]], Iterator[Arrays]]:
    """The names of kinds and reasons, and the arrays of every tree, whose nodes have `width` statistics each."""
    given = arrays["forest.lengths"]
    if given.shape[1] != len(COUNTED) or (given < 0).any():
        raise ModelFileError("The lengths of the arrays of the trees are wrong.", array="forest.lengths")
    members = Members(given.astype(np.int64))
    if (members.lengths > _MAX_ROWS).any() or len(given) > _MAX_ROWS:
        raise ModelFileError(f"A tree may have at most {_MAX_ROWS} nodes.", array="forest.lengths")
    size = sum(array.nbytes for array in arrays.values())
    require_memory(_TREE_BYTES * len(given) + _GROWTH * size, f"A forest of {len(given)} trees")
    tables, whole = load_names(about, expand(arrays, members, width))
    return tables, _slices(whole, members, len(given))


def _slices(whole: Arrays, members: Members, n_trees: int) -> Iterator[Arrays]:
    """The arrays of one tree after the other."""
    ranges = {name: (members.starts(name).tolist(), members.counts(name).tolist()) for name in whole}
    for tree in range(n_trees):
        yield {name: whole[name][start[tree] : start[tree] + count[tree]] for name, (start, count) in ranges.items()}
