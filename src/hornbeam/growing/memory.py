"""How much memory will growing take beside the table?  Told from sizes, before anything is made.

    cells   eight bytes each while nodes are large: rank and row of every value, in the order of its column; four when
            all nodes are small (columns of few values take less)
    rows    target, places and marks, and what every thread sorts a column in
    nodes   statistics and questions, while they are recorded and once more when they are put together; most of them
            come when cells take four bytes

How many nodes there will be nobody knows. What is refused counts the most that there can be, two a row; what is told
counts a leaf for every ten rows where classes are told apart, for every two where cuts are drawn at random, and one for
as few rows as it may have where numbers are.
"""

from __future__ import annotations

from hornbeam.growing.sample import PreparedData
from hornbeam.options import thread_count
from hornbeam.parts.stops.max_depth import MaxDepth

_DEEPEST = 40


def tree_bytes(n_rows: int, n_columns: int, n_nodes: float, *, threads: int = 1, width: int = 2) -> int:
    """The bytes at the peak for a tree of so many nodes; `width` is how many numbers a node's statistics have."""
    rows, cells = 64 * n_rows * threads, n_rows * n_columns
    # Threads keep what they have freed apart from each other.
    lists = (12 if threads > 1 else 8) * cells
    return int(rows + max(lists, 4 * cells + n_nodes * (320 + 16 * width)))


def likely_nodes(start: PreparedData) -> float:
    """About how many nodes a tree will have: fewer where leaves must be large or paths short."""
    are_drawn = any(search.name == "random_cuts" for search in start.method.searches)
    of_classes = 2 if are_drawn else 10
    rows_a_leaf = max(of_classes if start.sample.n_classes else 1, start.method.limits.rows)
    leaves = start.sample.n_rows / rows_a_leaf
    depth = next((stop.depth for stop in start.method.stops if isinstance(stop, MaxDepth)), _DEEPEST)
    return 1 + 2 * min(leaves, 2.0 ** min(depth, _DEEPEST))


def likely_bytes(start: PreparedData, threads: int | None = None) -> int:
    """About what growing a tree will take; `threads` None: all there are."""
    from hornbeam import _native

    sample = start.sample
    work = {"threads": thread_count(threads) or _native.default_threads(), "width": max(3, sample.n_classes)}
    return tree_bytes(sample.n_rows, len(sample.columns), likely_nodes(start), **work)
