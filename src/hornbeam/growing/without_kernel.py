"""The check whether the compiled core can grow a method: which part, or which combination of parts, has no kernel.

A method without a kernel for some part is grown by the reference implementation (`in_python.py`). A part that is not
named here, such as one of another package, has no kernel.
"""

from __future__ import annotations

import numpy as np

from hornbeam.growing.bit_columns import BITS, bits_without_kernel
from hornbeam.growing.criteria_in_core import KERNELS, QUANTILE, kernel_of
from hornbeam.growing.intervals_in_core import intervals_without_kernel, split_by_arity
from hornbeam.growing.method import Method
from hornbeam.growing.plan import (
    NOMINAL,
    ORDERS,
    SCORED_MISSING,
    STOPS,
    column_searches,
    has_random_cuts,
    imputes_at_nodes,
    is_complete,
    n_bins,
)
from hornbeam.growing.sample import PreparedData
from hornbeam.parts.node import Sample
from hornbeam.parts.searches.best_subset import BestSubset
from hornbeam.parts.searches.lookahead import Lookahead
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch
from hornbeam.table.column import Kind

_CUTS = ("sorted_cuts", "boundary_points", "random_pairs", "random_cuts", "binned_cuts")
# Searches that try a part of the cuts. Where missing values may go to either branch, only the reference implementation
# decides which part.
_SOME_CUTS = ("boundary_points", "random_pairs")
# Searches of many columns at once.
_MANY = (
    *("perceptron_plane", "logistic_plane", "svm_plane", "lda_plane", "householder_planes"),
    *("oc1_plane", "chou_plane", "sparse_planes", "spheres", "kd_median"),
    *("pca_median", "two_means", "ball", "conjunctions"),
)
_NOT_FOR_MANY = ("c45", "poisson")
# Searches that read where the best single column sends missing values, or whose own question may leave them undecided.
_NOT_WITH_SCORED_MISSING = ("chou_plane", "oc1_plane", "kd_median", "pca_median", "two_means", "ball", "conjunctions")
# Strategies that the core has for all tables, and those that it has for some methods or for complete tables.
_SIMPLE_MISSING = ("impute", "skip_column", "drop_rows", "error")
_MISSING = (*_SIMPLE_MISSING, "surrogates", "fractional", *SCORED_MISSING)
# Losses of numbers; of classes the core needs none.
_NUMBER_LOSSES = ("squared", "absolute", "pinball", "poisson")
_MOST_CLASSES = 65_535
# Numbers in the distributions of a column's levels over all targets.
_MOST_DISTRIBUTIONS = 2**26
_MOST_CODES = 65_535
_MOST_ROWS = 2**31 - 1


def without_kernel(start: PreparedData) -> str:
    """A description of the part of a method that has no kernel in the core; empty if all parts have one."""
    method, sample = start.method, start.sample
    assert method.criterion is not None
    if method.first_question is not None:
        return "first_question"
    if kernel_of(method.criterion) not in KERNELS:
        return f"the criterion {method.criterion.name}"
    lacking = _missing_without_kernel(method, sample) or _quantile_without_kernel(method, sample)
    if lacking:
        return lacking
    if not sample.n_classes and start.loss.name not in _NUMBER_LOSSES:
        return f"the loss {start.loss.name}"
    if method.order.name not in ORDERS:
        return f"the order {method.order.name}"
    for stop in method.stops:
        if stop.name not in STOPS:
            return f"the stop {stop.name}"
    lacking = _many_without_kernel(method) or bits_without_kernel(start) or _lookahead_without_kernel(method, sample)
    if lacking:
        return lacking
    cuts, groups = column_searches(method)
    lacking = intervals_without_kernel(method, sample, cuts, is_complete(sample))
    if lacking:
        return lacking
    cuts, _ = split_by_arity(cuts)
    for search in (*cuts[1:], *groups[1:], *(s for s in cuts if s.name not in _CUTS)):
        return f"the search {search.name}"
    if groups and cuts and cuts[0].name == "random_cuts":
        return f"the search {groups[0].name} with random_cuts"
    for search in groups:
        if search.name not in NOMINAL or getattr(search, "every_set", False):
            return f"the search {search.name}{' of every set' if search.name in NOMINAL else ''}"
        by_ratio = getattr(search, "method", "score") == "ratio"
        if by_ratio and method.missing.name in SCORED_MISSING and not is_complete(sample):
            return f"the search {search.name} by ratio with the missing-value strategy {method.missing.name}"
    if cuts and (getattr(cuts[0], "min_size", "") == "c45") != (method.criterion.name == "c45"):
        return f"the search {cuts[0].name} with this min_size and the criterion {method.criterion.name}"
    if n_bins(cuts):
        lacking = _bins_without_kernel(method, sample)
        if lacking:
            return lacking
    if sample.n_classes > _MOST_CLASSES or sample.n_rows > _MOST_ROWS:
        return "a table of this size"
    return ""


