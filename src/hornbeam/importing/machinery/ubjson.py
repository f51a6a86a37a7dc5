"""Reads Universal Binary JSON (UBJSON, draft 12) as XGBoost writes it; typed arrays become NumPy arrays.

The nesting is limited, and an array or a text must fit in the bytes that are left, so a small file cannot take much
memory or time.
"""

from __future__ import annotations

import struct
from typing import Any, NoReturn

import numpy as np

from hornbeam.errors import ModelFileError

MAX_DEPTH = 64
_NUMBERS = {"i": ">i1", "U": ">u1", "I": ">i2", "l": ">i4", "L": ">i8", "d": ">f4", "D": ">f8"}
_FORMATS = {"i": ">b", "U": ">B", "I": ">h", "l": ">i", "L": ">q", "d": ">f", "D": ">d"}
_CONSTANTS = {"Z": None, "T": True, "F": False}


def from_ubjson(data: bytes, name: str) -> Any:
    """The value of a UBJSON file."""
    reader = _Reader(data, name)
    value = reader.value(reader.marker(), 0)
    if reader.position != len(data):
        reader.fail(f"{len(data) - reader.position} bytes follow the end")
    return value


class _Reader:
    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.name, self.position = data, name, 0

    def fail(self, problem: str) -> NoReturn:
        raise ModelFileError(f"{self.name}, byte {self.position}: {problem}.", byte=self.position)

    def take(self, count: int) -> bytes:
        if not 0 <= count <= len(self.data) - self.position:
            self.fail(f"{count} bytes are needed, {len(self.data) - self.position} are left")
        found = self.data[self.position : self.position + count]
        self.position += count
        return found

    def marker(self) -> str:
        while True:
            found = self.take(1).decode("latin-1")
            if found != "N":
                return found

    def number(self, marker: str) -> Any:
        if marker not in _FORMATS:
            self.fail(f"a number is needed, got the marker {marker!a}")
        return struct.unpack(_FORMATS[marker], self.take(struct.calcsize(_FORMATS[marker])))[0]

    def length(self) -> int:
        marker = self.marker()
        if marker in ("d", "D"):
            self.fail("a length must be an integer")
        found = int(self.number(marker))
        if not 0 <= found <= len(self.data) - self.position:
            self.fail(f"the length {found} is more than the bytes that are left")
        return found

    def text(self) -> str:
        try:
            return self.take(self.length()).decode("utf-8")
        except UnicodeDecodeError:
            self.fail("the text is not UTF-8")

    def value(self, marker: str, depth: int) -> Any:
        if depth > MAX_DEPTH:
            self.fail(f"values are nested deeper than {MAX_DEPTH}")
        if marker == "[":
            return self.array(depth)
        if marker == "{":
            return self.mapping(depth)
        if marker in ("S", "H"):
            return self.text()
        if marker == "C":
            return self.take(1).decode("latin-1")
        return _CONSTANTS[marker] if marker in _CONSTANTS else self.number(marker)

    def peek(self) -> str:
        return self.data[self.position : self.position + 1].decode("latin-1")

    def array(self, depth: int) -> Any:
        kind = ""
        if self.peek() == "$":
            self.take(1)
            kind = self.take(1).decode("latin-1")
            if self.peek() != "#":
                self.fail("a typed array needs a length")
        if self.peek() == "#":
            self.take(1)
            count = self.length()
            if kind in _NUMBERS:
                dtype = np.dtype(_NUMBERS[kind])
                return np.frombuffer(self.take(count * dtype.itemsize), dtype=dtype).astype(dtype.newbyteorder("="))
            if kind and kind not in ("S", "[", "{"):
                self.fail(f"arrays of the type {kind!a} are not supported")
            return [self.value(kind or self.marker(), depth + 1) for _ in range(count)]
        found = []
        while (marker := self.marker()) != "]":
            found.append(self.value(marker, depth + 1))
        return found

    def mapping(self, depth: int) -> dict[str, Any]:
        if self.peek() == "$":
            self.fail("typed objects are not supported")
        count = None
        if self.peek() == "#":
            self.take(1)
            count = self.length()
        found: dict[str, Any] = {}
        while len(found) != count:
            if count is None and self.peek() == "}":
                self.take(1)
                break
            key = self.text()
            if key in found:
                self.fail(f"the name {key!a} appears twice")
            found[key] = self.value(self.marker(), depth + 1)
        return found
