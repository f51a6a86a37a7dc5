"""Splits of a column into several intervals in the core, and the combinations that it does not support.

The core searches intervals alone, or together with a search of two branches: then both represent the column, the binary
cut first. The reference implementation handles:

    distances from a quantile     the score of an interval is not a sum of a few numbers
    imputation at each node       imputed values move from one group to another
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

# Searches of two branches that the core combines with intervals.
_COMBINED = ("sorted_cuts", "boundary_points")


def split_by_arity(cuts: list[Search]) -> tuple[list[Search], list[Intervals]]:
    """The searches of numbers with two branches, and those with several intervals."""
    many = [search for search in cuts if isinstance(search, Intervals)]
    return [search for search in cuts if not isinstance(search, Intervals)], many


def intervals_without_kernel(method: Method, sample: Sample, cuts: list[Search], is_complete: bool) -> str:
    """A description of what the core lacks for intervals; empty if nothing, or if there is no such search."""
    binary, many = split_by_arity(cuts)
    if not many:
        return ""
    assert method.criterion is not None
    search = f"the search {Intervals.name}"
    if len(many) > 1:
        return search
    if kernel_of(method.criterion) == QUANTILE:
        return f"{search} with the criterion {method.criterion.name}"
    if method.missing.name == "impute" and not sample.fill_values:
        return f"{search} with the missing-value strategy impute at each node"
    for other in method.searches:
        if other.name in BITS:
            return f"{search} with {other.name}"
    for other in binary:
        if other.name not in _COMBINED or other.settings().get("cut") == "data":
            return f"{search} with {other.name}"
        if method.missing.name in ("learned", "own_branch") and not is_complete:
            return f"{search} with {other.name} and the missing-value strategy {method.missing.name}"
    return ""


def intervals_plan(cuts: list[Search]) -> dict[str, Any]:
    """The plan entries of intervals; none if there is no such search."""
    binary, many = split_by_arity(cuts)
    if not many:
        return {}
    return {
        "intervals": many[0].max_intervals,
        "intervals_by_mdlp": many[0].method == "mdlp",
        "intervals_and_cuts": bool(binary),
    }
