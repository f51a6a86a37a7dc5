"""The state of models for serializers: the bytes of their model file, checked when they are read.

Pickle, cloudpickle, joblib and skops store what `__getstate__` returns and pass it to `__setstate__`, so a model from a
serializer passes the same checks as a model file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hornbeam.errors import ModelFileError

_KEY = "hornbeam_model"


def state_of(data: bytes) -> dict[str, bytes]:
    """The state of a model for a serializer."""
    return {_KEY: data}


def restore(model: Any, state: Any, read: Callable[[bytes], Any], kind: type) -> None:
    """Fill an empty model from the state that a serializer stored."""
    data = state.get(_KEY) if isinstance(state, Mapping) else None
    if not isinstance(data, (bytes, bytearray)):
        raise ModelFileError(f"A {kind.__name__} is restored from the bytes of its file; the state has none.")
    found = read(bytes(data))
    if not isinstance(found, kind):
        raise ModelFileError(f"A {kind.__name__} is needed; the bytes contain a {type(found).__name__}.")
    model.__dict__.update(found.__dict__)
