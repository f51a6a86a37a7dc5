"""The job of the compiled core: the parts of a method as values, the columns and the target.

The core has registries of its own (`_native.parts()`) and returns which part, or which combination, has no kernel. A
method without a kernel is grown by the reference implementation (`in_python.py`).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from hornbeam import _native
from hornbeam.errors import InputError, short_repr
from hornbeam.growing.column_sampling import n_sampled_columns
from hornbeam.growing.core_columns import core_columns
from hornbeam.growing.given_questions import questions_in_job
from hornbeam.growing.sample import PreparedData
from hornbeam.parts.node import Sample
from hornbeam.tree.name_codes import KINDS

Job = dict[str, Any]


def without_kernel(start: PreparedData) -> str:
    """A description of the part of a method that has no kernel in the core; empty if the core can grow the tree."""
    method, sample = start.method, start.sample
    facts = {
        "n_rows": sample.n_rows,
        "n_classes": sample.n_classes,
        "n_levels": max((len(column.levels) for column in sample.columns), default=0),
        "has_missing": _has_missing(sample),
        "has_first_question": method.first_question is not None,
        "distinct_targets": lambda: len(np.unique(sample.target)),
    }
    return _native.without_kernel(_parts(start), facts)


def job_of(start: PreparedData, threads: int = 0, *, use_ranks: bool = True) -> Job:
    """The job of one tree; `without_kernel` must have returned an empty text.

    `use_ranks` passes the ranks of prepared columns; False passes their values.
    """
    method, sample = start.method, start.sample
    job: Job = {
        "parts": _parts(start),
        "n_rows": sample.n_rows,
        "columns": core_columns(sample.columns, method, use_ranks=use_ranks),
        "has_missing": _has_missing(sample),
        "zero_gain": sample.allow_zero_gain,
        "competitors": int(method.competitors),
        "seed": sample.seed,
        "tree": sample.tree,
        "threads": threads,
    }
    if not (sample.weights == 1.0).all():
        job["weights"] = sample.weights
    n_sampled = n_sampled_columns(method.max_features, len(sample.columns))
    if n_sampled < len(sample.columns):
        job["max_features"] = n_sampled
    if sample.column_costs:
        job["column_cost"] = [float(cost) for cost in sample.column_costs]
    job |= questions_in_job(start)
    if method.split_penalty:
        job["split_penalty"] = [float(method.split_penalty.get(kind, 0.0)) for kind in KINDS]
    if not sample.n_classes:
        job["numbers"] = _numbers(start)
        return job
    job["classes"] = sample.target.astype(np.int32, copy=False)
    job["n_classes"] = sample.n_classes
    if not (sample.factors == 1.0).all():
        job["class_scale"] = sample.factors.tolist()
    return job


def _parts(start: PreparedData) -> dict[str, Any]:
    """The parts as values, without searches of kinds that no column has.

    The core needs no loss for classes, whose weights it returns.
    """
    parts, kinds = start.method.parts_in_core, {column.kind for column in start.sample.columns}
    is_used = [not kinds.isdisjoint(search.kinds) for search in start.method.searches]
    if any(is_used) and not all(is_used):
        parts = {**parts, "searches": list(itertools.compress(parts["searches"], is_used))}
    return parts if start.sample.n_classes else {**parts, "loss": start.loss.in_core()}


def _has_missing(sample: Sample) -> bool:
    return any(column.has_missing for column in sample.columns)


def _numbers(start: PreparedData) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The numeric target; an error if its squared error overflows."""
    numbers = np.ascontiguousarray(start.sample.target, dtype=np.float64)
    with np.errstate(over="ignore"):
        widest = (numbers.max() - numbers.min()) ** 2 * float(start.sample.weights.sum())
    if not np.isfinite(widest):
        name = start.table.target.name if start.table.target is not None else "?"
        raise InputError(
            f"The squared error of the target {short_repr(name)} overflows: its values are between "
            f"{numbers.min():g} and {numbers.max():g}.",
            hint="Divide the target by a large number first.",
        )
    return numbers
