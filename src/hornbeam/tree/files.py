"""How is a tree kept in a file?

One `.tree` file holds the schema, the recipe, the facts, every array and the version of the library, as
`container.py` lays them out. Saving writes canonical bytes: the same tree is the same file. Loading reads the file
once, checks length and hash, then sends the tree through the gate of `validate.py`; nothing in it is ever run. Saving
replaces the file in one step (`atomic.py`), so a crash leaves the old file or the new one. A pickled tree carries the
same bytes.
"""

from __future__ import annotations

import errno
import importlib.metadata
import os
import stat
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError, did_you_mean, shown
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree import container, plain_values
from hornbeam.tree.atomic import write_atomically
from hornbeam.tree.nodes import NODE_DTYPES, OPTIONAL, Nodes, Tree, nodes_from
from hornbeam.tree.questions import QuestionTable
from hornbeam.tree.questions.base import empty_table
from hornbeam.tree.validate import check_text, validated

SUFFIX = ".tree"
LARGEST = 2 << 30
_TEXT = "description"
_OPTIONAL = "optional.nodes."
_NODES = tuple(name for name in Nodes.__dataclass_fields__ if name not in OPTIONAL)
_QUESTIONS = tuple(name for name in QuestionTable.__dataclass_fields__ if name != "names")


def save(tree: Tree, path: str | os.PathLike[str]) -> None:
    """Write a tree to a file, whole or not at all."""
    try:
        write_atomically(os.fspath(path), to_bytes(tree))
    except OSError as error:
        raise ModelFileError(
            f"Cannot write {_named(os.fspath(path))}: {error.strerror or error}.",
            hint="What was there before is untouched.",
            path=os.fspath(path),
        ) from error


def load(path: str | os.PathLike[str], *, largest: int = LARGEST) -> Tree:
    """Read a tree from a file of at most `largest` bytes."""
    name = os.fspath(path)
    try:
        data = _read_once(name, largest)
    except OSError as error:
        hint = did_you_mean(os.path.basename(name), _neighbours(name)) if error.errno == errno.ENOENT else ""
        raise ModelFileError(f"Cannot read {_named(name)}: {error.strerror or error}.", hint=hint, path=name) from error
    try:
        return from_bytes(data)
    except ModelFileError as error:
        raise ModelFileError(
            f"{_named(name)}: {error.message}", hint=error.hint, **{**error.facts, "path": name}
        ) from error


def to_bytes(tree: Tree) -> bytes:
    """The bytes of a tree's model file."""
    validated(tree)
    description = {
        "facts": dict(tree.facts),
        "names": list(tree.questions.names),
        "recipe": dict(tree.recipe),
        "schema": {
            "columns": [_spec_out(spec) for spec in tree.schema.columns],
            "target": None if tree.schema.target is None else _spec_out(tree.schema.target),
        },
        "unseen": tree.unseen,
    }
    arrays: dict[str, npt.NDArray[Any]] = {_TEXT: np.frombuffer(plain_values.dumped(description), dtype=np.uint8)}
    nodes = tree.nodes.arrays()
    arrays.update({f"nodes.{name}": nodes[name] for name in _NODES})
    if len(tree.nodes.competitor_question):
        arrays.update({f"{_OPTIONAL}{name}": nodes[name] for name in OPTIONAL})
    arrays.update({f"questions.{name}": array for name, array in tree.questions.arrays().items()})
    return container.packed(arrays, {"hornbeam": library_version(), "kind": "tree"})


def from_bytes(data: bytes) -> Tree:
    """The tree of a model file's bytes, checked through and through."""
    arrays, about, offsets = container.unpacked(bytes(data))
    if about.get("kind") != "tree":
        raise ModelFileError(
            f"The model is a {shown(about.get('kind', '?'))}; a tree is needed.", hint="A newer hornbeam may read it."
        )
    _check_array_names(arrays)
    try:
        return validated(_built(arrays))
    except ModelFileError as error:
        array = error.facts.get("array", _TEXT)
        array = array if array in arrays else f"optional.{array}"
        item = arrays[array]
        row = item.itemsize * (item.shape[1] if item.ndim == 2 else 1)
        at = offsets[array] + row * int(error.facts.get("index", 0))
        raise ModelFileError(f"Model file, byte {at}: {error.message}", hint=error.hint, offset=at) from None


def library_version() -> str:
    """The version of hornbeam, as model files note it."""
    try:
        return importlib.metadata.version("hornbeam")
    except importlib.metadata.PackageNotFoundError:
        return "0"


