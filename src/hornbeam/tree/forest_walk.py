"""What do many trees say of every row?  Every row goes down one member after the other; what the members say is added
up in their order, so that the sums are the same on any number of threads.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest


@dataclasses.dataclass(frozen=True, eq=False)
class Told:
    """The members' answers added up (rows, width), and which rows a member shared out or found without a branch."""

    totals: npt.NDArray[np.float64]
    is_shared: npt.NDArray[np.bool_]
    met_unseen: npt.NDArray[np.bool_]


def told(forest: Forest, columns: Sequence[Column], *, threads: int | None = None, engine: str = "core") -> Told:
    """Shares and numbers as a mean, scores as a sum with the base."""
    n = walk.n_rows_of(columns)
    out = Told(np.zeros((n, forest.width)), np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_))
    if forest.combine == "sum":
        out.totals[:] = forest.base
    with_unseen = any(spec.has_levels for spec in forest.schema.columns)
    for tree, weight, output in zip(forest.trees, forest.weights, forest.output, strict=True):
        ends, met = walk.reached(tree, columns, with_unseen=with_unseen, threads=threads, engine=engine)
        said = walk.values_at(tree, columns, ends, threads=threads, engine=engine)
        if with_unseen:
            out.met_unseen[:] |= met
        out.is_shared[:] |= ends < 0
        if forest.combine == "sum":
            out.totals[:, output] += weight * said[:, 0]
        elif forest.combine == "vote":
            out.totals[np.arange(n), walk.codes_at(tree, ends, said)] += weight
        else:
            out.totals[:] += weight * said
    if forest.combine != "sum":
        out.totals[:] /= forest.weights.sum()
    return out


def linked(forest: Forest, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sums as class shares or numbers."""
    if forest.link == "logistic":
        with np.errstate(over="ignore"):
            second = 1.0 / (1.0 + np.exp(-scores[:, 0]))
        return np.column_stack([1.0 - second, second])
    if forest.link == "softmax":
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: npt.NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
        return shares
    return np.exp(scores) if forest.link == "exp" else scores
