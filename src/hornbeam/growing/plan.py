"""The plan of a tree for the compiled core: one flat dictionary of arrays, numbers and kernel names.

Only methods whose parts all have kernels become a plan (`without_kernel.py`). Its keys are those that the core reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.errors import InputError, short_repr
from hornbeam.growing.bit_columns import BITS, costs_of, expand_columns
from hornbeam.growing.column_sampling import n_sampled_columns
from hornbeam.growing.criteria_in_core import c45_plan, kernel_of, leaf_quantile, quantile_of
from hornbeam.growing.intervals_in_core import intervals_plan, split_by_arity
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData
from hornbeam.options import Part
from hornbeam.parts.node import Sample
from hornbeam.parts.searches import Search
from hornbeam.parts.searches.lookahead import Lookahead
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch
from hornbeam.table.column import Kind
from hornbeam.tree.name_codes import KINDS

_KINDS = {Kind.NUMERIC: 0, Kind.ORDINAL: 1, Kind.NOMINAL: 2}
ORDERS = {"depth_first": 0, "level_wise": 1, "best_first": 2}
NOMINAL = {
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
EACH_VALUE = NOMINAL["multiway"]
# Strategies under which missing values take part in the score: in either branch, or in a branch of their own.
SCORED_MISSING = {"learned": 1, "own_branch": 2}
_IMPUTED = {"mean": 1, "median": 2, "mode": 3}
# Settings of searches of many columns that have another name in the core.
_CORE_NAMES = {"min_contribution": "worth", "min_directions": "at_least", "max_directions": "at_most"}

Plan = dict[str, Any]


def plan_for(start: PreparedData, threads: int = 0) -> Plan:
    """The plan of a method for a table; `without_kernel` must have returned an empty text."""
    method, sample = start.method, start.sample
    assert method.criterion is not None
    every, groups = column_searches(method)
    cuts, _ = split_by_arity(every)
    wide = expand_columns(start)
    columns = sample.columns if wide is None else wide.columns
    # Values that are only ranked, and read at cuts, need no contiguous copy.
    is_ranked = not n_bins(cuts) and not has_random_cuts(method)
    plan: Plan = {
        "n_rows": sample.n_rows,
        "columns": [(_KINDS[c.kind], c.source if is_ranked else c.values, len(c.levels)) for c in columns],
        "criterion": kernel_of(method.criterion),
        **c45_plan(method.criterion),
        "zero_gain": sample.allow_zero_gain,
        "cuts": bool(every) or wide is not None,
        "bins": n_bins(cuts),
        "random_cuts": bool(cuts) and cuts[0].name == "random_cuts",
        "boundaries": bool(cuts) and cuts[0].name == "boundary_points",
        "pairs": int(cuts[0].settings().get("pairs", 0)) if cuts else 0,
        "cut_at_data": bool(cuts) and getattr(cuts[0], "cut", "midpoint") == "data",
        "nominal": NOMINAL[groups[0].name] if groups else _NO_NOMINAL,
        "order": ORDERS[method.order.name],
        "missing_counted": 0 if is_complete(sample) else SCORED_MISSING.get(method.missing.name, 0),
        "competitors": int(method.competitors),
        "missing_stays": getattr(method.missing, "route", "majority") == "stay",
        "seed": sample.seed,
        "tree": sample.tree,
        "threads": threads,
    }
    if imputes_at_nodes(method):
        plan["fill"] = _IMPUTED[method.missing.settings()["method"]]
    if method.missing.name == "fractional" and not is_complete(sample):
        plan["shares"] = True
    if method.missing.name == "surrogates":
        plan["surrogates"] = method.missing.settings()["max_surrogates"]
        plan["surrogates_of_known"] = method.missing.settings()["style"] == "known"
    if not (sample.weights == 1.0).all():
        plan["weights"] = sample.weights
    n_sampled = n_sampled_columns(method.max_features, len(sample.columns))
    if n_sampled < len(sample.columns):
        plan["max_features"] = n_sampled
    costs = sample.column_costs if wide is None else costs_of(wide, start)
    if costs:
        plan["column_cost"] = [float(cost) for cost in costs]
    if method.split_penalty:
        plan["price"] = [float(method.split_penalty.get(kind, 0.0)) for kind in KINDS]
    plan |= intervals_plan(every)
    _add_many(plan, method)
    for search in groups:
        _add_search(plan, search)
    for search in method.searches:
        if isinstance(search, Lookahead):
            plan |= {"lookahead": 1 if search.is_last_resort else 2, "lookahead_quantiles": search.quantiles}
    for stop in method.stops:
        STOPS[stop.name](plan, stop)
    plan["splits_pure"] = "pure" not in {stop.name for stop in method.stops}
    _add_target(plan, start)
    return plan


def has_random_cuts(method: Method) -> bool:
    """Whether cuts are drawn at random."""
    return any(search.name == "random_cuts" for search in method.searches)


def imputes_at_nodes(method: Method) -> bool:
    """Whether missing values are imputed separately at each node."""
    return method.missing.name == "impute" and method.missing.settings()["scope"] == "node"


def is_complete(sample: Sample) -> bool:
    """Whether no column has a missing value."""
    return not any(column.has_missing for column in sample.columns)


def column_searches(method: Method) -> tuple[list[Search], list[Search]]:
    """The searches of numeric and ordinal columns, and those of nominal columns."""
    single = [s for s in method.searches if not s.uses_many_columns and s.uses_values and not isinstance(s, Lookahead)]
    cuts = [search for search in single if Kind.NUMERIC in search.kinds or Kind.ORDINAL in search.kinds]
    return cuts, [search for search in single if search not in cuts]


def n_bins(cuts: list[Search]) -> int:
    """The number of bins of a numeric column; 0 without binned cuts."""
    return int(cuts[0].settings()["bins"]) if cuts and cuts[0].name == "binned_cuts" else 0


def _add_many(plan: Plan, method: Method) -> None:
    """Add the searches of many columns, their settings as numbers: true is 1, None is 0."""
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
    plan["criterion_chooses"] = settings.get("method") == "criterion"
    plan["by_ratio"] = settings.get("method") == "ratio"
    if search.name == "c45_groups":
        plan |= {"once_per_path": True, "admits_zero": True}
    if search.name == "random_subsets":
        plan["tries"] = settings["n_sets"]
    if search.name == "many_levels":
        plan["many_levels"] = settings["many"]
        plan |= {name: settings[name] for name in ("few", "min_level_weight", "shrinkage")}
        plan["penalizes_sets"] = settings["penalize_sets"]


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
            f"The squared error of the target {short_repr(name)} overflows: its values are between "
            f"{numbers.min():g} and {numbers.max():g}.",
            hint="Divide the target by a large number first.",
        )
    plan["numbers"] = numbers
    assert start.method.criterion is not None
    measured, predicted = quantile_of(start.method.criterion), leaf_quantile(start.loss)
    if measured is not None:
        plan["quantile"], plan["quantile_scale"] = measured
    if predicted is not None:
        plan["leaf_quantile"] = predicted


def _set(*pairs: tuple[str, str]) -> Callable[[Plan, Part], None]:
    def add(plan: Plan, stop: Part) -> None:
        for key, setting in pairs:
            plan[key] = getattr(stop, setting)

    return add


def _flag(key: str) -> Callable[[Plan, Part], None]:
    def add(plan: Plan, stop: Part) -> None:
        plan[key] = True

    return add


# The plan entries of each stop. `no_improvement` always applies.
STOPS: dict[str, Callable[[Plan, Part], None]] = {
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
