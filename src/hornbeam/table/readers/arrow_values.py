"""The numbers of Arrow arrays from their buffers: the conversions of pyarrow import pandas, which takes time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_TYPES = {
    "double": np.float64,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "uint8": np.uint8,
    "uint16": np.uint16,
    "uint32": np.uint32,
    "uint64": np.uint64,
}


def floats(values: Any) -> npt.NDArray[np.float64]:
    """The values of a chunked array of doubles, NaN where null; not copied if there is one chunk without nulls."""
    parts = [_chunk_floats(chunk) for chunk in values.chunks if len(chunk)]
    if not parts:
        return np.empty(0)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def integers(values: Any, null: int) -> npt.NDArray[np.int32]:
    """The values of an array of small integers, with a value instead of null."""
    found = _values(values).astype(np.int32)
    if values.null_count:
        found[_is_null(values)] = null
    return found


def _chunk_floats(chunk: Any) -> npt.NDArray[np.float64]:
    found = _values(chunk)
    if chunk.null_count:
        found = np.where(_is_null(chunk), np.nan, found)
    return found


def _values(array: Any) -> npt.NDArray[Any]:
    """All values of an array without chunks; those of nulls are arbitrary."""
    dtype, content = _TYPES[str(array.type)], array.buffers()[1]
    if content is None or not len(array):
        return np.zeros(len(array), dtype=dtype)
    return np.frombuffer(content, dtype=dtype, count=array.offset + len(array))[array.offset :]


def _is_null(array: Any) -> npt.NDArray[np.bool_]:
    valid = array.buffers()[0]
    if valid is None:
        return np.zeros(len(array), dtype=np.bool_)
    first, last = array.offset // 8, -(-(array.offset + len(array)) // 8)
    bits = np.unpackbits(np.frombuffer(valid, dtype=np.uint8)[first:last], bitorder="little")
    start = array.offset - 8 * first
    found: npt.NDArray[np.bool_] = bits[start : start + len(array)] == 0
    return found
