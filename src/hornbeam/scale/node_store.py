"""NodeStore: the node of every row of the pieces of this process, so that rows are routed one level per round.

What is stored only saves time: rows without it are routed from the root. A tree only grows, so a node that a row was at
is on its way to any later node.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hornbeam.scale.binned import BinnedPiece

Nodes = npt.NDArray[np.int32]
_MAX_BYTES = 1 << 28


@dataclasses.dataclass(frozen=True)
class GrowingTree:
    """A tree that grows: the name of its growth, its number there, and how many trees had this number before."""

    growth: str
    number: int
    turn: int


class NodeStore:
    """The nodes of rows by tree and piece, up to some bytes; those that are in use are not in the store."""

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._nodes: OrderedDict[tuple[GrowingTree, int, int], tuple[int, Nodes]] = OrderedDict()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def nodes(self, tree: GrowingTree, piece: BinnedPiece, n_nodes: int) -> Iterator[Nodes]:
        """The nodes of the rows of a piece, to be updated for the tree as it is now, with `n_nodes` nodes."""
        name = (tree, piece.first_row, piece.n_rows)
        with self._lock:
            before, found = self._nodes.pop(name, (0, None))
        if found is None or before > n_nodes:
            found = np.zeros(piece.n_rows, dtype=np.int32)
        yield found
        with self._lock:
            self._nodes[name] = n_nodes, found
            while sum(each.nbytes for _, each in self._nodes.values()) > self._max_bytes:
                self._nodes.popitem(last=False)

    def drop(self, growth: str) -> None:
        """Drop the nodes of a growth."""
        with self._lock:
            for name in [name for name in self._nodes if name[0].growth == growth]:
                del self._nodes[name]
