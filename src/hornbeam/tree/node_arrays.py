"""Which arrays of a tree follow from its others?  Each is a function of the nodes; it is asked when first needed.

A forest of a million nodes keeps what cannot be made again: where the children stand, the questions, statistics,
impurity and gain. What follows from these takes a third of the memory and is seldom asked for.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from hornbeam.tree.nodes import Nodes

_SHORT = 256

Later = Callable[["Nodes"], npt.NDArray[Any]]


def two_branches(nodes: Nodes) -> npt.NDArray[np.int32]:
    """Two branches at every inner node."""
    return np.where(nodes.first_child >= 0, 2, 0).astype(np.int32)


def parents(nodes: Nodes) -> npt.NDArray[np.int32]:
    """The parent of every node; -1 for the root."""
    inner = np.flatnonzero(nodes.first_child >= 0)
    count = nodes.n_branches[inner]
    place = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    out = np.full(len(nodes), -1, dtype=np.int32)
    out[np.repeat(nodes.first_child[inner], count) + place] = np.repeat(inner, count)
    return out


def depths(parent: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """The depth of every node from the parents: steps to an ancestor, which is twice as far away every time."""
    above = np.where(parent < 0, 0, parent)
    steps = (np.asarray(parent) >= 0).astype(np.int32)
    while above.any():
        steps, above = steps + steps[above], above[above]
    return steps


def depths_of(nodes: Nodes) -> npt.NDArray[np.int32]:
    """The depth of every node."""
    return depths(nodes.parent)


def questions_in_order(nodes: Nodes) -> npt.NDArray[np.int32]:
    """Every inner node asks a question of its own, in the order of nodes."""
    is_inner = nodes.first_child >= 0
    return np.where(is_inner, np.cumsum(is_inner) - 1, -1).astype(np.int32)


def majority_branches(nodes: Nodes) -> npt.NDArray[np.int32]:
    """The heavier of two branches, the first where both weigh the same; -1 for leaves."""
    out = np.full(len(nodes), -1, dtype=np.int32)
    inner = np.flatnonzero(nodes.first_child >= 0)
    child, weight = nodes.first_child[inner], nodes.arrays(("weight",))["weight"]
    out[inner] = weight[child] < weight[child + 1]
    return out


def gains(nodes: Nodes) -> npt.NDArray[np.float64]:
    """The score where it is the gain."""
    return nodes.gain


def class_weights(nodes: Nodes) -> npt.NDArray[np.float64]:
    """The weight of all classes together."""
    total: npt.NDArray[np.float64] = nodes.as_kept("stats").sum(axis=1).astype(np.float64, copy=False)
    return total


def majority_classes(nodes: Nodes) -> npt.NDArray[np.float64]:
    """The first of the heaviest classes."""
    first: npt.NDArray[np.float64] = nodes.as_kept("stats").argmax(axis=1).astype(np.float64)
    return first


def number_weights(nodes: Nodes) -> npt.NDArray[np.float64]:
    """The weight that stands in the statistics of numbers."""
    return np.ascontiguousarray(nodes.stats[:, 0])


def means(nodes: Nodes) -> npt.NDArray[np.float64]:
    """The mean that stands in the statistics of numbers."""
    return np.ascontiguousarray(nodes.stats[:, 1])


def variances(nodes: Nodes) -> npt.NDArray[np.float64]:
    """The mean squared distance from the mean, from the statistics of numbers."""
    return nodes.stats[:, 2] / nodes.stats[:, 0]


class Shared:
    """Arrays that say the same in every tree, lent from one that all hold; a long one is gone when nobody holds it."""

    def __init__(self, make: Callable[[int], npt.NDArray[Any]]) -> None:
        self._make = make
        self._short = self._made(_SHORT)
        self._held: weakref.ref[npt.NDArray[Any]] | None = None

    def __call__(self, length: int) -> npt.NDArray[Any]:
        """The first `length` of them, read-only."""
        if length <= _SHORT:
            return self._short[:length]
        held = None if self._held is None else self._held()
        if held is None or not length <= len(held) <= 4 * length:
            held = self._made(length + length // 4)
            self._held = weakref.ref(held)
        return held[:length]

    def _made(self, length: int) -> npt.NDArray[Any]:
        made = self._make(length)
        made.flags.writeable = False
        return made


ZEROS = Shared(lambda n: np.zeros(n, dtype=np.int64))
SHORT_ZEROS = Shared(lambda n: np.zeros(n, dtype=np.int32))
ZERO_BYTES = Shared(lambda n: np.zeros(n, dtype=np.int8))
NONES = Shared(lambda n: np.full(n, -1, dtype=np.int32))
COUNT = Shared(lambda n: np.arange(n, dtype=np.int64))
