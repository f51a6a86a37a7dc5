"""What does the core need to know?  One flat dict: arrays, numbers, and which kernels.

A method whose parts all have kernels becomes a plan; one that has a part without a kernel becomes a sentence that names
it, and the plain grower runs instead (`grow.py`). The results are equal by test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.errors import InputError, short_repr
from hornbeam.growing.bit_columns import BITS, bits_without_kernel, costs_of, expand_columns
from hornbeam.growing.column_sampling import n_sampled_columns
from hornbeam.growing.criteria_in_core import KERNELS, QUANTILE, c45_plan, kernel_of, leaf_quantile, quantile_of
from hornbeam.growing.intervals_in_core import intervals_plan, intervals_without_kernel, split_by_arity
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData
from hornbeam.options import Part
from hornbeam.parts.node import Sample
from hornbeam.parts.searches import Search
from hornbeam.parts.searches.best_subset import BestSubset
from hornbeam.parts.searches.lookahead import Lookahead
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch
from hornbeam.table.column import Kind
from hornbeam.tree.questions.base import KIND_NAMES

_KINDS = {Kind.NUMERIC: 0, Kind.ORDINAL: 1, Kind.NOMINAL: 2}
_ORDERS = {"depth_first": 0, "level_wise": 1, "best_first": 2}
_NOMINAL = {
    "level_vs_rest": 0,
    "ordered_categories": 1,
    "all_subsets": 2,
    "multiway": 3,
    "best_subset": 4,
    "chou": 5,
    "superclasses": 7,
    "random_subsets": 8,
    "many_levels": 9,
    "c45_groups": 10,
}
_NO_NOMINAL = 6
_CUTS = ("sorted_cuts", "boundary_points", "random_pairs", "random_cuts", "binned_cuts")
# Those that try some of the cuts: which some, where missing values may go either way, only the plain ones say.
_SOME_CUTS = ("boundary_points", "random_pairs")
EACH_VALUE = _NOMINAL["multiway"]
# Searches of many columns at once.
_MANY = (
    *("perceptron_plane", "logistic_plane", "svm_plane", "lda_plane", "householder_planes"),
    *("oc1_plane", "chou_plane", "sparse_planes", "spheres", "kd_median"),
    *("pca_median", "two_means", "ball", "conjunctions"),
)
_NOT_FOR_MANY = ("c45", "poisson")
# Those that look at where the best single column sends missing values, or whose own question may leave them open.
_NOT_WITH_HOLES = ("chou_plane", "oc1_plane", "kd_median", "pca_median", "two_means", "ball", "conjunctions")
_HOLES = {"learned": 1, "own_branch": 2}
_FILLS = {"mean": 1, "median": 2, "mode": 3}
_MOST_CLASSES = 65_535
# Numbers in the distributions of a column's levels over all targets.
_MOST_DISTRIBUTIONS = 2**26
_MOST_CODES = 65_535
_MOST_ROWS = 2**31 - 1

# Settings of searches of many columns that have another name in the core.
_CORE_NAMES = {"min_contribution": "worth", "min_directions": "at_least", "max_directions": "at_most"}

Plan = dict[str, Any]


def without_kernel(start: PreparedData) -> str:
    """The part of a method that the core has no kernel for, in words; '' when it has all."""
    method, sample = start.method, start.sample
    assert method.criterion is not None
    if method.first_question is not None:
        return "first_question"
    if kernel_of(method.criterion) not in KERNELS:
        return f"the criterion {method.criterion.name}"
    lacking = _missing_without_kernel(method, sample) or _quantile_without_kernel(method, sample)
    if lacking:
        return lacking
    if method.order.name not in _ORDERS:
        return f"the order {method.order.name}"
    for stop in method.stops:
        if stop.name not in _STOPS:
            return f"the stop {stop.name}"
    lacking = _many_without_kernel(method) or bits_without_kernel(start) or _lookahead_without_kernel(method, sample)
    if lacking:
        return lacking
    cuts, groups = _searches(method)
    lacking = intervals_without_kernel(method, sample, cuts, _is_complete(sample))
    if lacking:
        return lacking
    cuts, _ = split_by_arity(cuts)
    for search in (*cuts[1:], *groups[1:], *(s for s in cuts if s.name not in _CUTS)):
        return f"the search {search.name}"
    if groups and cuts and cuts[0].name == "random_cuts":
        return f"the search {groups[0].name} beside random_cuts"
    for search in groups:
        if search.name not in _NOMINAL or getattr(search, "every_set", False):
            return f"the search {search.name}{' of every set' if search.name in _NOMINAL else ''}"
        if getattr(search, "by", "score") == "ratio" and method.missing.name in _HOLES and not _is_complete(sample):
            return f"the search {search.name} by ratio beside the missing values' way {method.missing.name}"
    if cuts and (getattr(cuts[0], "min_size", "") == "c45") != (method.criterion.name == "c45"):
        return f"the search {cuts[0].name} with its least size under this criterion"
    if _bins(cuts):
        lacking = _bins_without_kernel(method, sample)
        if lacking:
            return lacking
    if sample.n_classes > _MOST_CLASSES or sample.n_rows > _MOST_ROWS:
        return "a table of this size"
    return ""


def _missing_without_kernel(method: Method, sample: Sample) -> str:
    """What the core lacks of the way with missing values; a table without any serves most of them."""
    way = f"the missing values' way {method.missing.name}"
    many = [search.name for search in method.searches if search.uses_many_columns]
    if many and (method.missing.name == "impute" or (method.missing.name == "fractional" and not _is_complete(sample))):
        return f"{way} beside {many[0]}"
    if method.missing.name in ("impute", "skip_column", "drop_rows", "error"):
        return ""
    if method.missing.settings().get("by") == "inference":
        return f"{way} by inference"
    if method.missing.name == "surrogates":
        return f"{way} with random_cuts" if _is_random(method) else ""
    if _is_complete(sample):
        return ""
    if _is_random(method):
        return f"{way} with random_cuts"
    if method.missing.name in _HOLES and any(search.name == "c45_groups" for search in method.searches):
        return f"{way} beside c45_groups"
    if method.missing.name == "learned":
        for search in method.searches:
            if search.name in _SOME_CUTS:
                return f"{way} with {search.name}"
    return ""


def _quantile_without_kernel(method: Method, sample: Sample) -> str:
    """What the core lacks beside distances from a quantile."""
    assert method.criterion is not None
    if kernel_of(method.criterion) != QUANTILE:
        return ""
    of = f"under the criterion {method.criterion.name}"
    for search in method.searches:
        if (search.uses_many_columns and search.name not in BITS) or search.name == "binned_cuts":
            return f"the search {search.name} {of}"
    if method.missing.name in _HOLES and not _is_complete(sample):
        return f"the missing values' way {method.missing.name} {of}"
    levels = max((len(c.levels) for c in sample.columns if c.kind is Kind.NOMINAL), default=0)
    if levels * len(np.unique(sample.target)) > _MOST_DISTRIBUTIONS:
        return f"a column of so many levels {of}"
    return ""


def _bins_without_kernel(method: Method, sample: Sample) -> str:
    """What the core lacks beside bins."""
    if _fills_nodes(method):
        return "the missing values' way fill at each node beside bins"
    plain = method.missing.name in ("skip_column", "drop_rows", "error", "impute")
    if method.missing.name == "surrogates" or not (plain or _is_complete(sample)):
        return f"the missing values' way {method.missing.name} beside bins"
    if method.split_penalty or any(search.uses_many_columns for search in method.searches):
        return "questions about many columns, or their price, beside bins"
    if any(len(column.levels) > _MOST_CODES for column in sample.columns):
        return "a column of so many levels beside bins"
    return ""


def _many_without_kernel(method: Method) -> str:
    """What the core lacks of questions about many columns, and of prices."""
    assert method.criterion is not None
    if method.split_penalty and method.criterion.name == "c45":
        return "the price of kinds of questions under the criterion c45"
    many = [search for search in method.searches if isinstance(search, ManyColumnSearch) and search.name not in BITS]
    for search in many:
        if search.name not in _MANY:
            return f"the search {search.name}"
        if method.criterion.name in _NOT_FOR_MANY:
            return f"the search {search.name} under the criterion {method.criterion.name}"
    if many and _is_random(method):
        return f"the search {many[0].name} beside random_cuts"
    for search in many:
        is_open = method.missing.name in _HOLES or (
            method.missing.name == "surrogates" and not search.competes_with_cuts
        )
        if is_open and search.name in _NOT_WITH_HOLES:
            return f"the search {search.name} beside the missing values' way {method.missing.name}"
        lacking = _literals_without_kernel(method) if search.name == "conjunctions" else ""
        if lacking:
            return f"the search {search.name} beside {lacking}"
    return ""


def _lookahead_without_kernel(method: Method, sample: Sample) -> str:
    """What the core lacks beside looking two levels deep."""
    if not any(isinstance(search, Lookahead) for search in method.searches):
        return ""
    assert method.criterion is not None
    beside = "the search lookahead beside"
    if method.criterion.name in _NOT_FOR_MANY or kernel_of(method.criterion) == QUANTILE:
        return f"the search lookahead under the criterion {method.criterion.name}"
    if method.missing.name not in ("skip_column", "drop_rows", "error") and not _is_complete(sample):
        return f"{beside} the missing values' way {method.missing.name}"
    if method.max_features is not None or method.competitors:
        return f"{beside} {'max_features' if method.max_features is not None else 'competitors'}"
    plain = ("sorted_cuts", "lookahead", *(name for name in _NOMINAL if name not in ("multiway", "c45_groups")))
    others = [search.name for search in method.searches if search.name not in plain]
    if any(search.settings().get("cut") == "data" for search in method.searches):
        others.append('cuts at "data"')
    return f"{beside} {others[0]}" if others else ""


def _literals_without_kernel(method: Method) -> str:
    """The search of single columns whose questions are not those that conjunctions are made of."""
    cuts, groups = _searches(method)
    other = [search.name for search in cuts if search.name != "sorted_cuts"]
    return next(iter([*other, *(search.name for search in groups if search != BestSubset())]), "")


def _is_random(method: Method) -> bool:
    return any(search.name == "random_cuts" for search in method.searches)


def _fills_nodes(method: Method) -> bool:
    return method.missing.name == "impute" and method.missing.settings()["scope"] == "node"


def _is_complete(sample: Sample) -> bool:
    return not any(column.has_missing for column in sample.columns)


def plan_for(start: PreparedData, threads: int = 0) -> Plan:
    """The plan of a method on a table; call `without_kernel` first."""
    method, sample = start.method, start.sample
    assert method.criterion is not None
    every, groups = _searches(method)
    cuts, _ = split_by_arity(every)
    wide = expand_columns(start)
    columns = sample.columns if wide is None else wide.columns
    # Numbers that are only ranked, and looked up at cuts, may lie anywhere.
    is_ranked = not _bins(cuts) and not _is_random(method)
    plan: Plan = {
        "n_rows": sample.n_rows,
        "columns": [(_KINDS[c.kind], c.source if is_ranked else c.values, len(c.levels)) for c in columns],
        "criterion": kernel_of(method.criterion),
        **c45_plan(method.criterion),
        "zero_gain": sample.allow_zero_gain,
        "cuts": bool(every) or wide is not None,
        "bins": _bins(cuts),
        "random_cuts": bool(cuts) and cuts[0].name == "random_cuts",
        "boundaries": bool(cuts) and cuts[0].name == "boundary_points",
        "pairs": int(cuts[0].settings().get("pairs", 0)) if cuts else 0,
        "cut_at_data": bool(cuts) and getattr(cuts[0], "cut", "midpoint") == "data",
        "nominal": _NOMINAL[groups[0].name] if groups else _NO_NOMINAL,
        "order": _ORDERS[method.order.name],
        "holes": _HOLES.get(method.missing.name, 0),
        "competitors": int(method.competitors),
        "missing_stays": getattr(method.missing, "route", "majority") == "stay",
        "seed": sample.seed,
        "tree": sample.tree,
        "threads": threads,
    }
    if _fills_nodes(method):
        plan["fill"] = _FILLS[method.missing.settings()["by"]]
    if method.missing.name == "fractional" and not _is_complete(sample):
        plan["shares"] = True
    if method.missing.name == "surrogates":
        plan["surrogates"] = method.missing.settings()["max_surrogates"]
        plan["surrogates_of_known"] = method.missing.settings()["style"] == "known"
    if not (sample.weights == 1.0).all():
        plan["weights"] = sample.weights
    drawn = n_sampled_columns(method.max_features, len(sample.columns))
    if drawn < len(sample.columns):
        plan["max_features"] = drawn
    costs = sample.column_costs if wide is None else costs_of(wide, start)
    if costs:
        plan["column_cost"] = [float(cost) for cost in costs]
    if method.split_penalty:
        plan["price"] = [float(method.split_penalty.get(kind, 0.0)) for kind in KIND_NAMES]
    plan |= intervals_plan(every)
    _add_many(plan, method)
    for search in groups:
        _add_search(plan, search)
    for search in method.searches:
        if isinstance(search, Lookahead):
            plan |= {"lookahead": 1 if search.is_last_resort else 2, "lookahead_quantiles": search.quantiles}
    for stop in method.stops:
        _STOPS[stop.name](plan, stop)
    plan["splits_pure"] = "pure" not in {stop.name for stop in method.stops}
    _add_target(plan, start)
    return plan


def _searches(method: Method) -> tuple[list[Search], list[Search]]:
    """The searches of numbers, and those of categories."""
    alone = [s for s in method.searches if not s.uses_many_columns and s.uses_values and not isinstance(s, Lookahead)]
    cuts = [search for search in alone if Kind.NUMERIC in search.kinds or Kind.ORDINAL in search.kinds]
    return cuts, [search for search in alone if search not in cuts]


def _bins(cuts: list[Search]) -> int:
    """How many bins numbers are put into; 0 when they are not."""
    return int(cuts[0].settings()["bins"]) if cuts and cuts[0].name == "binned_cuts" else 0


def _add_many(plan: Plan, method: Method) -> None:
    """The searches of many columns, their settings as numbers: true is 1, none is 0."""
    many = [search for search in method.searches if isinstance(search, ManyColumnSearch) and search.name not in BITS]
    if not many:
        return
    plan["many"] = []
    for search in many:
        settings = search.settings()
        numbers = {
            _CORE_NAMES.get(name, name): float(value or 0)
            for name, value in settings.items()
            if not isinstance(value, str)
        }
        numbers["by_range"] = float(settings.get("spread") == "range")
        plan["many"].append((search.name, numbers))


def _add_search(plan: Plan, search: Search) -> None:
    settings = search.settings()
    plan["size_limit"] = int(settings.get("size_limit") or 0)
    plan["try_all"] = int(settings.get("try_all", 12))
    plan["once_per_path"] = bool(settings.get("once_per_path", False))
    plan["admits_zero"] = bool(settings.get("allow_zero_gain", False))
    plan["declared_levels"] = settings.get("every") == "declared"
    plan["criterion_chooses"] = settings.get("by") == "criterion"
    plan["by_ratio"] = settings.get("by") == "ratio"
    if search.name == "c45_groups":
        plan |= {"once_per_path": True, "admits_zero": True}
    if search.name == "random_subsets":
        plan["tries"] = settings["n_sets"]
    if search.name == "many_levels":
        plan["many_levels"] = settings["many"]
        plan |= {name: settings[name] for name in ("few", "min_level_weight", "shrinkage")}
        plan["toll"] = settings["penalize_sets"]


def _add_target(plan: Plan, start: PreparedData) -> None:
    sample = start.sample
    if sample.n_classes:
        plan["classes"] = sample.target.astype(np.int32, copy=False)
        plan["n_classes"] = sample.n_classes
        if not (sample.factors == 1.0).all():
            plan["class_scale"] = sample.factors.tolist()
        return
    numbers = np.ascontiguousarray(sample.target, dtype=np.float64)
    with np.errstate(over="ignore"):
        widest = (numbers.max() - numbers.min()) ** 2 * float(sample.weights.sum())
    if not np.isfinite(widest):
        name = start.table.target.name if start.table.target is not None else "?"
        raise InputError(
            f"The squared error of the target {short_repr(name)} overflows: its values reach from {numbers.min():g} to "
            f"{numbers.max():g}.",
            hint="Divide the target by a large number first.",
        )
    plan["numbers"] = numbers
    assert start.method.criterion is not None
    measured, said = quantile_of(start.method.criterion), leaf_quantile(start.loss)
    if measured is not None:
        plan["quantile"], plan["quantile_scale"] = measured
    if said is not None:
        plan["leaf_quantile"] = said


def _set(*pairs: tuple[str, str]) -> Callable[[Plan, Part], None]:
    def add(plan: Plan, stop: Part) -> None:
        for key, setting in pairs:
            plan[key] = getattr(stop, setting)

    return add


def _flag(key: str) -> Callable[[Plan, Part], None]:
    def add(plan: Plan, stop: Part) -> None:
        plan[key] = True

    return add


# How each stop is written into a plan. `no_improvement` is always on.
_STOPS: dict[str, Callable[[Plan, Part], None]] = {
    "pure": _set(),
    "no_improvement": _set(),
    "same_vectors": _flag("same_vectors"),
    "max_depth": _set(("max_depth", "depth")),
    "min_split": _set(("min_split", "rows"), ("min_split_weight", "weight")),
    "min_leaf": _set(("min_leaf", "rows"), ("min_leaf_weight", "weight")),
    "eta": _set(("eta", "rows")),
    "purity": _set(("purity", "pi")),
    "min_gain": _set(("min_gain", "beta")),
    "min_decrease": _set(("min_decrease", "decrease")),
    "max_leaves": _set(("max_leaves", "leaves")),
    "max_nodes": _set(("max_nodes", "nodes")),
}
