"""The container of model files: named arrays and a description as bytes with a hash.

    offset  bytes
    0       8      magic: 0x89 H B T, CR LF, 0x1A, LF (a copy in text mode breaks it)
    8       4 + 4  format, major and minor, little endian
    16      8      length of the whole file
    24      ...    a safetensors file: 8 bytes length of its header, the header (JSON), the arrays, little endian
    -32     32     SHA-256 of all bytes before it

The hash detects accidents, not attacks: the contents are checked as untrusted. The header has one canonical form
(arrays sorted by item size, then by name, without gaps), so the same model gives the same bytes. Readers may ignore
arrays named 'optional.*' that they do not know.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
import sys
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError, short_repr

MAGIC = b"\x89HBT\r\n\x1a\n"
MAJOR, MINOR = 1, 1
HEAD = struct.Struct("<8sIIQ")
HASH = 32
MAX_HEADER = 1 << 20
MAX_ARRAYS = 1024
_DTYPES = {"I8": "<i1", "U8": "<u1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "I64": "<i8", "F32": "<f4", "F64": "<f8"}
_NAMES = {np.dtype(code): name for name, code in _DTYPES.items()}

_SIGNATURES = (
    (b"\x89PNG", "a PNG image"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "a SQLite database"),
    (b"binf", "an XGBoost model"),
    (b"{L\x00", "an XGBoost model"),
    (b"tree\nversion", "a LightGBM model"),
    (b"\x89HBT", "a hornbeam model that was copied as text"),
)


def write_container(arrays: Mapping[str, npt.NDArray[Any]], about: Mapping[str, str]) -> bytes:
    """The bytes of a model file with these arrays and header texts."""
    header, order = _header({name: (array.dtype, array.shape) for name, array in arrays.items()}, about)
    parts = [struct.pack("<Q", len(header)), header]
    for name in order:
        array = arrays[name]
        parts.append(np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).tobytes())
    total = HEAD.size + sum(map(len, parts)) + HASH
    body = b"".join([HEAD.pack(MAGIC, MAJOR, MINOR, total), *parts])
    return body + hashlib.sha256(body).digest()


def _header(
    specs: Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]], about: Mapping[str, str]
) -> tuple[bytes, list[str]]:
    """The canonical safetensors header, and the order of the arrays."""
    order = sorted(specs, key=lambda name: (-specs[name][0].itemsize, name))
    entries: dict[str, Any] = {"__metadata__": dict(about)}
    at = 0
    for name in order:
        dtype, shape = specs[name]
        end = at + dtype.itemsize * math.prod(shape)
        entries[name] = {"data_offsets": [at, end], "dtype": _NAMES[dtype.newbyteorder("<")], "shape": list(shape)}
        at = end
    text = json.dumps(entries, sort_keys=True, separators=(",", ":")).encode("ascii")
    return text + b" " * (-len(text) % 8), order


def read_container(data: bytes) -> tuple[dict[str, npt.NDArray[Any]], dict[str, str], dict[str, int]]:
    """Arrays (views of the bytes), header texts, and the offset of each array; length, hash and header are checked."""
    _check_head(data)
    payload = memoryview(data)[HEAD.size : -HASH]
    length = struct.unpack("<Q", payload[:8])[0] if len(payload) >= 8 else len(payload)
    if length > min(len(payload) - 8, MAX_HEADER):
        _fail(f"the header cannot be {length} bytes long", HEAD.size)
    raw = bytes(payload[8 : 8 + length])
    specs, about = _specs(raw)
    start = HEAD.size + 8 + length
    size = sum(dtype.itemsize * math.prod(shape) for dtype, shape in specs.values())
    if size != len(data) - HASH - start:
        _fail(f"the arrays take {size} bytes; the file has {len(data) - HASH - start}", start)
    header, order = _header(specs, about)
    if header != raw:
        _fail("the header is not in canonical form: a gap, an overlap or another order", HEAD.size + 8)
    arrays: dict[str, npt.NDArray[Any]] = {}
    offsets: dict[str, int] = {}
    at = start
    for name in order:
        dtype, shape = specs[name]
        array = np.frombuffer(data, dtype=dtype, count=math.prod(shape), offset=at).reshape(shape)
        arrays[name] = array if sys.byteorder == "little" else array.astype(dtype.newbyteorder("="))
        offsets[name] = at
        at += array.nbytes
    return arrays, about, offsets


def _specs(raw: bytes) -> tuple[dict[str, tuple[np.dtype[Any], tuple[int, ...]]], dict[str, str]]:
    """The dtype and shape of each array in a header."""
    at = HEAD.size + 8
    try:
        entries = json.loads(raw.decode("ascii"))
    except (ValueError, RecursionError) as error:
        _fail(f"the header is not JSON ({type(error).__name__})", at)
    if not isinstance(entries, dict) or len(entries) > MAX_ARRAYS:
        _fail("the header is not a mapping of arrays", at)
    about = entries.pop("__metadata__", None)
    if not isinstance(about, dict) or not all(isinstance(text, str) for text in about.values()):
        _fail("the header has no metadata", at)
    specs = {}
    for name, entry in entries.items():
        if not isinstance(entry, dict) or set(entry) != {"data_offsets", "dtype", "shape"}:
            _fail(f"array {short_repr(name)} has no valid description", at)
        dtype, shape = entry["dtype"], entry["shape"]
        is_shape = isinstance(shape, list) and len(shape) <= 2
        if not is_shape or not all(type(n) is int and 0 <= n < 2**40 for n in shape):
            _fail(f"array {short_repr(name)} has shape {short_repr(shape)}", at)
        if not isinstance(dtype, str) or dtype not in _DTYPES:
            _fail(f"array {short_repr(name)} has the unknown dtype {short_repr(dtype)}", at)
        specs[name] = (np.dtype(_DTYPES[dtype]), tuple(shape))
    return specs, about


def _check_head(data: bytes) -> None:
    if len(data) < len(MAGIC) and MAGIC.startswith(data):
        _fail("the file is truncated", len(data))
    if not data.startswith(MAGIC):
        raise ModelFileError(
            f"This is not a hornbeam model (it looks like {looks_like(data)}).",
            hint="Use a model file (.tree).",
            offset=0,
        )
    if len(data) < HEAD.size:
        _fail("the file is truncated", len(data))
    _, major, minor, total = HEAD.unpack_from(data)
    if major == 0:
        _fail("format 0 does not exist", 8)
    if major > MAJOR:
        raise ModelFileError(
            f"The model has format {major}.{minor}; this hornbeam reads up to {MAJOR}.{MINOR}.",
            hint="Upgrade hornbeam to read it.",
            offset=8,
        )
    if total != len(data) or total < HEAD.size + HASH:
        what = "is truncated" if len(data) < total else "has bytes after its end"
        _fail(f"the file {what}: {total} bytes are stated, the file has {len(data)}", 16)
    if hashlib.sha256(memoryview(data)[:-HASH]).digest() != data[-HASH:]:
        _fail("the file is damaged: its bytes do not match their hash", len(data) - HASH)


def declared_kind(data: bytes) -> str:
    """The kind of model that the header names, without any check; empty if there is none."""
    start = HEAD.size + 8
    length = int.from_bytes(data[HEAD.size : start], "little")
    try:
        return str(json.loads(data[start : start + min(length, len(data))])["__metadata__"]["kind"])
    except (LookupError, RecursionError, TypeError, ValueError):
        return ""


def looks_like(data: bytes) -> str:
    """The type of a foreign file by its first bytes; nothing is loaded."""
    for start, name in _SIGNATURES:
        if data.startswith(start):
            return name
    if data[:1] == b"\x80" and data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return "a Python pickle, which is never loaded"
    if data[:1] == b"\x08" and data[2:3] in (b"\x12", b"\x1a", b"\x22", b":"):
        return "an ONNX model"
    if data.lstrip()[:1] in (b"{", b"["):
        return "JSON"
    if data.lstrip()[:1] == b"<":
        return "XML or HTML"
    if len(data) > 9 and data[8:9] == b"{":
        return "a bare safetensors file"
    return "text" if data[:512].isascii() and b"\0" not in data[:512] else "binary data of an unknown type"


def _fail(message: str, offset: int) -> NoReturn:
    raise ModelFileError(f"Model file, byte {offset}: {message}.", offset=offset)
