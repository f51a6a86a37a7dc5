"""The competing questions of a node: after the chosen one, the same rule chooses among the others (definition 4.4)."""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, NodeView


def runners_up(
    candidates: Sequence[Candidate],
    values: Sequence[float],
    chosen: int,
    view: NodeView,
    criterion: Criterion,
    n_competitors: int,
) -> list[tuple[Candidate, float]]:
    """The next best candidates with the values they were compared by, best first; excluded ones are not among them."""
    tolerance = criterion.tolerance(view.stats, view.targets)
    left = [index for index in range(len(candidates)) if index != chosen and values[index] > tolerance]
    found: list[tuple[Candidate, float]] = []
    while left and len(found) < n_competitors:
        best, incumbent = left[0], -float("inf")
        for index in left:
            value = values[index] / view.sample.cost(candidates[index].question)
            if value - incumbent > tolerance:
                best, incumbent = index, value
        left.remove(best)
        found.append((candidates[best], values[best]))
    return found
