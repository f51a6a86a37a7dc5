"""The arrays of nodes that follow from other arrays: one function per array.

The core, the nodes of a tree and the file of a forest omit these arrays where the functions give the same values. A
forest of a million nodes then stores the children, questions, statistics, impurity and gain alone; the rest would take
half as much memory again and is rarely read.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

_SHORT = 256

Array = npt.NDArray[Any]


class Source(Protocol):
    """Arrays of the nodes of one tree, or of many trees one after the other."""

    @property
    def base(self) -> Any:
        """For each node, the index of the root of its tree; 0 for one tree."""

    def stored(self, name: str) -> Array:
        """An array, whose integers may have a narrower type than `Nodes` returns."""


Derive = Callable[[Source], Array]


def two_branches(source: Source) -> Array:
    """Two branches at each inner node."""
    return np.where(source.stored("first_child") >= 0, 2, 0).astype(np.int32)


def parents(source: Source) -> Array:
    """The parent of each node; -1 for a root."""
    first, base = source.stored("first_child"), source.base
    inner = np.flatnonzero(first >= 0)
    count = source.stored("n_branches")[inner]
    within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    out = np.full(len(first), -1, dtype=np.int32)
    own = np.arange(len(first)) - base
    out[np.repeat((first + base)[inner], count) + within] = np.repeat(own[inner], count)
    return out


def depths(parent: Array) -> npt.NDArray[np.int32]:
    """The depth of each node from its parent, by steps to an ancestor that double in each round."""
    above = np.where(parent < 0, 0, parent)
    steps = (np.asarray(parent) >= 0).astype(np.int32)
    while above.any():
        steps, above = steps + steps[above], above[above]
    return steps


def depths_of(source: Source) -> Array:
    """The depth of each node of one tree."""
    return depths(source.stored("parent"))


def questions_in_order(source: Source) -> Array:
    """Each inner node has a question of its own, in the order of the nodes of its tree."""
    is_inner = source.stored("first_child") >= 0
    before: Array = np.cumsum(is_inner) - is_inner
    base = source.base
    within: Array = before - before[base] if isinstance(base, np.ndarray) else before
    return np.where(is_inner, within, -1).astype(np.int32)


def majority_branches(source: Source) -> Array:
    """The branch of two with the larger weight, the first if both are equal; -1 for leaves."""
    first, weight = source.stored("first_child"), source.stored("weight")
    out = np.full(len(first), -1, dtype=np.int32)
    inner = np.flatnonzero(first >= 0)
    out[inner] = weight[first[inner]] < weight[first[inner] + 1]
    return out


def no_branches(source: Source) -> Array:
    """-1 for each node: rows with a missing value end at the node."""
    return np.full(len(source.stored("first_child")), -1, dtype=np.int32)


def gains(source: Source) -> Array:
    """The score where it is the gain."""
    return source.stored("gain")


def row_counts(source: Source) -> Array:
    """The weight where each row has weight 1."""
    return source.stored("rows").astype(np.float64)


def class_weights(source: Source) -> Array:
    """The weight of all classes together."""
    total: Array = source.stored("stats").sum(axis=1).astype(np.float64, copy=False)
    return total


def majority_classes(source: Source) -> Array:
    """The first of the classes with the largest weight."""
    first: Array = source.stored("stats").argmax(axis=1).astype(np.float64)
    return first


def number_weights(source: Source) -> Array:
    """The weight from the statistics of a regression."""
    return np.ascontiguousarray(source.stored("stats")[:, 0])


def means(source: Source) -> Array:
    """The mean from the statistics of a regression."""
    return np.ascontiguousarray(source.stored("stats")[:, 1])


def variances(source: Source) -> Array:
    """The mean squared distance from the mean, from the statistics of a regression."""
    stats = source.stored("stats")
    variance: Array = stats[:, 2] / stats[:, 0]
    return variance


def no_starts(source: Source) -> Array:
    """The starts of empty ranges, one per node and one more."""
    return ZEROS(len(source.stored("first_child")) + 1)


def zeros(dtype: Any) -> Derive:
    """A function for an array of zeros, one per node."""
    return lambda source: np.zeros(len(source.stored("first_child")), dtype=dtype)


def nothing(dtype: Any) -> Derive:
    """A function for an empty array."""
    empty = np.zeros(0, dtype=dtype)
    empty.flags.writeable = False
    return lambda source: empty


class Shared:
    """Views of one constant array that all trees share; a long array is freed when no view of it is left."""

    def __init__(self, make: Callable[[int], npt.NDArray[Any]]) -> None:
        self._make = make
        self._short = self._read_only(_SHORT)
        self._latest: weakref.ref[npt.NDArray[Any]] | None = None

    def __call__(self, length: int) -> npt.NDArray[Any]:
        """A read-only view of this length."""
        if length <= _SHORT:
            return self._short[:length]
        latest = None if self._latest is None else self._latest()
        if latest is None or not length <= len(latest) <= 4 * length:
            latest = self._read_only(length + length // 4)
            self._latest = weakref.ref(latest)
        return latest[:length]

    def _read_only(self, length: int) -> npt.NDArray[Any]:
        array = self._make(length)
        array.flags.writeable = False
        return array


ZEROS = Shared(lambda n: np.zeros(n, dtype=np.int64))
SHORT_ZEROS = Shared(lambda n: np.zeros(n, dtype=np.int32))
ZERO_BYTES = Shared(lambda n: np.zeros(n, dtype=np.int8))
NONES = Shared(lambda n: np.full(n, -1, dtype=np.int32))
COUNT = Shared(lambda n: np.arange(n, dtype=np.int64))
