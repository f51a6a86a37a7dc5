"""An estimate of the memory that growth needs in addition to the table, from sizes alone.

    cells   eight bytes each while nodes are large: rank and row of every value, in the order of its column; four bytes
            when all nodes are small (columns of few values take less)
    rows    target, positions and marks, and the buffer in which every thread sorts a column
    nodes   statistics and questions while they are recorded, and once more when they are assembled; most of them are
            created when cells take four bytes

The number of nodes is unknown. The hard limit assumes the worst case, two nodes per row. The estimate that is reported
assumes one leaf per ten rows for classes, one per two rows where cuts are random, and one per minimum leaf size for
numbers.
"""

from __future__ import annotations

from hornbeam.growing.sample import PreparedData
from hornbeam.options import thread_count
from hornbeam.parts.stops.max_depth import MaxDepth

_DEEPEST = 40


def tree_bytes(n_rows: int, n_columns: int, n_nodes: float, *, threads: int = 1, width: int = 2) -> int:
    """The peak number of bytes for a tree of `n_nodes` nodes; `width` is the length of a node's statistics."""
    rows, cells = 64 * n_rows * threads, n_rows * n_columns
    # Memory that one thread has freed is not reused by the others.
    lists = (12 if threads > 1 else 8) * cells
    return int(rows + max(lists, 4 * cells + n_nodes * (320 + 16 * width)))


def likely_nodes(start: PreparedData) -> float:
    """The expected number of nodes of a tree: fewer where leaves must be large or paths short."""
    are_random = any(search.name == "random_cuts" for search in start.method.searches)
    rows_of_classes = 2 if are_random else 10
    rows_per_leaf = max(rows_of_classes if start.sample.n_classes else 1, start.method.limits.rows)
    leaves = start.sample.n_rows / rows_per_leaf
    depth = next((stop.depth for stop in start.method.stops if isinstance(stop, MaxDepth)), _DEEPEST)
    return 1 + 2 * min(leaves, 2.0 ** min(depth, _DEEPEST))


def likely_bytes(start: PreparedData, threads: int | None = None) -> int:
    """The expected number of bytes for growing a tree; `threads` None means all available threads."""
    from hornbeam import _native

    sample = start.sample
    work = {"threads": thread_count(threads) or _native.default_threads(), "width": max(3, sample.n_classes)}
    return tree_bytes(sample.n_rows, len(sample.columns), likely_nodes(start), **work)
