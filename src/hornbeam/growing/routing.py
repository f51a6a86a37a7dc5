"""The rows of every branch of a node.

Rows whose branch is known go there. The others go where a surrogate sends them, else to one branch, to none, or to all
branches with a fraction of their weight. A fraction below a millionth of the row's own weight is dropped and the others
grow to compensate (definition 7.4). Fractions are multiples of 2^-59 of the total weight (decision 7).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.parts.missing.base import Surrogate
from hornbeam.parts.node import Candidate, Floats, Integers, NodeView
from hornbeam.table.column import Column
from hornbeam.tree.nodes import ALL_BRANCHES
from hornbeam.tree.questions import Question

_MIN_FRACTION = 1e-6


def route_rows(
    view: NodeView, chosen: Candidate, missing_branch: int, surrogates: Sequence[Surrogate] = ()
) -> list[tuple[Integers, Floats]]:
    """The rows and weights of every branch, rows ascending."""
    branch = branches_of_rows(chosen.question, view)
    n_branches = chosen.n_branches
    for surrogate in surrogates:
        if not (branch < 0).any():
            break
        second = branches_of_rows(surrogate.question, view)
        second = np.where((second >= 0) & surrogate.is_flipped, 1 - second, second)
        branch = np.where(branch < 0, second, branch)
    if missing_branch >= 0:
        branch = np.where(branch < 0, missing_branch, branch)
    if missing_branch == ALL_BRANCHES and (branch < 0).any():
        return _fractional(view, branch, n_branches)
    return [(view.rows[branch == b], view.weights[branch == b]) for b in range(n_branches)]


def branches_of_rows(question: Question, view: NodeView) -> npt.NDArray[np.int32]:
    """The branch of every row of a node."""
    columns: dict[int, Column] = {c: view.sample.columns[c].take(view.rows) for c in question.columns}
    return question.branch(_ByPosition(columns))


class _ByPosition(list[Column]):
    """Some of the columns, by their position in the table."""

    def __init__(self, columns: dict[int, Column]) -> None:
        super().__init__()
        self._columns = columns

    def __getitem__(self, position: int) -> Column:  # type: ignore[override]
        return self._columns[position]


def _fractional(view: NodeView, branch: npt.NDArray[np.int32], n_branches: int) -> list[tuple[Integers, Floats]]:
    """Rows of known branch go there, the others to every branch that has known weight."""
    unknown = branch < 0
    whole = view.weights[unknown]
    known = np.array([math.fsum(view.weights[branch == b].tolist()) for b in range(n_branches)])
    parts = whole[:, None] * (known / math.fsum(view.weights[~unknown].tolist()))[None, :]
    kept = parts >= _MIN_FRACTION * view.sample.weights[view.rows[unknown], None]
    # The majority branch always takes its fraction, so that no row is lost.
    kept[:, int(known.argmax())] = True
    kept &= known[None, :] > 0
    parts = np.where(kept, parts, 0.0)
    unit = math.ldexp(1.0, math.frexp(math.fsum(view.sample.weights.tolist()))[1] - 60)
    grown = parts * (whole / np.cumsum(parts, axis=1)[:, -1])[:, None] / unit
    rounded = np.floor(grown) + (grown - np.floor(grown) >= 0.5)
    parts = np.where(kept, np.maximum(rounded, 1.0) * unit, 0.0)
    out = []
    for b in range(n_branches):
        weights = np.where(branch == b, view.weights, 0.0)
        weights[unknown] = parts[:, b]
        here = weights > 0
        out.append((view.rows[here], weights[here]))
    return out
