"""Which rows does a reduction learn from?  X as the user gave it, the class of every row as a code, and weights.

The base classifier sees X itself (array, sparse matrix, data frame, list of rows), some rows at a time. The table holds
the same rows as columns with kinds; only what chooses a class tree looks at it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hornbeam.table.table import Table

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Answer = TypeVar("Answer")


@dataclasses.dataclass(frozen=True, eq=False)
class Problem:
    """Rows of classes 0 .. n_classes - 1, and the classifier that is to tell two groups of them apart."""

    base: Any
    X: Any
    table: Table
    codes: Rows
    n_classes: int
    weights: Floats | None = None
    seed: int | None = None
    threads: int = 1

    @property
    def row_weights(self) -> Floats:
        """The weight of every row, 1 where none was given."""
        return np.ones(len(self.codes)) if self.weights is None else self.weights

    def rows_of(self, classes: Sequence[int]) -> Rows:
        """The rows of some classes, ascending."""
        return np.flatnonzero(np.isin(self.codes, classes)).astype(np.int64)


def indexable(X: Any) -> Any:
    """The same rows so that some can be taken: a sparse matrix by rows, what only looks like an array as one."""
    if hasattr(X, "tocsr"):
        return X.tocsr()
    is_held = hasattr(X, "__getitem__") or hasattr(X, "__dataframe__")
    return X if is_held else np.asarray(X)


def take_rows(X: Any, rows: Rows) -> Any:
    """Some rows of what `indexable` has made ready."""
    from sklearn.utils import _safe_indexing

    if isinstance(X, Mapping):
        return {name: _safe_indexing(values, rows) for name, values in X.items()}
    return _safe_indexing(X, rows)


def run_in_order(jobs: Sequence[Callable[[], Answer]], threads: int) -> list[Answer]:
    """The answers of independent jobs, in the order of the jobs whatever the number of threads."""
    if threads == 1 or len(jobs) < 2:
        return [job() for job in jobs]
    from sklearn.utils.parallel import Parallel, delayed

    return list(Parallel(n_jobs=threads, prefer="threads")(delayed(job)() for job in jobs))
