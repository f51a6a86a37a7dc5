"""The question whether a value is missing, where missing values count in the score.

Where `Sample.missing_mode` is "either" or "branch", the question "is the column missing?" competes with the other
questions about the column (definition 7.6) and represents the column if it beats them all. On a tie the others win,
except where missing values have a branch of their own: there the others must beat the simpler question.
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
    question = missing_question(view, column, criterion, limits)
    tolerance = criterion.tolerance(view.stats, view.targets)
    if question is None:
        return found
    margin = -tolerance if view.sample.missing_mode == "either" else tolerance
    return found if any(each.score - question.score > margin for each in found) else [question]
