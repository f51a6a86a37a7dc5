"""Canonical JSON for levels, settings and metadata, which are read back with their type.

Text, integers, true, false, null and finite floats are written as JSON has them (1 and 1.0 stay different); other
values are marked:

    {"$": "date", "v": "2024-02-29"}     also datetime and time
    {"$": "float", "v": "inf"}           also nan
    {"$": "tuple", "v": [...]}
    {"$": "dict", "v": [[key, value]]}   a mapping that has "$" among its keys

Canonical means: keys sorted, no spaces, UTF-8. Reading rejects everything that this module would not write: duplicate
keys, NaN literals, other spacing, more than 16 levels of nesting.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbeam.errors import InputError, ModelFileError, short_repr

MAX_DEPTH = 16

_DATES: dict[str, Any] = {"date": datetime.date, "datetime": datetime.datetime, "time": datetime.time}


def canonical_json(value: Any) -> bytes:
    """A value as canonical JSON."""
    text = json.dumps(_marked(value, 0), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"A text cannot be written as UTF-8: {short_repr(error.object[error.start : error.end])}."
        ) from None


def parse_canonical_json(data: bytes) -> Any:
    """The value of canonical JSON; ModelFileError for anything else."""
    try:
        tree = json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
        value = _unmarked(tree, 0)
        is_canonical = canonical_json(value) == data
    except (ValueError, RecursionError, InputError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ModelFileError(f"The description inside the model is not valid: {what}.") from None
    if not is_canonical:
        raise ModelFileError("The description inside the model is not in canonical form.")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a key appears twice")
    return out


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not a JSON number")


def _marked(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise InputError(f"Values in a model may be nested to depth {MAX_DEPTH}.")
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$": "float", "v": repr(value)}
    for name, kind in _DATES.items():
        if type(value) is kind:
            return {"$": name, "v": value.isoformat()}
    if isinstance(value, (list, tuple)):
        items = [_marked(item, depth + 1) for item in value]
        return items if isinstance(value, list) else {"$": "tuple", "v": items}
    if isinstance(value, Mapping):
        return _marked_mapping(value, depth)
    raise InputError(
        f"A model file cannot store {short_repr(value)} ({type(value).__name__}).", hint="Use text, numbers or dates."
    )


def _marked_mapping(value: Mapping[Any, Any], depth: int) -> Any:
    for key in value:
        if not isinstance(key, str):
            raise InputError(f"Keys of a mapping in a model must be text; got {short_repr(key)}.")
    marked = {key: _marked(item, depth + 1) for key, item in value.items()}
    return {"$": "dict", "v": [[key, marked[key]] for key in sorted(marked)]} if "$" in marked else marked


def _unmarked(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH}")
    if isinstance(value, list):
        return [_unmarked(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    if "$" not in value:
        return {key: _unmarked(item, depth + 1) for key, item in value.items()}
    kind, inner = value["$"], value.get("v")
    if kind == "tuple" and isinstance(inner, list):
        return tuple(_unmarked(item, depth + 1) for item in inner)
    if kind == "dict" and isinstance(inner, list) and all(isinstance(p, list) and len(p) == 2 for p in inner):
        return _once([(key, _unmarked(item, depth + 1)) for key, item in inner])
    if kind == "float" and inner in ("inf", "-inf", "nan"):
        return float(inner)
    if isinstance(kind, str) and kind in _DATES and isinstance(inner, str):
        return _DATES[kind].fromisoformat(inner)
    raise ValueError(f"{short_repr(kind)} is not a known mark")
