"""Converts a tree to named arrays and a description, and back.

The description is JSON: schema, recipe, metadata, names of questions, kinds and reasons, the policy for unseen levels.
It is checked here; the arrays are checked by `validate.py`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, ModelFileError, OptionError, short_repr
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.table.text_format import TextFormat
from hornbeam.tree.file.validate import check_text, require_all, validate_tree
from hornbeam.tree.file.validate_questions import Levels
from hornbeam.tree.name_codes import KINDS, MAX_NAMES, REASONS, extend_names
from hornbeam.tree.nodes import NODE_DTYPES, OPTIONAL, Nodes, Tree
from hornbeam.tree.probabilities import Probabilities, probabilities
from hornbeam.tree.probabilities.frequencies import Frequencies
from hornbeam.tree.questions import QuestionTable
from hornbeam.tree.questions.table import empty_table

Arrays = dict[str, npt.NDArray[Any]]

# Arrays of indices of names, by the key of the description that contains the names.
_NAMED = {"kinds": "questions.kind", "reasons": "nodes.reason"}
_TREE_KEYS = {"metadata", "names", "recipe", "unseen"}
_ESTIMATE = "probabilities"  # the key of an estimate other than frequencies

_MAX_FORMAT = 64  # characters of the format of a column

TEXT = "description"
_NODES = tuple(name for name in NODE_DTYPES if name not in OPTIONAL)
_OPTIONAL = "optional.nodes."
_QUESTIONS = tuple(name for name in QuestionTable.__dataclass_fields__ if name not in ("names", "kinds"))


def tree_to_arrays(tree: Tree) -> tuple[dict[str, Any], Arrays]:
    """A valid tree as a description and arrays; competitors, if any, are in optional arrays."""
    arrays = node_arrays(tree)
    if len(tree.nodes.competitor_question):
        nodes = tree.nodes.in_full().arrays(OPTIONAL)
        arrays.update({f"{_OPTIONAL}{name}": nodes[name] for name in OPTIONAL})
    names = store_names([arrays], kinds=[tree.questions.kinds], reasons=[tree.reasons])
    return {**tree_description(tree), **names, "schema": schema_out(tree.schema)}, arrays


def node_arrays(tree: Tree, levels: Levels | None = None) -> Arrays:
    """The arrays of a valid tree without competitors; `levels` if the schema was checked before."""
    whole = tree.nodes.in_full()
    validate_tree(dataclasses.replace(tree, nodes=whole), levels)
    nodes = whole.arrays()
    arrays = {f"nodes.{name}": nodes[name] for name in _NODES}
    arrays.update({f"questions.{name}": array for name, array in tree.questions.arrays().items()})
    return arrays


def tree_description(tree: Tree) -> dict[str, Any]:
    """The description of a tree without its schema."""
    return {
        "metadata": dict(tree.metadata),
        "names": list(tree.questions.names),
        "recipe": dict(tree.recipe),
        "unseen": tree.unseen,
        **({} if isinstance(tree.probabilities, Frequencies) else {_ESTIMATE: tree.probabilities.as_table()}),
    }


def tree_from_arrays(about: Any, arrays: Mapping[str, npt.NDArray[Any]]) -> Tree:
    """A tree from its description and arrays."""
    keys = {*_TREE_KEYS, "kinds", "reasons", "schema"}
    if not isinstance(about, dict) or {*about} - {_ESTIMATE} != keys:
        raise ModelFileError(f"The description must have the keys {', '.join(sorted(keys))}.")
    tables, arrays = load_names(about, arrays)
    own = {key: about[key] for key in about if key in (*_TREE_KEYS, _ESTIMATE)}
    return member_from_arrays(own, arrays, schema_in(about["schema"]), tables)


def member_from_arrays(
    about: Any, arrays: Mapping[str, npt.NDArray[Any]], schema: Schema, tables: Mapping[str, tuple[str, ...]]
) -> Tree:
    """A tree from its arrays, its own description, and what it has in common with the trees of its forest."""
    if not isinstance(about, dict) or {*about} - {_ESTIMATE} != _TREE_KEYS:
        raise ModelFileError(f"The description of a tree must have the keys {', '.join(sorted(_TREE_KEYS))}.")
    names, metadata, recipe = about["names"], about["metadata"], about["recipe"]
    if not isinstance(metadata, dict) or not isinstance(recipe, dict) or not isinstance(names, list):
        raise ModelFileError("Metadata, recipe or names have the wrong type.")
    for name in names:
        check_text(name, "A question's name")
    own = {name: arrays[f"questions.{name}"] for name in _QUESTIONS}
    return Tree(
        schema=schema,
        nodes=_nodes_in(arrays),
        questions=QuestionTable(**own, names=tuple(names), kinds=tables["kinds"]),
        recipe=recipe,
        metadata=metadata,
        unseen=about["unseen"],
        reasons=tables["reasons"],
        probabilities=_estimate_in(about.get(_ESTIMATE, "frequencies")),
    )


def _estimate_in(given: Any) -> Probabilities:
    """The estimate of class probabilities that a description names."""
    try:
        return probabilities.part(given)
    except OptionError as error:
        raise ModelFileError(error.message, **error.remedy) from None


def store_names(parts: Sequence[Arrays], **tables_of: Sequence[tuple[str, ...]]) -> dict[str, list[str]]:
    """The sorted names in use, by key of the description; the arrays are changed to numbers of these lists.

    `kinds` and `reasons` give one table of names per member of `parts`.
    """
    stored = {}
    for key, tables in tables_of.items():
        array = _NAMED[key]
        used = [np.unique(part[array]).tolist() for part in parts]
        names = sorted({table[code] for table, codes in zip(tables, used, strict=True) for code in codes})
        for part, table in zip(parts, tables, strict=True):
            number = [names.index(name) if name in names else 0 for name in table]
            part[array] = np.array(number, dtype=np.int8)[part[array]]
        stored[key] = names
    return stored


def load_names(
    about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> tuple[dict[str, tuple[str, ...]], Arrays]:
    """The tables of kinds and reasons, and the arrays with numbers of these tables; inverse of `store_names`."""
    tables, out = {}, dict(arrays)
    for key, array in _NAMED.items():
        if array in arrays:
            tables[key], out[array] = _numbers_of_names(key, about[key], arrays[array], array)
    return tables, out


def _numbers_of_names(
    key: str, names: Any, codes: npt.NDArray[Any], array: str
) -> tuple[tuple[str, ...], npt.NDArray[Any]]:
    if not isinstance(names, list) or len(names) > MAX_NAMES or not all(isinstance(name, str) for name in names):
        raise ModelFileError(f"The {key} must be a list of at most {MAX_NAMES} names.")
    if len(set(names)) != len(names):
        raise ModelFileError(f"The {key} must be different.")
    try:
        table = extend_names(KINDS if key == "kinds" else REASONS, names)
    except InputError as error:
        raise ModelFileError(error.message) from None
    require_all((codes >= 0) & (codes < len(names)), array, "the name does not exist")
    number = np.array([table.index(name) for name in names], dtype=np.int8)
    return table, number[codes]


def _nodes_in(arrays: Mapping[str, npt.NDArray[Any]]) -> Nodes:
    places = {name: f"nodes.{name}" for name in _NODES} | {name: f"{_OPTIONAL}{name}" for name in OPTIONAL}
    return Nodes(**{name: arrays[place] for name, place in places.items() if place in arrays})


def check_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Check that exactly the arrays of a tree are present, by name and type."""
    expected = {TEXT: np.dtype(np.uint8), **tree_dtypes()}
    if any(name.startswith(_OPTIONAL) for name in arrays):
        expected |= {f"{_OPTIONAL}{name}": np.dtype(NODE_DTYPES[name]) for name in OPTIONAL}
    for name, dtype in expected.items():
        if name not in arrays:
            raise ModelFileError(f"The model lacks the array {short_repr(name)}.")
        if arrays[name].dtype != dtype or arrays[name].ndim != (2 if name == "nodes.stats" else 1):
            raise ModelFileError(f"Array {short_repr(name)} has the wrong type or shape.")
    check_known(arrays, expected)


