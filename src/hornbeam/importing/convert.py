"""`convert`: a model of another program as a tree or a forest."""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Sequence
from typing import Any

from hornbeam.errors import InputError, ModelFileError, short_repr
from hornbeam.importing.machinery.source import Given, Source
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

MAX_BYTES = 2 << 30
_NOT_SOURCES = ("convert", "refill", "machinery")


def convert(
    model: Any,
    *,
    columns: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
    target: str | None = None,
    max_bytes: int = MAX_BYTES,
) -> Tree | Forest:
    """A fitted model of scikit-learn, LightGBM or XGBoost, or a model file of LightGBM, XGBoost or PMML, converted.

    `model` is the object, the path of the file or its bytes. Every row ends in the same leaf of each tree. `columns`,
    `classes` and `target` replace the names of the source. A file may have at most `max_bytes` bytes.
    """
    given = _given(model, max_bytes, columns=columns, classes=classes, target=target)
    for source in sources():
        if source.accepts(given):
            return source.convert(given)
    titles = ", ".join(source.title for source in sources())
    if given.data is not None:
        raise ModelFileError(
            f"{given.name} is not a model of a known format: it begins with {short_repr(given.data[:16])}.",
            hint=f"Formats: {titles}. Load a pickle with its own library and pass the object.",
        )
    kind = type(model)
    raise InputError(
        f"A {kind.__module__}.{kind.__qualname__} cannot be converted.",
        hint=_inner_hint(model) or f"Sources: {titles}.",
    )


def _inner_hint(model: Any) -> str:
    """How to reach the model inside of a pipeline or a search of scikit-learn."""
    if hasattr(model, "steps"):
        return "Convert its last step, model[-1]; the columns are then those that the other steps produce."
    return "Convert model.best_estimator_." if hasattr(model, "best_estimator_") else ""


def sources() -> list[type[Source]]:
    """All sources: the classes of the files of this folder."""
    package = importlib.import_module("hornbeam.importing")
    for module in pkgutil.iter_modules(package.__path__):
        if module.name not in _NOT_SOURCES:
            importlib.import_module(f"hornbeam.importing.{module.name}")
    return sorted(Source.__subclasses__(), key=lambda source: source.title)


def _given(model: Any, max_bytes: int, **names: Any) -> Given:
    """The argument with the bytes of its file."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        data, name = bytes(model), "The model"
    elif isinstance(model, (str, os.PathLike)):
        name = os.fspath(model)
        try:
            size = os.path.getsize(name)
            with open(name, "rb") as file:
                data = file.read(max_bytes + 1)
        except OSError as error:
            raise ModelFileError(f"Cannot read {short_repr(name)}: {error.strerror or error}.", path=name) from None
        if size > max_bytes or len(data) > max_bytes:
            raise ModelFileError(f"{short_repr(name)} is larger than max_bytes={max_bytes}.", path=name)
    else:
        return Given(value=model, **names)
    if len(data) > max_bytes:
        raise ModelFileError(f"{name} has {len(data)} bytes, more than max_bytes={max_bytes}.")
    return Given(data=data, name=os.path.basename(name), **names)