def _check_array_names(arrays: dict[str, npt.NDArray[Any]]) -> None:
    wanted: dict[str, Any] = {_TEXT: np.dtype(np.uint8)}
    wanted |= {f"nodes.{name}": np.dtype(NODE_DTYPES[name]) for name in _NODES}
    wanted |= {f"questions.{name}": array.dtype for name, array in empty_table().arrays().items()}
    if any(name.startswith(_OPTIONAL) for name in arrays):
        wanted |= {f"{_OPTIONAL}{name}": np.dtype(NODE_DTYPES[name]) for name in OPTIONAL}
    for name, dtype in wanted.items():
        if name not in arrays:
            raise ModelFileError(f"The model lacks the array {shown(name)}.")
        if arrays[name].dtype != dtype or arrays[name].ndim != (2 if name == "nodes.stats" else 1):
            raise ModelFileError(f"Array {shown(name)} has another type or shape than it must have.")
    for name in arrays:
        if name not in wanted and not name.startswith("optional."):
            raise ModelFileError(f"The model needs {shown(name)}, which is unknown here.", hint="Upgrade hornbeam.")


def _built(arrays: dict[str, npt.NDArray[Any]]) -> Tree:
    """A tree from arrays and description; what the description says is checked here, the arrays by the gate."""
    about = plain_values.loaded(arrays[_TEXT].tobytes())
    if not isinstance(about, dict) or set(about) != {"facts", "names", "recipe", "schema", "unseen"}:
        raise ModelFileError("The description does not name schema, names, recipe, facts and unseen.")
    schema, names = about["schema"], about["names"]
    if not isinstance(schema, dict) or set(schema) != {"columns", "target"} or not isinstance(schema["columns"], list):
        raise ModelFileError("The description has no schema.")
    if not isinstance(about["facts"], dict) or not isinstance(about["recipe"], dict) or not isinstance(names, list):
        raise ModelFileError("Facts, recipe or names are of another kind than they must be.")
    for name in names:
        check_text(name, "A question's name")
    target = schema["target"]
    return Tree(
        schema=Schema(tuple(map(_spec_in, schema["columns"])), None if target is None else _spec_in(target)),
        nodes=nodes_from(
            {
                name: arrays[f"{place}{name}"]
                for place, names in (("nodes.", _NODES), (_OPTIONAL, OPTIONAL))
                for name in names
                if f"{place}{name}" in arrays
            }
        ),
        questions=QuestionTable(**{name: arrays[f"questions.{name}"] for name in _QUESTIONS}, names=tuple(names)),
        recipe=about["recipe"],
        facts=about["facts"],
        unseen=about["unseen"],
    )


def _spec_out(spec: ColumnSpec) -> dict[str, Any]:
    return {"kind": str(spec.kind), "levels": list(spec.levels), "name": spec.name}


def _spec_in(given: Any) -> ColumnSpec:
    if not isinstance(given, dict) or set(given) != {"kind", "levels", "name"} or not isinstance(given["levels"], list):
        raise ModelFileError("A column is not described by kind, levels and name.")
    if given["kind"] not in list(Kind):
        raise ModelFileError(f"Column kind {shown(given['kind'])} is unknown.")
    if any(isinstance(level, (list, dict, tuple)) for level in given["levels"]):
        raise ModelFileError(f"A level of column {shown(given['name'])} is not a plain value.")
    return ColumnSpec(given["name"], Kind(given["kind"]), tuple(given["levels"]))


def _read_once(path: str, largest: int) -> bytes:
    """All bytes of a regular file that does not change meanwhile."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise ModelFileError(f"{_named(path)} is not a regular file.", path=path)
        if about.st_size > largest:
            raise ModelFileError(f"{_named(path)} has {about.st_size} bytes; at most {largest} are read.", path=path)
        data = file.read(about.st_size + 1)
    if len(data) != about.st_size:
        raise ModelFileError(f"{_named(path)} changed while it was read.", hint="Try again.", path=path)
    return data


def _named(path: str) -> str:
    """A path in a message: longer than other values may be, for its end is what tells files apart."""
    return shown(path, 1000)


def _neighbours(path: str) -> list[str]:
    try:
        return [name for name in os.listdir(os.path.dirname(path) or ".") if name.endswith(SUFFIX)]
    except OSError:
        return []


def reduced(tree: Tree) -> tuple[Any, ...]:
    """What pickle keeps of a tree: the bytes of its model file."""
    return (from_bytes, (to_bytes(tree),))
