"""How the models of folds share the threads: several models at the same time, each on fewer threads.

A small tree hardly uses two threads, but two trees do. The models are fitted one after the other if the table is so
small that starting threads costs more, or if the method has a function of the user, which need not be safe on threads.
"""

from __future__ import annotations

from typing import NamedTuple

from hornbeam.growing.memory import tree_bytes
from hornbeam.growing.method import Method
from hornbeam.options import thread_count
from hornbeam.table.table import Table

_MIN_CELLS = 100_000
_MAX_BYTES = 2**30  # of all trees that grow at the same time
_NODES_PER_ROW = 0.2


class FoldThreads(NamedTuple):
    """The number of models that are fitted at the same time, and the number of threads of each, None for all."""

    at_once: int
    threads: int | None


def fold_threads(table: Table, method: Method, n_folds: int, threads: int | None) -> FoldThreads:
    """How the models of `n_folds` folds of a table share `threads` threads."""
    from hornbeam import _native

    n_rows, n_columns = len(table), len(table.columns)
    total = thread_count(threads) or _native.default_threads()
    if total == 1 or n_rows * n_columns < _MIN_CELLS or _has_function(method):
        return FoldThreads(1, threads)
    room = _MAX_BYTES // tree_bytes(n_rows, n_columns, _NODES_PER_ROW * n_rows)
    at_once = max(1, min(total, n_folds, room))
    return FoldThreads(at_once, max(1, total // at_once)) if at_once > 1 else FoldThreads(1, threads)


def _has_function(method: Method) -> bool:
    return any(callable(value) for part in method.parts() for value in part.settings().values())
