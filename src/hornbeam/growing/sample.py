"""How does a table become the rows a tree is grown on?

    1 rows without a target and rows of weight 0 are left out and counted; a negative weight is an error
    2 the way with missing values prepares the table
    3 importance weights are rescaled to sum to the number of rows; class weights multiply; all weights become multiples
      of one power of two, so that their sums are exact
    4 priors: a_k = pi_k W / W_k

Under a table of costs the criterion counts pi'_k ~ pi_k sum_j C[k][j] instead of pi_k, while labels and risks keep pi
and C (definition 1.3).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.growing.method import Method
from hornbeam.parts.losses import Loss
from hornbeam.parts.node import Floats, Sample, sum_by_group
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.table.column import Kind
from hornbeam.table.table import Table, only_table

_ONE = np.ones(1)
_ONE.flags.writeable = False


@dataclasses.dataclass(frozen=True, eq=False)
class PreparedData:
    """A table and a method made ready for each other: `factors` turn weights into those that the tree keeps."""

    table: Table
    method: Method
    sample: Sample
    factors: Floats
    loss: Loss


def prepare(table: Table, method: Method, *, seed: int = 0, tree: int = 0) -> PreparedData:
    """The sample and the method filled in for its target."""
    table = only_table(table, "Growing")
    if table.target is None:
        raise InputError("The table has no target to grow a tree for.", fix=Set("target", inside="read"))
    is_class = table.target.kind is not Kind.NUMERIC
    method = method.for_target("class" if is_class else "number")
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
    priors, altered = _factors(target, weights, method, loss, classes)
    sample = Sample(
        columns=table.columns,
        target=target,
        weights=weights,
        n_classes=len(classes),
        factors=altered,
        statistics=method.criterion.looks_at,
        column_costs=_column_costs(table, method),
        price=method.price or {},
        seed=seed,
        tree=tree,
        limits=method.limits,
        # Classes without weight make nodes of impurity 0 that are not pure.
        admits_zero=method.asks_without_gain and bool((altered > 0).all()),
        max_depth=next((stop.depth for stop in method.stops if isinstance(stop, MaxDepth)), None),
    )
    for search in method.searches:
        search.check(sample)
    return PreparedData(table, method, method.missing.ready(sample), priors, loss)


def drop_uncounted_rows(table: Table) -> Table:
    """The table without rows that have no target or no weight."""
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
        notes.append(f"{int((~keep).sum())} rows without a target were left out.")
    if table.weights is not None:
        bad = ~(np.isfinite(table.weights) & (table.weights >= 0))
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise InputError(f"Weights must be 0 or more and finite; got {table.weights[row]} in row {row}.", row=row)
        idle = keep & (table.weights == 0)
        if idle.any():
            notes.append(f"{int(idle.sum())} rows of weight 0 were left out.")
        keep &= table.weights > 0
    if not keep.any():
        raise InputError("There are no rows with a target and a weight to grow a tree from.")
    kept = table if keep.all() else table.take(np.flatnonzero(keep))
    return dataclasses.replace(kept, notes=tuple(notes)) if len(notes) > len(table.notes) else kept


def _check_columns(table: Table, method: Method) -> None:
    served = {kind for search in method.searches for kind in search.kinds}
    for column in table.columns:
        if column.kind not in served:
            names = ", ".join(search.name for search in method.searches)
            raise OptionError(
                f"Column {short_repr(column.name)} is {column.kind} and no search here asks about such columns: {names}.",
                hint="Add a search that supports them, or drop the column.",
                column=column.name,
            )


def _check_classes(method: Method, classes: tuple[Any, ...]) -> None:
    assert method.criterion is not None
    wanted = method.criterion.only_classes
    if wanted is not None and len(classes) != wanted:
        raise OptionError(
            f"The criterion {method.criterion.name} serves {wanted} classes; the target has {len(classes)}.",
            fix=(Set("criterion", "gini"), Set("criterion", "entropy")),
        )


def _weights(table: Table, method: Method, classes: tuple[Any, ...]) -> Floats:
    # Where all weigh one, a single number stands for all.
    ones: Floats = np.ndarray((len(table),), np.float64, _ONE, strides=(0,))
    weights = ones if table.weights is None else table.weights
    if method.weights == "importance" and table.weights is not None:
        weights = weights * (len(table) / weights.sum())
    if method.class_weight is None:
        return exact_weights(weights)
    if not classes:
        raise OptionError("class_weight needs a target of classes; the target is a number.", option="class_weight")
    assert table.target is not None
    target = table.target.values
    if isinstance(method.class_weight, str):
        counts = np.bincount(target, minlength=len(classes))
        present = np.count_nonzero(counts)
        factor = len(table) / (present * np.maximum(counts, 1))
    else:
        factor = by_class("class_weight", method.class_weight, classes, missing=1.0)
    return exact_weights(np.asarray(weights * factor[target], dtype=np.float64))


def exact_weights(weights: Floats) -> Floats:
    """The weights as multiples of one power of two, at least one each, so that every sum of them is exact.

    The unit is 2^-51 of their total or less; integers and multiples of a power of two stay as they are.
    """
    if weights.strides == (0,):
        return weights
    unit = 2.0 ** (np.frexp(weights.sum())[1] - 52)
    rounded: Floats = np.maximum(np.rint(weights / unit), 1.0) * unit
    return weights if (rounded == weights).all() else rounded


def _factors(
    target: Any, weights: Floats, method: Method, loss: Loss, classes: tuple[Any, ...]
) -> tuple[Floats, Floats]:
    """The factors of the classes for what the tree keeps, and for what the criterion counts."""
    if not classes:
        if method.priors != "data":
            raise OptionError("priors need a target of classes; the target is a number.", option="priors")
        return np.ones(0), np.ones(0)
    costs = loss.cost_table(classes)
    if costs is None and method.priors == "data":
        plain = np.ones(len(classes))
        return plain, plain
    held = sum_by_group(target, weights, len(classes))
    probabilities = _shares(method.priors, held, classes)
    plain = np.ones(len(classes)) if method.priors == "data" else _per_class(probabilities, held)
    if costs is None:
        return plain, plain
    heavy = probabilities * costs.sum(axis=1)
    if heavy.sum() <= 0:
        raise OptionError("The costs of all classes are 0, so no answer is better than another.", option="costs")
    return plain, _per_class(heavy / heavy.sum(), held)


def _shares(priors: Any, held: Floats, classes: tuple[Any, ...]) -> Floats:
    if priors == "data":
        return np.asarray(held / held.sum(), dtype=np.float64)
    if priors == "equal":
        return np.full(len(classes), 1.0 / len(classes))
    given = by_class("priors", priors, classes, missing=None)
    if abs(given.sum() - 1.0) > 1e-6:
        raise OptionError(f"priors must sum to 1; got {given.sum():.6g}.", option="priors")
    return given


def _per_class(probabilities: Floats, held: Floats) -> Floats:
    """a_k = share_k W / W_k; 1 for a class that no row has."""
    found: Floats = np.divide(probabilities * held.sum(), held, out=np.ones(len(held)), where=held > 0)
    return found


def by_class(name: str, given: Mapping[str, float], classes: tuple[Any, ...], missing: float | None) -> Floats:
    """Numbers in the order of the classes from a table by class name."""
    labels = [str(label) for label in classes]
    numbers = {str(key): float(value) for key, value in given.items()}
    for key in numbers:
        if key not in labels:
            raise OptionError(
                f"{name} names {short_repr(key)}, which is no class.", hint=did_you_mean(key, labels), option=name
            )
    for label in labels:
        if label not in numbers and missing is None:
            raise OptionError(
                f"{name} has no number for class {short_repr(label)}.", hint="Specify one for each class.", option=name
            )
    return np.array([numbers.get(label, missing) for label in labels], dtype=np.float64)


def _column_costs(table: Table, method: Method) -> tuple[float, ...]:
    costs = method.column_costs
    if costs is None:
        return ()
    for name in costs:
        if name not in table.names:
            raise OptionError(
                f"column_costs names {short_repr(name)}, which is no column.",
                hint=did_you_mean(name, table.names),
                column=name,
            )
    return tuple(float(costs.get(name, 1.0)) for name in table.names)


def tree_metadata(start: PreparedData) -> dict[str, Any]:
    """What a tree keeps of its training."""
    sample = start.sample
    metadata: dict[str, Any] = {
        "rows": sample.n_rows,
        "weight": float(sample.weights.sum()),
        "seed": sample.seed,
        "class_factors": start.factors.tolist(),
        "notes": list(start.table.notes),
    }
    if not np.array_equal(sample.factors, start.factors):
        metadata["criterion_factors"] = sample.factors.tolist()
    costs = start.loss.cost_table(start.table.schema.classes) if sample.n_classes else None
    if costs is not None:
        metadata["costs"] = costs.tolist()
    if sample.holes in ("either", "branch"):
        total = float(sample.weights.sum())
        metadata["missing_shares"] = [float(sample.weights[c.is_missing].sum()) / total for c in sample.columns]
    if sample.fills:
        metadata["fills"] = list(sample.fills)
    # Many trees grow on one sample: the cells are looked through once.
    if "gaps" not in sample.memo:
        sample.memo["gaps"] = [place for place, c in enumerate(start.table.columns) if c.has_missing]
    if sample.memo["gaps"]:
        metadata["gaps"] = list(sample.memo["gaps"])
    return metadata
