"""Arrays of nodes that are stored in fewer bytes than they have as attributes of `Nodes`.

    narrow   integers in the narrowest type: class counts and rows, one or two bytes each instead of eight
    inner    the values of inner nodes, where those of leaves are 0: gain, and impurity if the leaves are pure

The core packs the arrays of all but small trees. The expanded arrays are computed when they are read. The most recently
read ones are cached, so that repeated reads of one tree expand them once and a pass over a forest keeps only the last.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from hornbeam.tree.nodes import Nodes

Array = npt.NDArray[Any]

# Long arrays that stay in memory: those of two trees. Arrays of up to _SHORT bytes are not counted.
_MAX_CACHED = 8
_SHORT = 1 << 14


class LazyArray:
    """An array that is computed when it is read and cached until several other long arrays were read."""

    __slots__ = ("__weakref__", "_cached", "_weak")

    def __init__(self) -> None:
        self._weak: weakref.ref[Array] | None = None
        self._cached: Array | None = None

    def make(self, of: Any) -> Array:
        """Compute the array of its owner."""
        raise NotImplementedError

    def __call__(self, of: Any) -> Array:
        """The array, read-only; only the caller keeps it in memory."""
        array = None if self._weak is None else self._weak()
        if array is None:
            array = self.make(of)
            array.flags.writeable = False
            self._weak = weakref.ref(array)
        return array

    def cached(self, of: Any) -> Array:
        """The array, read-only; it stays in memory until several other long arrays were read."""
        cached = self._cached
        if cached is None:
            cached = self._cached = self(of)
            if cached.nbytes > _SHORT:
                _record(self)
        return cached

    def drop_cached(self) -> None:
        """Remove the array from the cache."""
        self._cached = None


class Packed(LazyArray):
    """An array of nodes that is stored in fewer bytes."""

    __slots__ = ("kept",)

    def __init__(self, kept: Array) -> None:
        super().__init__()
        self.kept = kept


class Narrow(Packed):
    """Integers in a narrow type."""

    __slots__ = ("_dtype",)

    def __init__(self, kept: Array, dtype: npt.DTypeLike) -> None:
        super().__init__(kept)
        self._dtype = np.dtype(dtype)

    def make(self, of: Nodes) -> Array:
        """The values in the type of the attribute of `Nodes`."""
        return self.kept.astype(self._dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Narrow, (self.kept, self._dtype))


class Inner(Packed):
    """Values of the inner nodes; those of leaves are 0."""

    __slots__ = ("_first_child",)

    def __init__(self, kept: Array, first_child: Array) -> None:
        super().__init__(kept)
        self._first_child = first_child

    def make(self, of: Nodes) -> Array:
        """The values of all nodes."""
        out = np.zeros(len(self._first_child), dtype=self.kept.dtype)
        out[self._first_child >= 0] = self.kept
        return out

    def __reduce__(self) -> tuple[Any, ...]:
        return (Inner, (self.kept, self._first_child))


def lazy_arrays(given: Mapping[str, Array]) -> dict[str, Array | Packed]:
    """The arrays of the core; those that it packed as objects that expand them."""
    out: dict[str, Array | Packed] = dict(given)
    first_child = given["first_child"]
    for name, dtype in (("stats", np.float64), ("rows", np.int64)):
        if given[name].dtype.kind == "u":
            out[name] = Narrow(given[name], dtype)
    for name in ("gain", "impurity"):
        if name in given and len(given[name]) != len(first_child):
            out[name] = Inner(given[name], first_child)
    return out


_CACHED: deque[weakref.ref[LazyArray]] = deque()
_LOCK = threading.Lock()


def _record(latest: LazyArray) -> None:
    """Record that a long array is cached; remove the oldest from the cache."""
    with _LOCK:
        _CACHED.append(weakref.ref(latest))
        while len(_CACHED) > _MAX_CACHED:
            oldest = _CACHED.popleft()()
            if oldest is not None:
                oldest.drop_cached()
