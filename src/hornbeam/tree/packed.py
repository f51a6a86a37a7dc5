"""Which arrays of a tree are kept in fewer bytes than they are handed out in?

    narrow   whole numbers in the narrowest type that holds them: class counts and rows, one or two bytes each for eight
    inner    the inner nodes' values, where those of the leaves are 0: gain, and impurity where the leaves are pure

The core packs the arrays of all but small trees. In full they are made when asked for and live as long as somebody
holds them; those asked for last are held here, so that asking again and again, node after node, makes them once, and
yet a forest that was looked through keeps none but the last.
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

# How many long arrays are held: two trees have no more of them in full. Short ones, in bytes, may stay.
_MOST_HELD = 8
_SHORT = 1 << 14


class LazyArray:
    """An array that is made when asked for and held for a while: until a few other long ones were asked for."""

    __slots__ = ("__weakref__", "_held", "_made")

    def __init__(self) -> None:
        self._made: weakref.ref[Array] | None = None
        self._held: Array | None = None

    def make(self, of: Any) -> Array:
        """The array, made anew from what it belongs to."""
        raise NotImplementedError

    def __call__(self, of: Any) -> Array:
        """The array, read-only; nobody holds it but who asks."""
        made = None if self._made is None else self._made()
        if made is None:
            made = self.make(of)
            made.flags.writeable = False
            self._made = weakref.ref(made)
        return made

    def cached(self, of: Any) -> Array:
        """The array, read-only; it stays in memory until several other long arrays were read."""
        held = self._held
        if held is None:
            held = self._held = self(of)
            if held.nbytes > _SHORT:
                _hold(self)
        return held

    def let_go(self) -> None:
        """Hold the array no longer."""
        self._held = None


class Packed(LazyArray):
    """An array of nodes that is kept in fewer bytes."""

    __slots__ = ("kept",)

    def __init__(self, kept: Array) -> None:
        super().__init__()
        self.kept = kept


class Narrow(Packed):
    """Whole numbers in a narrow type."""

    __slots__ = ("_dtype",)

    def __init__(self, kept: Array, dtype: npt.DTypeLike) -> None:
        super().__init__(kept)
        self._dtype = np.dtype(dtype)

    def make(self, of: Nodes) -> Array:
        """The numbers in the type that nodes hand out."""
        return self.kept.astype(self._dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Narrow, (self.kept, self._dtype))


class Inner(Packed):
    """Numbers of the inner nodes; leaves have 0."""

    __slots__ = ("_first_child",)

    def __init__(self, kept: Array, first_child: Array) -> None:
        super().__init__(kept)
        self._first_child = first_child

    def make(self, of: Nodes) -> Array:
        """The numbers of all nodes."""
        out = np.zeros(len(self._first_child), dtype=self.kept.dtype)
        out[self._first_child >= 0] = self.kept
        return out

    def __reduce__(self) -> tuple[Any, ...]:
        return (Inner, (self.kept, self._first_child))


def lazy_arrays(given: Mapping[str, Array]) -> dict[str, Array | Packed]:
    """The arrays of the core, those that it has packed as what gives them back in full."""
    out: dict[str, Array | Packed] = dict(given)
    first_child = given["first_child"]
    for name, dtype in (("stats", np.float64), ("rows", np.int64)):
        if given[name].dtype.kind == "u":
            out[name] = Narrow(given[name], dtype)
    for name in ("gain", "impurity"):
        if name in given and len(given[name]) != len(first_child):
            out[name] = Inner(given[name], first_child)
    return out


_HELD: deque[weakref.ref[LazyArray]] = deque()
_LOCK = threading.Lock()


def _hold(latest: LazyArray) -> None:
    """Note who holds a long array; who did so long ago lets it go."""
    with _LOCK:
        _HELD.append(weakref.ref(latest))
        while len(_HELD) > _MOST_HELD:
            oldest = _HELD.popleft()()
            if oldest is not None:
                oldest.let_go()
