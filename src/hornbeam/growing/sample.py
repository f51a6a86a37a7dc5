"""The rows that a tree is grown on, prepared from a table.

    1 rows without a target and rows of weight 0 are excluded and counted; a negative weight is an error
    2 the strategy for missing values prepares the table
    3 importance weights are rescaled to sum to the number of rows; class weights multiply; all weights become multiples
      of one power of two, so that their sums are exact
    4 priors: a_k = pi_k W / W_k

Under a table of costs the criterion counts pi'_k ~ pi_k sum_j C[k][j] instead of pi_k, while labels and risks keep pi
and C (definition 1.3).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.growing.method import Method
from hornbeam.parts.losses import Loss
from hornbeam.parts.node import Floats, Sample, sum_by_group
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.table.column import Kind
from hornbeam.table.table import Table, only_table
from hornbeam.table.target_kind import other_kind

_ONE = np.ones(1)
_ONE.flags.writeable = False


@dataclasses.dataclass(frozen=True, eq=False)
class PreparedData:
    """A table and a method prepared for growth; `factors` convert weights into those that the tree stores."""

    table: Table
    method: Method
    sample: Sample
    factors: Floats
    loss: Loss


def prepare(table: Table, method: Method, *, seed: int = 0, tree: int = 0) -> PreparedData:
    """The sample and the method, with the defaults of the target in place."""
    table = only_table(table, "Growing")
    if table.target is None:
        raise InputError("Growing requires a table with a target.", fix=Set("target", inside="read"))
    is_class = table.target.kind is not Kind.NUMERIC
    method = method.for_target("class" if is_class else "number", other_kind(table.target))
    assert method.criterion is not None
    assert method.loss is not None
    table = method.missing.prepare(drop_uncounted_rows(table))
    _check_columns(table, method)
    assert table.target is not None
    classes = table.target.levels if is_class else ()
    _check_classes(method, classes)
    loss = method.loss.bound(classes)
    criterion = method.criterion.bound(classes)
    if criterion is not method.criterion:
        method = dataclasses.replace(method, criterion=criterion)
    assert method.criterion is not None
    method.criterion.check_target(table.target.values)
    loss.check_target(table.target.values)
    weights = _weights(table, method, classes)
    target = table.target.values
    factors, criterion_factors = _factors(table, weights, method, loss, classes)
    sample = Sample(
        columns=table.columns,
        target=target,
        weights=weights,
        n_classes=len(classes),
        factors=criterion_factors,
        statistics=method.criterion.needed_statistics,
        column_costs=_column_costs(table, method),
        split_penalty=method.split_penalty or {},
        seed=seed,
        tree=tree,
        limits=method.limits,
        # With classes of weight 0 a node of impurity 0 need not be pure.
        allow_zero_gain=method.zero_gain_is_allowed and bool((criterion_factors > 0).all()),
        max_depth=next((stop.depth for stop in method.stops if isinstance(stop, MaxDepth)), None),
    )
    for search in method.searches:
        search.check(sample)
    return PreparedData(table, method, method.missing.ready(sample), factors, loss)


def drop_uncounted_rows(table: Table) -> Table:
    """The table without the rows that have no target or no weight."""
    target = table.target
    assert target is not None
    if target.kind is Kind.NUMERIC and np.isinf(target.values).any():
        row = int(np.flatnonzero(np.isinf(target.values))[0])
        raise InputError(f"The target {short_repr(target.name)} is infinite in row {row}.", row=row)
    if table.weights is None and not target.has_missing and len(table):
        return table
    keep = ~target.is_missing
    notes = list(table.notes)
    if not keep.all():
        notes.append(f"{int((~keep).sum())} rows without a target were excluded.")
    if table.weights is not None:
        bad = ~(np.isfinite(table.weights) & (table.weights >= 0))
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise InputError(f"Weights must be finite and 0 or more, got {table.weights[row]} in row {row}.", row=row)
        idle = keep & (table.weights == 0)
        if idle.any():
            notes.append(f"{int(idle.sum())} rows of weight 0 were excluded.")
        keep &= table.weights > 0
    if not keep.any():
        raise InputError("The table has no rows with a target and a weight above 0.")
    kept = table if keep.all() else table.take(np.flatnonzero(keep))
    return dataclasses.replace(kept, notes=tuple(notes)) if len(notes) > len(table.notes) else kept


def _check_columns(table: Table, method: Method) -> None:
    for column in table.columns:
        if column.kind not in method.kinds:
            names = ", ".join(search.name for search in method.searches)
            raise OptionError(
                f"Column {short_repr(column.name)} is {column.kind}, but none of the searches ({names}) supports "
                f"{column.kind} columns.",
                hint="Add a search that supports them, or drop the column.",
                column=column.name,
            )


def _check_classes(method: Method, classes: tuple[Any, ...]) -> None:
    assert method.criterion is not None
    required = method.criterion.only_classes
    if required is not None and len(classes) != required:
        raise OptionError(
            f"Criterion {method.criterion.name!r} requires {required} classes, but the target has {len(classes)}.",
            fix=(Set("criterion", "gini"), Set("criterion", "entropy")),
        )


def _weights(table: Table, method: Method, classes: tuple[Any, ...]) -> Floats:
    # Unit weights share one number: a view of stride 0.
    ones: Floats = np.ndarray((len(table),), np.float64, _ONE, strides=(0,))
    weights = ones if table.weights is None else table.weights
    if method.weights == "importance" and table.weights is not None:
        weights = weights * (len(table) / weights.sum())
    if method.class_weight is None:
        return exact_weights(weights)
    if not classes:
        raise OptionError(
            "class_weight requires a classification target, but the target is numeric.",
            fix=other_kind(table.target),
            option="class_weight",
        )
    assert table.target is not None
    target = table.target.values
    if isinstance(method.class_weight, str):
        factor = balanced_factors(np.bincount(target, minlength=len(classes)))
    else:
        factor = by_class("class_weight", method.class_weight, classes, missing=1.0)
    return exact_weights(np.asarray(weights * factor[target], dtype=np.float64))


def balanced_factors(totals: Any) -> Floats:
    """The factor per class that makes the totals of all classes equal and keeps their sum; 0 for absent classes."""
    present = np.count_nonzero(totals)
    factors: Floats = np.divide(totals.sum(), present * totals, out=np.zeros(len(totals)), where=totals > 0)
    return factors


def exact_weights(weights: Floats) -> Floats:
    """The weights rounded to multiples of one power of two, at least one unit each, so that every sum of them is exact.

    The unit is at most 2^-51 of their total; integers and multiples of a power of two stay unchanged.
    """
    if weights.strides == (0,):
        return weights
    unit = 2.0 ** (np.frexp(weights.sum())[1] - 52)
    rounded: Floats = np.maximum(np.rint(weights / unit), 1.0) * unit
    return weights if (rounded == weights).all() else rounded


def _factors(
    table: Table, weights: Floats, method: Method, loss: Loss, classes: tuple[Any, ...]
) -> tuple[Floats, Floats]:
    """The factors of the classes for the statistics of the tree, and for those of the criterion."""
    if not classes:
        if method.priors != "data":
            raise OptionError(
                "priors require a classification target, but the target is numeric.",
                fix=other_kind(table.target),
                option="priors",
            )
        return np.ones(0), np.ones(0)
    costs = loss.cost_table(classes)
    if costs is None and method.priors == "data":
        ones = np.ones(len(classes))
        return ones, ones
    assert table.target is not None
    weight = sum_by_group(table.target.values, weights, len(classes))
    probabilities = _prior_probabilities(method.priors, weight, classes)
    factors = np.ones(len(classes)) if method.priors == "data" else _per_class(probabilities, weight)
    if costs is None:
        return factors, factors
    altered = probabilities * costs.sum(axis=1)
    if altered.sum() <= 0:
        raise OptionError("costs must contain a cost above 0.", option="costs")
    return factors, _per_class(altered / altered.sum(), weight)


def _prior_probabilities(priors: Any, weight: Floats, classes: tuple[Any, ...]) -> Floats:
    if priors == "data":
        return np.asarray(weight / weight.sum(), dtype=np.float64)
    if priors == "equal":
        return np.full(len(classes), 1.0 / len(classes))
    given = by_class("priors", priors, classes, missing=None)
    if abs(given.sum() - 1.0) > 1e-6:
        raise OptionError(f"priors must sum to 1, got {given.sum():.6g}.", option="priors")
    return given


def _per_class(probabilities: Floats, weight: Floats) -> Floats:
    """a_k = p_k W / W_k; 1 for a class without rows."""
    found: Floats = np.divide(probabilities * weight.sum(), weight, out=np.ones(len(weight)), where=weight > 0)
    return found


def by_class(name: str, given: Mapping[str, float], classes: tuple[Any, ...], missing: float | None) -> Floats:
    """Numbers in the order of the classes, from a table by class name."""
    labels = [str(label) for label in classes]
    numbers = {str(key): float(value) for key, value in given.items()}
    for key in numbers:
        if key not in labels:
            raise OptionError(
                f"{name} names {short_repr(key)}, which is not a class of the target.",
                hint=did_you_mean(key, labels),
                option=name,
            )
    for label in labels:
        if label not in numbers and missing is None:
            raise OptionError(
                f"{name} must have a number for every class, and has none for {short_repr(label)}.",
                hint="Specify one for each class.",
                option=name,
            )
    return np.array([numbers.get(label, missing) for label in labels], dtype=np.float64)


def _column_costs(table: Table, method: Method) -> tuple[float, ...]:
    costs = method.column_costs
    if costs is None:
        return ()
    for name in costs:
        if name not in table.names:
            raise OptionError(
                f"column_costs names {short_repr(name)}, which is not a column.",
                hint=did_you_mean(name, table.names),
                column=name,
            )
    return tuple(float(costs.get(name, 1.0)) for name in table.names)


def tree_metadata(start: PreparedData, notes: Sequence[str] = ()) -> dict[str, Any]:
    """The metadata of training that a tree stores; `notes` of the growth come after those of the table."""
    sample = start.sample
    metadata: dict[str, Any] = {
        "rows": sample.n_rows,
        "weight": float(sample.weights.sum()),
        "seed": sample.seed,
        "class_factors": start.factors.tolist(),
        "notes": [*start.table.notes, *notes],
    }
    if not np.array_equal(sample.factors, start.factors):
        metadata["criterion_factors"] = sample.factors.tolist()
    costs = start.loss.cost_table(start.table.schema.classes) if sample.n_classes else None
    if costs is not None:
        metadata["costs"] = costs.tolist()
    if sample.fill_values:
        metadata["fill_values"] = list(sample.fill_values)
    # Many trees grow on one sample: its cells are scanned once.
    columns = start.table.columns
    with_missing = sample.cache.get(
        "columns_with_missing", lambda: [position for position, column in enumerate(columns) if column.has_missing]
    )
    if with_missing and sample.missing_mode in ("either", "branch"):
        metadata["missing_fractions"] = _missing_fractions(sample)
    if with_missing:
        metadata["columns_with_missing"] = list(with_missing)
    return metadata


def _missing_fractions(sample: Sample) -> list[float]:
    """The weighted fraction of missing values per column."""
    total = float(sample.weights.sum())
    return [float(sample.weights[c.is_missing].sum()) / total if c.has_missing else 0.0 for c in sample.columns]
