"""Reads the text format of LightGBM models: `key=value` lines, a block per tree, and the levels of pandas columns.

Every length is checked against `num_leaves`, and every number against what it may refer to, before it is used.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError, short_repr

VERSIONS = ("v2", "v3", "v4")
_END = "end of trees"
_PANDAS = "pandas_categorical:"
_CATEGORICAL = "[categorical_feature:"


@dataclasses.dataclass(frozen=True)
class Block:
    """The `key=value` lines of one part of the file; `place` names the part in errors."""

    place: str
    values: Mapping[str, str]

    def fail(self, key: str, problem: str) -> NoReturn:
        """Raise an error that names the place."""
        raise ModelFileError(f"{self.place}, {key}: {problem}.", place=self.place, key=key)

    def text(self, key: str, default: str | None = None) -> str:
        """A value as text."""
        if key in self.values:
            return self.values[key]
        if default is None:
            self.fail(key, "the line is missing")
        return default

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A value as an integer in a range."""
        text = self.text(key, None if default is None else str(default))
        try:
            value = int(text)
        except ValueError:
            self.fail(key, f"an integer is needed, got {short_repr(text)}")
        if not low <= value <= high:
            self.fail(key, f"a number from {low} to {high} is needed, got {value}")
        return value

    def integers(self, key: str, length: int) -> npt.NDArray[np.int64]:
        """A value as a list of integers of this length."""
        try:
            found = np.array([int(each) for each in self.text(key).split()], dtype=np.int64)
        except (ValueError, OverflowError):
            self.fail(key, "integers of at most 64 bits are needed")
        return self._of_length(key, found, length)

    def floats(
        self, key: str, length: int, default: npt.NDArray[Any] | None = None, *, infinite: bool = False
    ) -> npt.NDArray[Any]:
        """A value as a list of floats of this length; `infinite`: whether they may be infinite."""
        if key not in self.values and default is not None:
            return default
        try:
            found = np.array([float(each) for each in self.text(key).split()], dtype=np.float64)
        except ValueError:
            self.fail(key, "numbers are needed")
        wrong = np.isnan(found) if infinite else ~np.isfinite(found)
        if wrong.any():
            self.fail(key, f"number {int(np.flatnonzero(wrong)[0])} is {found[wrong][0]}")
        return self._of_length(key, found, length)

    def _of_length(self, key: str, found: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
        if len(found) != length:
            self.fail(key, f"{length} numbers are needed, got {len(found)}")
        return found


@dataclasses.dataclass(frozen=True)
class Parsed:
    """The parts of a file."""

    header: Block
    trees: list[Block]
    flags: frozenset[str]
    pandas_levels: list[list[Any]]
    categorical: frozenset[int]


def parse(data: bytes, name: str) -> Parsed:
    """The parts of a model file; an error with the place if it is damaged or of an unknown version."""
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{name}: byte {error.start} is not UTF-8 text.", byte=error.start) from None
    if _END not in lines:
        raise ModelFileError(f"{name} is truncated: the line {short_repr(_END)} is missing.")
    end = lines.index(_END)
    starts = [index for index in range(end) if lines[index].startswith("Tree=")]
    header = _block(f"{name}: header", lines[1 : starts[0] if starts else end])
    version = header.text("version")
    if version not in VERSIONS:
        raise ModelFileError(
            f"{name}: LightGBM's model version {short_repr(version)} is not known.",
            hint=f"Known: {', '.join(VERSIONS)}.",
        )
    trees = []
    for number, (start, stop) in enumerate(zip(starts, [*starts[1:], end], strict=True)):
        if lines[start] != f"Tree={number}":
            raise ModelFileError(f"{name}, line {start + 1}: Tree={number} is needed, got {short_repr(lines[start])}.")
        trees.append(_block(f"{name}: tree {number}", lines[start:stop]))
    flags = frozenset(line for line in lines[1 : starts[0] if starts else end] if line and "=" not in line)
    return Parsed(header, trees, flags, _pandas_levels(lines[end:], name), _categorical(lines[end:]))


def _block(place: str, lines: list[str]) -> Block:
    values: dict[str, str] = {}
    for line in lines:
        key, separator, value = line.partition("=")
        if separator:
            if key in values:
                raise ModelFileError(f"{place}: the line {short_repr(key)} appears twice.")
            values[key] = value.strip()
    return Block(place, values)


def _pandas_levels(lines: list[str], name: str) -> list[list[Any]]:
    """The levels of the pandas columns with categories, in the order of the columns."""
    found = next((line for line in lines if line.startswith(_PANDAS)), f"{_PANDAS}null")
    try:
        levels = json.loads(found[len(_PANDAS) :])
    except (ValueError, RecursionError):
        levels = ""
    if levels is None:
        return []
    if not isinstance(levels, list) or not all(isinstance(each, list) for each in levels):
        raise ModelFileError(f"{name}: {_PANDAS} a list of lists is needed.")
    if not all(isinstance(level, (str, int, float, bool)) for each in levels for level in each):
        raise ModelFileError(f"{name}: {_PANDAS} levels must be text or numbers.")
    return levels


def _categorical(lines: list[str]) -> frozenset[int]:
    """The categorical columns among the parameters of the training, if they are recorded."""
    found = next((line for line in lines if line.startswith(_CATEGORICAL)), "")
    parts = found.removeprefix(_CATEGORICAL).rstrip("]").split(",")
    return frozenset(
        int(part) for part in parts if part.strip().isascii() and part.strip().isdigit() and len(part) < 10
    )
