"""Is it best to ask whether a value is missing at all?

Where missing values count as a signal (`Sample.holes` is "either" or "branch"), "is the column missing?" competes with
the column's other questions (definition 7.6) and stands for the column where it beats them all. On a tie they stay,
but a branch of its own must be worth it: there they must beat the simple question.
"""

from __future__ import annotations

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView
from hornbeam.parts.searches.is_missing import missing_question


def with_missing_question(
    view: NodeView, column: int, found: list[Candidate], criterion: Criterion, limits: Limits
) -> list[Candidate]:
    """A column's candidates, or the question whether it is missing where that is better than all of them."""
    if view.sample.missing_mode not in ("either", "branch"):
        return found
    asked = missing_question(view, column, criterion, limits)
    tolerance = criterion.tolerance(view.stats, view.targets)
    if asked is None:
        return found
    margin = -tolerance if view.sample.missing_mode == "either" else tolerance
    return found if any(each.score - asked.score > margin for each in found) else [asked]
