"""Saves and loads trees and forests as `.tree` files.

A file contains the schema, the recipe, the metadata, all arrays and the version of the library (`container.py`). Saving
writes canonical bytes, so the same tree gives the same file, and replaces the file in one step (`atomic.py`), so a
crash leaves the old file or the new one. Loading reads the file once, checks length and hash, then the contents
(`validate.py`); nothing in it is executed. Serializers store the same bytes (`serializer_state.py`). The file of a
forest contains the concatenated arrays of its trees in compact form (`forest_compact.py`).
"""

from __future__ import annotations

import importlib.metadata
import os
import stat
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from hornbeam.errors import HornbeamError, MemoryLimitError, ModelFileError, Set, did_you_mean, short_repr
from hornbeam.tree.file import container, plain_values
from hornbeam.tree.file.atomic import write_whole
from hornbeam.tree.file.forest_arrays import check_forest_arrays, forest_from_arrays, forest_to_arrays
from hornbeam.tree.file.older_formats import upgrade_description
from hornbeam.tree.file.tree_arrays import TEXT, check_arrays, tree_from_arrays, tree_to_arrays
from hornbeam.tree.file.validate import validate_tree
from hornbeam.tree.file.validate_metadata import check_metadata
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

SUFFIX = ".tree"
MAX_BYTES = 2 << 30
Model = TypeVar("Model")


def save(model: Tree | Forest, path: str | os.PathLike[str]) -> None:
    """Write a tree or a forest to a file atomically."""
    write_model(os.fspath(path), to_bytes(model))


def load(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> Tree | Forest:
    """Read a tree or a forest from a file of at most `max_bytes` bytes."""
    return read_model(os.fspath(path), from_bytes, max_bytes)


def write_model(path: str, data: bytes) -> None:
    """Write the bytes of any model atomically."""
    write_whole(path, data, ModelFileError)


def read_model(path: str, read: Callable[[bytes], Model], max_bytes: int = MAX_BYTES) -> Model:
    """Any model from the bytes of a file, which is read once; errors give the path."""
    try:
        data = _read_once(path, max_bytes)
    except (OSError, ValueError) as error:
        is_gone = isinstance(error, FileNotFoundError)
        hint = did_you_mean(os.path.basename(path), _neighbours(path)) if is_gone else ""
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(f"Cannot read {_named(path)}: {reason}.", hint=hint, path=path) from error
    try:
        return read(data)
    except ModelFileError as error:
        raise ModelFileError(
            f"{_named(path)}: {error.message}", **error.remedy, **{**error.details, "path": path}
        ) from error


def load_tree(path: str | os.PathLike[str], *, member: int | None = None) -> Tree:
    """Read one tree: that of the file, or one tree of the forest of the file."""
    model = load(path)
    name = _named(os.fspath(path))
    if isinstance(model, Tree):
        if member is None:
            return model
        raise ModelFileError(f"{name} contains a single tree; got member {member}.", path=os.fspath(path))
    if member is None or not 0 <= member < len(model):
        got = "" if member is None else f"; got {member}"
        raise ModelFileError(
            f"{name} contains a forest of {len(model)} trees; one of them is needed{got}.",
            fix=Set("member", purpose=f"from 0 to {len(model) - 1}"),
            path=os.fspath(path),
        )
    return model[member]


def to_bytes(model: Tree | Forest) -> bytes:
    """The bytes of a model file."""
    kind = "forest" if isinstance(model, Forest) else "tree"
    description, arrays = forest_to_arrays(model) if isinstance(model, Forest) else tree_to_arrays(model)
    arrays[TEXT] = np.frombuffer(plain_values.canonical_json(description), dtype=np.uint8)
    return container.write_container(arrays, {"hornbeam": library_version(), "kind": kind})


def from_bytes(data: bytes) -> Tree | Forest:
    """The tree or forest of the bytes of a model file, with all checks."""
    arrays, about, offsets = container.read_container(bytes(data))
    kind = about.get("kind")
    if kind not in ("tree", "forest"):
        hint = (
            "Use hornbeam.load or the command rules to read it." if kind == "rules" else "Upgrade hornbeam to read it."
        )
        raise ModelFileError(f"The model is a {short_repr(kind or '?')}; a tree or a forest is needed.", hint=hint)
    if kind == "tree":
        check_arrays(arrays)
    try:
        if kind == "forest":
            check_forest_arrays(arrays)
        description = upgrade_description(plain_values.parse_canonical_json(arrays[TEXT].tobytes()), kind)
        if kind == "forest":
            return forest_from_arrays(description, arrays)
        tree = validate_tree(tree_from_arrays(description, arrays))
        check_metadata(tree.metadata, tree.recipe, tree.schema)
        return tree
    except ModelFileError as error:
        array = error.details.get("array", TEXT)
        array = array if array in arrays else f"optional.{array}" if f"optional.{array}" in arrays else TEXT
        item = arrays.get(array, np.zeros(1, dtype=np.uint8))
        row = item.itemsize * (item.shape[1] if item.ndim == 2 else 1)
        at = offsets.get(array, 0) + row * int(error.details.get("index", 0))
        raise ModelFileError(f"Model file, byte {at}: {error.message}", **error.remedy, offset=at) from None
    except HornbeamError:
        raise
    except MemoryError:
        raise MemoryLimitError(f"There is not enough memory for a model of {len(data)} bytes.") from None
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise ModelFileError(f"The model is inconsistent ({type(error).__name__}: {error}).") from error


def library_version() -> str:
    """The version of hornbeam for model files."""
    try:
        return importlib.metadata.version("hornbeam")
    except importlib.metadata.PackageNotFoundError:
        return "0"


def _read_once(path: str, max_bytes: int) -> bytes:
    """All bytes of a regular file; an error if its size changes while it is read."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise ModelFileError(f"{_named(path)} is not a regular file.", path=path)
        if about.st_size > max_bytes:
            raise ModelFileError(f"{_named(path)} has {about.st_size} bytes; at most {max_bytes} are read.", path=path)
        data = file.read(about.st_size + 1)
    if len(data) != about.st_size:
        raise ModelFileError(f"{_named(path)} changed while it was read.", hint="Try again.", path=path)
    return data


def _named(path: str) -> str:
    """A path in a message, with a larger limit than other values: its end identifies the file."""
    return short_repr(path, 1000)


def _neighbours(path: str) -> list[str]:
    try:
        return [name for name in os.listdir(os.path.dirname(path) or ".") if name.endswith(SUFFIX)]
    except OSError:
        return []