def check_known(arrays: Iterable[str], expected: Collection[str]) -> None:
    """Check that all arrays but the optional ones are known."""
    for name in arrays:
        if name not in expected and not name.startswith("optional."):
            raise ModelFileError(
                f"The model has the array {short_repr(name)}, which is unknown.", hint="Upgrade hornbeam."
            )


def tree_dtypes() -> dict[str, np.dtype[Any]]:
    """The arrays of a tree by name, with their types."""
    out = {f"nodes.{name}": np.dtype(NODE_DTYPES[name]) for name in _NODES}
    out.update({f"questions.{name}": array.dtype for name, array in empty_table().arrays().items()})
    return out


def schema_out(schema: Schema) -> dict[str, Any]:
    """A schema as JSON values."""
    return {
        "columns": [_spec_out(spec) for spec in schema.columns],
        "target": None if schema.target is None else _spec_out(schema.target),
    }


def schema_in(given: Any) -> Schema:
    """A schema from JSON values, checked."""
    if not isinstance(given, dict) or set(given) != {"columns", "target"} or not isinstance(given["columns"], list):
        raise ModelFileError("The description has no schema.")
    target = given["target"]
    return Schema(tuple(map(_spec_in, given["columns"])), None if target is None else _spec_in(target))


def _spec_out(spec: ColumnSpec) -> dict[str, Any]:
    idle = {"idle": True} if spec.is_idle else {}
    written = {"format": spec.text_format.stored()} if spec.text_format is not None else {}
    return {**idle, **written, "kind": str(spec.kind), "levels": list(spec.levels), "name": spec.name}


def _spec_in(given: Any) -> ColumnSpec:
    is_idle = isinstance(given, dict) and given.get("idle") is True
    has_format = isinstance(given, dict) and "format" in given
    expected = {"kind", "levels", "name"} | ({"idle"} if is_idle else set()) | ({"format"} if has_format else set())
    if not isinstance(given, dict) or set(given) != expected or not isinstance(given["levels"], list):
        raise ModelFileError("A column is not described by kind, levels and name.")
    if given["kind"] not in list(Kind):
        raise ModelFileError(f"Column kind {short_repr(given['kind'])} is unknown.")
    if any(isinstance(level, (list, dict, tuple)) for level in given["levels"]):
        raise ModelFileError(f"A level of column {short_repr(given['name'])} is not a valid value.")
    text_format = _format_in(given) if has_format else None
    return ColumnSpec(given["name"], Kind(given["kind"]), tuple(given["levels"]), is_idle, text_format)


def _format_in(given: dict[str, Any]) -> TextFormat:
    """The format of the numbers or dates of a column, checked."""
    found = given["format"]
    names = {field.name for field in dataclasses.fields(TextFormat)}
    is_valid = isinstance(found, dict) and found and set(found) <= names and given["kind"] == Kind.NUMERIC
    if not is_valid or not all(isinstance(text, str) and len(text) <= _MAX_FORMAT for text in found.values()):
        raise ModelFileError(f"The format of column {short_repr(given['name'])} is not valid.")
    return TextFormat(**found)
