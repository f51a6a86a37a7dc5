"""How does the core cut a column into several intervals, and where can it not?

It cuts them alone, or beside a search that cuts in two: then both stand for the column, the cut in two first. What the
plain grower keeps for itself:

    distances from a quantile     a piece's worth is no sum of few numbers
    fill at each node             values that stand in move from one group to another
    questions as bits             their columns are cut in two
"""

from __future__ import annotations

from typing import Any

from hornbeam.growing.bit_columns import BITS
from hornbeam.growing.criteria_in_core import QUANTILE, kernel_of
from hornbeam.growing.method import Method
from hornbeam.parts.node import Sample
from hornbeam.parts.searches import Search
from hornbeam.parts.searches.intervals import Intervals

# Searches in two whose cuts the core finds beside intervals.
_BESIDE = ("sorted_cuts", "boundary_points")


def split_by_arity(cuts: list[Search]) -> tuple[list[Search], list[Intervals]]:
    """The searches of numbers that cut in two, and those that cut into many."""
    many = [search for search in cuts if isinstance(search, Intervals)]
    return [search for search in cuts if not isinstance(search, Intervals)], many


def intervals_without_kernel(method: Method, sample: Sample, cuts: list[Search], is_complete: bool) -> str:
    """What the core lacks of intervals, in words; '' when nothing, or when none are searched."""
    in_two, many = split_by_arity(cuts)
    if not many:
        return ""
    assert method.criterion is not None
    search = f"the search {Intervals.name}"
    if len(many) > 1:
        return search
    if kernel_of(method.criterion) == QUANTILE:
        return f"{search} under the criterion {method.criterion.name}"
    if method.missing.name == "impute" and not sample.fill_values:
        return f"{search} beside the missing values' way fill at each node"
    for other in method.searches:
        if other.name in BITS:
            return f"{search} beside {other.name}"
    for other in in_two:
        if other.name not in _BESIDE or other.settings().get("cut") == "data":
            return f"{search} beside {other.name}"
        if method.missing.name in ("learned", "own_branch") and not is_complete:
            return f"{search} beside {other.name} and the missing values' way {method.missing.name}"
    return ""


def intervals_plan(cuts: list[Search]) -> dict[str, Any]:
    """What a plan says of intervals; nothing where none are searched."""
    in_two, many = split_by_arity(cuts)
    if not many:
        return {}
    return {
        "intervals": many[0].max_intervals,
        "intervals_by_mdlp": many[0].by == "mdlp",
        "intervals_beside": bool(in_two),
    }