def _missing_without_kernel(method: Method, sample: Sample) -> str:
    """What the core lacks for the strategy for missing values; it has most of them for complete tables."""
    strategy = f"the missing-value strategy {method.missing.name}"
    if method.missing.name not in _MISSING:
        return strategy
    many = [search.name for search in method.searches if search.uses_many_columns]
    if many and (method.missing.name == "impute" or (method.missing.name == "fractional" and not is_complete(sample))):
        return f"{strategy} with {many[0]}"
    if method.missing.name in _SIMPLE_MISSING:
        return ""
    if method.missing.settings().get("method") == "inference":
        return f"{strategy} by inference"
    if method.missing.name == "surrogates":
        return f"{strategy} with random_cuts" if has_random_cuts(method) else ""
    if is_complete(sample):
        return ""
    if has_random_cuts(method):
        return f"{strategy} with random_cuts"
    if method.missing.name in SCORED_MISSING and any(search.name == "c45_groups" for search in method.searches):
        return f"{strategy} with c45_groups"
    if method.missing.name == "learned":
        for search in method.searches:
            if search.name in _SOME_CUTS:
                return f"{strategy} with {search.name}"
    return ""


def _quantile_without_kernel(method: Method, sample: Sample) -> str:
    """What the core lacks for criteria that measure distances from a quantile."""
    assert method.criterion is not None
    if kernel_of(method.criterion) != QUANTILE:
        return ""
    of = f"with the criterion {method.criterion.name}"
    for search in method.searches:
        if (search.uses_many_columns and search.name not in BITS) or search.name == "binned_cuts":
            return f"the search {search.name} {of}"
    if method.missing.name in SCORED_MISSING and not is_complete(sample):
        return f"the missing-value strategy {method.missing.name} {of}"
    levels = max((len(c.levels) for c in sample.columns if c.kind is Kind.NOMINAL), default=0)
    if levels * len(np.unique(sample.target)) > _MOST_DISTRIBUTIONS:
        return f"a column of {levels} levels {of}"
    return ""


def _bins_without_kernel(method: Method, sample: Sample) -> str:
    """What the core lacks for binned cuts."""
    if imputes_at_nodes(method):
        return "the missing-value strategy impute at each node with bins"
    is_simple = method.missing.name in _SIMPLE_MISSING
    if method.missing.name == "surrogates" or not (is_simple or is_complete(sample)):
        return f"the missing-value strategy {method.missing.name} with bins"
    if method.split_penalty or any(search.uses_many_columns for search in method.searches):
        return "questions about many columns, or split_penalty, with bins"
    if any(len(column.levels) > _MOST_CODES for column in sample.columns):
        return "a column of more than 65,535 levels with bins"
    return ""


def _many_without_kernel(method: Method) -> str:
    """What the core lacks for questions about many columns, and for split_penalty."""
    assert method.criterion is not None
    if method.split_penalty and method.criterion.name == "c45":
        return "split_penalty with the criterion c45"
    many = [search for search in method.searches if isinstance(search, ManyColumnSearch) and search.name not in BITS]
    for search in many:
        if search.name not in _MANY:
            return f"the search {search.name}"
        if method.criterion.name in _NOT_FOR_MANY:
            return f"the search {search.name} with the criterion {method.criterion.name}"
    if many and has_random_cuts(method):
        return f"the search {many[0].name} with random_cuts"
    for search in many:
        is_open = method.missing.name in SCORED_MISSING or (
            method.missing.name == "surrogates" and not search.competes_with_cuts
        )
        if is_open and search.name in _NOT_WITH_SCORED_MISSING:
            return f"the search {search.name} with the missing-value strategy {method.missing.name}"
        lacking = _literals_without_kernel(method) if search.name == "conjunctions" else ""
        if lacking:
            return f"the search {search.name} with {lacking}"
    return ""


def _lookahead_without_kernel(method: Method, sample: Sample) -> str:
    """What the core lacks for the search lookahead."""
    if not any(isinstance(search, Lookahead) for search in method.searches):
        return ""
    assert method.criterion is not None
    combined = "the search lookahead with"
    if method.criterion.name in _NOT_FOR_MANY or kernel_of(method.criterion) == QUANTILE:
        return f"the search lookahead with the criterion {method.criterion.name}"
    if method.missing.name not in ("skip_column", "drop_rows", "error") and not is_complete(sample):
        return f"{combined} the missing-value strategy {method.missing.name}"
    if method.max_features is not None or method.competitors:
        return f"{combined} {'max_features' if method.max_features is not None else 'competitors'}"
    supported = ("sorted_cuts", "lookahead", *(name for name in NOMINAL if name not in ("multiway", "c45_groups")))
    others = [search.name for search in method.searches if search.name not in supported]
    if any(search.settings().get("cut") == "data" for search in method.searches):
        others.append('cuts at "data"')
    return f"{combined} {others[0]}" if others else ""


def _literals_without_kernel(method: Method) -> str:
    """A search of single columns whose questions conjunctions do not use."""
    cuts, groups = column_searches(method)
    other = [search.name for search in cuts if search.name != "sorted_cuts"]
    return next(iter([*other, *(search.name for search in groups if search != BestSubset())]), "")
