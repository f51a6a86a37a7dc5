"""How are the trees of a forest grown?  Each on rows drawn for it, with draws of its own number.

    all at once     in the core, one thread a tree (native/ensembles): numbers and ordinal levels without gaps, Gini,
                    entropy or squared error, stops that look at one node, and columns drawn or cuts at random
    one by one      in the core, all threads at each tree: whatever else has a kernel
                    in plain Python: whatever has none

The trees are the same whichever way is taken, and whatever the number of threads.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.progress import report_memory
from hornbeam.ensembles.row_sampling import RowSampling, Times, sample_counts
from hornbeam.errors import OptionError, short_repr
from hornbeam.growing import in_core, in_python
from hornbeam.growing.bit_columns import EXPANDED
from hornbeam.growing.grow import ENGINES
from hornbeam.growing.memory import likely_nodes
from hornbeam.growing.method import Method
from hornbeam.growing.plan import Plan, plan_for
from hornbeam.growing.sample import PreparedData, exact_weights, prepare, tree_metadata
from hornbeam.growing.without_kernel import without_kernel
from hornbeam.options import thread_count
from hornbeam.parts.cache import Cache
from hornbeam.parts.node import sum_by_group
from hornbeam.table.memory import require_memory
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

# Called with the number of trees that are grown, now and then, and after the last.
Progress = Callable[[int], Any]

# What a tree takes in memory: its arrays as objects, and its nodes; a statistic takes less where it is a count.
_TREE_BYTES = 6_000
_NODE_BYTES = 40
_COUNT_BYTES = 4
# What a value of a column takes while trees are grown.
_ROW_BYTES = 16


def grow_trees(
    start: PreparedData,
    draw: RowSampling,
    n_trees: int,
    *,
    first: int = 0,
    threads: int | None = None,
    engine: str = "auto",
    rebalance: bool = False,
    progress: Progress | None = None,
) -> list[Tree]:
    """Trees number `first`, `first` + 1, ... of a forest."""
    if engine not in ENGINES:
        raise OptionError(f"engine must be one of {', '.join(ENGINES)}; got {short_repr(engine)}.", option="engine")
    lacking = without_kernel(start)
    if engine == "core" and lacking:
        raise OptionError(f"The core has no kernel for {lacking}.", hint="Use engine='auto' or engine='python'.")
    size = forest_bytes(start, n_trees)
    require_memory(size, "A forest of so many trees", "Grow fewer trees, or smaller ones.")
    report_memory(progress, size + rows_bytes(start))
    if engine != "python" and not lacking and not rebalance:
        plan = forest_plan(start, threads)
        if plan is not None:
            return _all_at_once(start, plan, draw, n_trees, first, progress)
    grown = []
    for tree in range(first, first + n_trees):
        bag = bagged_sample(start, row_counts(start, draw, tree), tree)
        bag = balance_classes(bag) if rebalance else bag
        in_plain = engine == "python" or bool(lacking)
        grown.append(in_python.grow_prepared(bag) if in_plain else in_core.grow(bag, threads=thread_count(threads)))
        if progress is not None:
            progress(tree - first + 1)
    return grown


def row_counts(start: PreparedData, draw: RowSampling, tree: int) -> Times:
    """How often each row of a sample is drawn for a tree."""
    sample = start.sample
    return sample_counts(draw, sample.target, sample.n_classes, sample.seed, tree)


def bagged_sample(start: PreparedData, counts: npt.NDArray[Any], tree: int) -> PreparedData:
    """The sample of one tree: the rows that were drawn, with their weight times how often."""
    sample = start.sample
    rows = np.flatnonzero(counts)
    weights = sample.weights[rows] * counts[rows]
    columns = tuple(column.take(rows) for column in sample.columns)
    mine = dataclasses.replace(
        sample, columns=columns, target=sample.target[rows], weights=weights, tree=tree, cache=Cache()
    )
    return dataclasses.replace(start, sample=mine)


def make_regrower(
    table: Table, method: Method, *, seed: int = 0, threads: int | None = None
) -> Callable[[Table, int], Tree]:
    """How trees grow one after the other on the same rows with other weights: the core ranks the columns once."""
    start = prepare(table, method, seed=seed)
    is_binned = any(search.name == "binned_cuts" for search in method.searches)
    columns = (
        None if is_binned or without_kernel(start) else in_core.prepare_columns(start, threads=thread_count(threads))
    )

    def grown(weighted: Table, tree: int) -> Tree:
        mine = prepare(weighted, method, seed=seed, tree=tree)
        same = columns is not None and _has_columns_of(mine, start)
        if same:
            # The columns of bits that questions became are a part of what was prepared.
            mine.sample.cache.copy_result(EXPANDED, start.sample.cache)
        if without_kernel(mine):
            return in_python.grow_prepared(mine)
        return in_core.grow(mine, threads=thread_count(threads), columns=columns if same else None)

    return grown


def _has_columns_of(mine: PreparedData, start: PreparedData) -> bool:
    """Whether two samples have the same rows and the same columns, as they lie in memory."""
    pairs = zip(mine.sample.columns, start.sample.columns, strict=True)
    return mine.sample.n_rows == start.sample.n_rows and all(one.values is other.values for one, other in pairs)


def balance_classes(start: PreparedData) -> PreparedData:
    """The sample with classes of equal weight, the whole unchanged."""
    sample = start.sample
    held = sum_by_group(sample.target, sample.weights, sample.n_classes)
    factor = np.divide(held.sum(), np.count_nonzero(held) * held, out=np.zeros_like(held), where=held > 0)
    mine = dataclasses.replace(sample, weights=exact_weights(sample.weights * factor[sample.target]), cache=Cache())
    return dataclasses.replace(start, sample=mine)


def forest_plan(start: PreparedData, threads: int | None) -> Plan | None:
    """The plan for growing all at once, or None: keeping columns sorted is quicker, or the only way."""
    from hornbeam import _native

    plan = plan_for(start, thread_count(threads))
    if "max_features" not in plan and not plan["random_cuts"]:
        return None
    return plan if _native.is_lean(plan) else None


def _all_at_once(
    start: PreparedData, plan: Plan, draw: RowSampling, n_trees: int, first: int, progress: Progress | None
) -> list[Tree]:
    from hornbeam import _native

    sample = start.sample
    require_memory(rows_bytes(start), "growing this forest")
    task = {**draw.task(), "first": first, "n_trees": n_trees}
    grown = _native.grow_forest(plan, task, progress)
    if progress is not None:
        progress(n_trees)
    metadata = tree_metadata(start)
    return [in_core.tree_of(start, arrays, _of_bag(metadata, arrays["nodes"], sample.n_classes)) for arrays in grown]


def _of_bag(metadata: dict[str, Any], nodes: dict[str, Any], n_classes: int) -> dict[str, Any]:
    """What a tree keeps of its training; its rows are those that were drawn for it."""
    root = nodes["stats"][0]
    return {**metadata, "rows": int(nodes["rows"][0]), "weight": float(root.sum() if n_classes else root[0])}


def forest_bytes(start: PreparedData, n_trees: int) -> int:
    """About what the trees will take."""
    sample = start.sample
    is_counted = sample.n_classes > 0 and bool((start.factors == 1.0).all()) and _is_whole(sample.weights)
    stats = _COUNT_BYTES * sample.n_classes if is_counted else 8 * max(3, sample.n_classes)
    return int(n_trees * (_TREE_BYTES + likely_nodes(start) * (_NODE_BYTES + stats)))


def _is_whole(weights: npt.NDArray[np.float64]) -> bool:
    return bool((weights == np.floor(weights)).all())


def rows_bytes(start: PreparedData) -> int:
    """About what the rows take while trees are grown on them."""
    return _ROW_BYTES * start.sample.n_rows * len(start.sample.columns)
