"""The training data of a reduction: X as the user passed it, the class of each row as a code, and weights.

The base classifier receives X itself (array, sparse matrix, data frame, list of rows), some rows at a time. The table
has the same rows as typed columns; only the choice of a nested dichotomy uses it.
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
Result = TypeVar("Result")


@dataclasses.dataclass(frozen=True, eq=False)
class Problem:
    """Rows of classes 0 .. n_classes - 1, and the base classifier that separates two groups of them."""

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
        """The weight of each row, 1 by default."""
        return np.ones(len(self.codes)) if self.weights is None else self.weights

    def rows_of(self, classes: Sequence[int]) -> Rows:
        """The rows of some classes, ascending."""
        return np.flatnonzero(np.isin(self.codes, classes)).astype(np.int64)


def indexable(X: Any) -> Any:
    """X in a form that supports row selection: a sparse matrix in CSR format, other array-likes as an array."""
    if hasattr(X, "tocsr"):
        return X.tocsr()
    can_select = hasattr(X, "__getitem__") or hasattr(X, "__dataframe__")
    return X if can_select else np.asarray(X)


def take_rows(X: Any, rows: Rows) -> Any:
    """Some rows of an `indexable` X."""
    from sklearn.utils import _safe_indexing

    if isinstance(X, Mapping):
        return {name: _safe_indexing(values, rows) for name, values in X.items()}
    return _safe_indexing(X, rows)


def run_in_order(jobs: Sequence[Callable[[], Result]], threads: int) -> list[Result]:
    """The results of independent jobs, in the order of the jobs for any number of threads."""
    if threads == 1 or len(jobs) < 2:
        return [job() for job in jobs]
    from sklearn.utils.parallel import Parallel, delayed

    return list(Parallel(n_jobs=threads, prefer="threads")(delayed(job)() for job in jobs))
