"""Models as serializers see them: the bytes of their file, checked when they come back.

Pickle, cloudpickle, joblib and skops keep what `__getstate__` returns and give it to `__setstate__`. So whatever wrote
a model, and whoever changed it since, it passes the same gate as a model file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hornbeam.errors import ModelFileError

_KEY = "hornbeam_model"


def state_of(data: bytes) -> dict[str, bytes]:
    """What a serializer keeps of a model."""
    return {_KEY: data}


def restore(model: Any, state: Any, read: Callable[[bytes], Any], kind: type) -> None:
    """Fill a model that a serializer has made empty with what it kept."""
    data = state.get(_KEY) if isinstance(state, Mapping) else None
    if not isinstance(data, (bytes, bytearray)):
        raise ModelFileError(f"A {kind.__name__} is restored from the bytes of its file, and there are none.")
    found = read(bytes(data))
    if not isinstance(found, kind):
        raise ModelFileError(f"A {kind.__name__} is needed; the bytes hold a {type(found).__name__}.")
    model.__dict__.update(found.__dict__)
