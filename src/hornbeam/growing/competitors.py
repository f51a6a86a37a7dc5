"""Which questions came next?  After the chosen one the same rule chooses again among the others (definition 4.4)."""

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
    most: int,
) -> list[tuple[Candidate, float]]:
    """The next best candidates with what they were compared by, best first; none that is barred or gains nothing."""
    tolerance = criterion.tolerance(view.stats, view.targets)
    left = [place for place in range(len(candidates)) if place != chosen and values[place] > tolerance]
    found: list[tuple[Candidate, float]] = []
    while left and len(found) < most:
        best, incumbent = left[0], -float("inf")
        for place in left:
            shown = values[place] / view.sample.cost(candidates[place].question)
            if shown - incumbent > tolerance:
                best, incumbent = place, shown
        left.remove(best)
        found.append((candidates[best], values[best]))
    return found
