"""How is a tree taken apart into named arrays and a description, and put together again?

The description is plain values: schema, recipe, facts, names of questions, what to do with unseen levels. Putting
together checks what the description says; the arrays are checked by `validate.py`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError, short_repr
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import NODE_DTYPES, OPTIONAL, Nodes, Tree, nodes_from
from hornbeam.tree.questions import QuestionTable
from hornbeam.tree.questions.base import empty_table
from hornbeam.tree.validate import check_text, validate_tree
from hornbeam.tree.validate_questions import Levels

Arrays = dict[str, npt.NDArray[Any]]

TEXT = "description"
_NODES = tuple(name for name in Nodes.__dataclass_fields__ if name not in OPTIONAL)
_OPTIONAL = "optional.nodes."
_QUESTIONS = tuple(name for name in QuestionTable.__dataclass_fields__ if name != "names")


def tree_to_arrays(tree: Tree) -> tuple[dict[str, Any], Arrays]:
    """A sound tree as a description and arrays; competitors are kept in arrays of their own, if there are any."""
    arrays = node_arrays(tree)
    if len(tree.nodes.competitor_question):
        nodes = tree.nodes.in_full().arrays(OPTIONAL)
        arrays.update({f"{_OPTIONAL}{name}": nodes[name] for name in OPTIONAL})
    return {**tree_description(tree), "schema": schema_out(tree.schema)}, arrays


def node_arrays(tree: Tree, levels: Levels | None = None) -> Arrays:
    """The arrays of a sound tree without competitors; `levels` of a schema that was checked before."""
    whole = tree.nodes.in_full()
    validate_tree(dataclasses.replace(tree, nodes=whole), levels)
    nodes = whole.arrays()
    arrays = {f"nodes.{name}": nodes[name] for name in _NODES}
    arrays.update({f"questions.{name}": array for name, array in tree.questions.arrays().items()})
    return arrays


def tree_description(tree: Tree) -> dict[str, Any]:
    """What is said of a tree beside its schema and arrays."""
    return {
        "facts": dict(tree.metadata),
        "names": list(tree.questions.names),
        "recipe": dict(tree.recipe),
        "unseen": tree.unseen,
    }


def tree_from_arrays(about: Any, arrays: Mapping[str, npt.NDArray[Any]], schema: Schema | None = None) -> Tree:
    """A tree from its description and arrays; `schema` where the description has none."""
    wanted = {"facts", "names", "recipe", "unseen"} | ({"schema"} if schema is None else set())
    if not isinstance(about, dict) or set(about) != wanted:
        raise ModelFileError("The description does not name schema, names, recipe, facts and unseen.")
    names = about["names"]
    if not isinstance(about["facts"], dict) or not isinstance(about["recipe"], dict) or not isinstance(names, list):
        raise ModelFileError("Facts, recipe or names are of another kind than they must be.")
    for name in names:
        check_text(name, "A question's name")
    return Tree(
        schema=schema_in(about["schema"]) if schema is None else schema,
        nodes=_nodes_in(arrays),
        questions=QuestionTable(**{name: arrays[f"questions.{name}"] for name in _QUESTIONS}, names=tuple(names)),
        recipe=about["recipe"],
        metadata=about["facts"],
        unseen=about["unseen"],
    )


def _nodes_in(arrays: Mapping[str, npt.NDArray[Any]]) -> Nodes:
    places = {name: f"nodes.{name}" for name in _NODES} | {name: f"{_OPTIONAL}{name}" for name in OPTIONAL}
    return nodes_from({name: arrays[place] for name, place in places.items() if place in arrays})


def check_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Check that the arrays of a tree are there, by name and type, and no others."""
    wanted = {TEXT: np.dtype(np.uint8), **tree_dtypes()}
    if any(name.startswith(_OPTIONAL) for name in arrays):
        wanted |= {f"{_OPTIONAL}{name}": np.dtype(NODE_DTYPES[name]) for name in OPTIONAL}
    for name, dtype in wanted.items():
        if name not in arrays:
            raise ModelFileError(f"The model lacks the array {short_repr(name)}.")
        if arrays[name].dtype != dtype or arrays[name].ndim != (2 if name == "nodes.stats" else 1):
            raise ModelFileError(f"Array {short_repr(name)} has another type or shape than it must have.")
    check_known(arrays, wanted)


def check_known(arrays: Iterable[str], wanted: Collection[str]) -> None:
    """Check that no array is needed that is unknown here."""
    for name in arrays:
        if name not in wanted and not name.startswith("optional."):
            raise ModelFileError(
                f"The model needs {short_repr(name)}, which is unknown here.", hint="Upgrade hornbeam."
            )


def tree_dtypes() -> dict[str, np.dtype[Any]]:
    """The arrays of a tree by name, with their types."""
    out = {f"nodes.{name}": np.dtype(NODE_DTYPES[name]) for name in _NODES}
    out.update({f"questions.{name}": array.dtype for name, array in empty_table().arrays().items()})
    return out


def schema_out(schema: Schema) -> dict[str, Any]:
    """A schema as plain values."""
    return {
        "columns": [_spec_out(spec) for spec in schema.columns],
        "target": None if schema.target is None else _spec_out(schema.target),
    }


def schema_in(given: Any) -> Schema:
    """A schema from plain values, checked."""
    if not isinstance(given, dict) or set(given) != {"columns", "target"} or not isinstance(given["columns"], list):
        raise ModelFileError("The description has no schema.")
    target = given["target"]
    return Schema(tuple(map(_spec_in, given["columns"])), None if target is None else _spec_in(target))


def _spec_out(spec: ColumnSpec) -> dict[str, Any]:
    idle = {"idle": True} if spec.is_idle else {}
    return {**idle, "kind": str(spec.kind), "levels": list(spec.levels), "name": spec.name}


def _spec_in(given: Any) -> ColumnSpec:
    is_idle = isinstance(given, dict) and given.get("idle") is True
    wanted = {"kind", "levels", "name"} | ({"idle"} if is_idle else set())
    if not isinstance(given, dict) or set(given) != wanted or not isinstance(given["levels"], list):
        raise ModelFileError("A column is not described by kind, levels and name.")
    if given["kind"] not in list(Kind):
        raise ModelFileError(f"Column kind {short_repr(given['kind'])} is unknown.")
    if any(isinstance(level, (list, dict, tuple)) for level in given["levels"]):
        raise ModelFileError(f"A level of column {short_repr(given['name'])} is not a plain value.")
    return ColumnSpec(given["name"], Kind(given["kind"]), tuple(given["levels"]), is_idle)
