"""Grows the trees of a forest, each on its own sample of rows and with its own random stream.

    all at once     in the core, one thread per tree (native/ensembles): numeric and ordinal columns without missing
                    values, Gini, entropy or squared error, stops of single nodes, sampled columns or random cuts, no
                    groups (a sample of groups may have more rows than the table)
    one by one      in the core with all threads per tree: all other methods that have a kernel
                    in Python: methods without a kernel

The trees are the same for each of these paths and for any number of threads.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.progress import Progress, report_memory
from hornbeam.ensembles.row_sampling import Counts, RowSampling, sample_counts
from hornbeam.errors import OptionError, Set, short_repr
from hornbeam.growing import in_core, in_python
from hornbeam.growing.core_job import Job, job_of, without_kernel
from hornbeam.growing.given_questions import given_questions
from hornbeam.growing.grow import ENGINES
from hornbeam.growing.memory import likely_nodes
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData, balanced_factors, exact_weights, prepare, tree_metadata
from hornbeam.options import is_integer, thread_count
from hornbeam.parts.cache import Cache
from hornbeam.parts.node import sum_by_group
from hornbeam.parts.searches.custom_questions import LISTED
from hornbeam.table.memory import require_memory
from hornbeam.table.prepared_column import prepared_columns, take_columns
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

# Memory of one tree: its Python objects, and its nodes; a count takes fewer bytes than a sum.
_TREE_BYTES = 6_000
_NODE_BYTES = 40
_COUNT_BYTES = 4
# Memory of one value of a column while trees are grown.
_ROW_BYTES = 16


def check_tree_count(n_trees: Any) -> None:
    """Raise unless a number of trees is a positive integer."""
    if not is_integer(n_trees) or n_trees < 1:
        raise OptionError(
            f"n_trees must be an integer of at least 1, got {short_repr(n_trees)}.", option="n_trees", got=n_trees
        )


def grow_trees(
    start: PreparedData,
    sampling: RowSampling,
    n_trees: int,
    *,
    first: int = 0,
    threads: int | None = None,
    engine: str = "auto",
    rebalance: bool = False,
    progress: Progress | None = None,
) -> list[Tree]:
    """The trees `first`, `first` + 1, ... of a forest; `rebalance` gives the classes of each sample equal weight."""
    if engine not in ENGINES:
        raise OptionError(f"engine must be one of {', '.join(ENGINES)}, got {short_repr(engine)}.", option="engine")
    lacking = without_kernel(start)
    if engine == "core" and lacking:
        raise OptionError(
            f"The core has no kernel for {lacking}.", fix=(Set("engine", "auto"), Set("engine", "python"))
        )
    size = forest_bytes(start, n_trees)
    require_memory(size, "A forest of this many trees", "Grow fewer trees, or smaller ones.")
    report_memory(progress, size + rows_bytes(start))
    if engine != "python" and not lacking and not rebalance and groups_of(start) is None:
        job = forest_job(start, threads)
        if job is not None:
            return _grow_all_at_once(start, job, sampling, n_trees, first, progress)
    start = with_ranked_columns(start)
    grown = []
    for tree in range(first, first + n_trees):
        bag = bagged_sample(start, row_counts(start, sampling, tree), tree)
        bag = balance_classes(bag) if rebalance else bag
        use_python = engine == "python" or bool(lacking)
        grown.append(in_python.grow_prepared(bag) if use_python else in_core.grow(bag, threads=thread_count(threads)))
        if progress is not None:
            progress(tree - first + 1)
    return grown


def with_ranked_columns(start: PreparedData) -> PreparedData:
    """The data with columns that are ranked once for the trees of all samples."""
    sample = start.sample
    return dataclasses.replace(
        start, sample=dataclasses.replace(sample, columns=prepared_columns(sample.columns), cache=Cache())
    )


def row_counts(start: PreparedData, sampling: RowSampling, tree: int) -> Counts:
    """How often each row is in the sample of a tree."""
    sample = start.sample
    return sample_counts(sampling, sample.target, sample.n_classes, sample.seed, tree, groups_of(start))


def groups_of(start: PreparedData) -> npt.NDArray[np.int64] | None:
    """The group of each row; None if the rows are sampled one by one."""
    return None if start.table.division is None else start.table.division.groups


def bagged_sample(start: PreparedData, counts: npt.NDArray[Any], tree: int) -> PreparedData:
    """The data of one tree: the sampled rows, weights multiplied by the number of times each was sampled."""
    sample = start.sample
    rows = np.flatnonzero(counts)
    weights = sample.weights[rows] * counts[rows]
    columns = take_columns(sample.columns, rows)
    bag = dataclasses.replace(
        sample, columns=columns, target=sample.target[rows], weights=weights, tree=tree, cache=Cache()
    )
    return dataclasses.replace(start, sample=bag)


def make_regrower(
    table: Table, method: Method, *, seed: int = 0, threads: int | None = None
) -> Callable[[Table, int], Tree]:
    """A function that grows trees on the rows of a table, or some of them, with different weights."""
    start = prepare(table, method, seed=seed)
    given_questions(start)  # computes the branches of custom questions

    def regrow(weighted: Table, tree: int) -> Tree:
        current = prepare(weighted, method, seed=seed, tree=tree)
        if current.sample.columns == start.sample.columns:
            current.sample.cache.copy_result(LISTED, start.sample.cache)
        if without_kernel(current):
            return in_python.grow_prepared(current)
        return in_core.grow(current, threads=thread_count(threads))

    return regrow


def balance_classes(start: PreparedData) -> PreparedData:
    """The data with classes of equal total weight; the sum of all weights is unchanged."""
    sample = start.sample
    factor = balanced_factors(sum_by_group(sample.target, sample.weights, sample.n_classes))
    balanced = dataclasses.replace(sample, weights=exact_weights(sample.weights * factor[sample.target]), cache=Cache())
    return dataclasses.replace(start, sample=balanced)


def forest_job(start: PreparedData, threads: int | None) -> Job | None:
    """The job of growing all trees at once; None if sorted columns are faster, or required."""
    from hornbeam import _native

    job = job_of(start, thread_count(threads), use_ranks=False)
    return job if _native.grows_at_once(job) else None


def _grow_all_at_once(
    start: PreparedData, job: Job, sampling: RowSampling, n_trees: int, first: int, progress: Progress | None
) -> list[Tree]:
    from hornbeam import _native

    sample = start.sample
    require_memory(rows_bytes(start), "growing this forest")
    task = {**sampling.task(), "first": first, "n_trees": n_trees}
    grown = _native.grow_forest(job, task, progress)
    if progress is not None:
        progress(n_trees)
    metadata = tree_metadata(start)
    return [
        in_core.tree_of(start, arrays, _bag_metadata(metadata, arrays["nodes"], sample.n_classes)) for arrays in grown
    ]


def _bag_metadata(metadata: dict[str, Any], nodes: dict[str, Any], n_classes: int) -> dict[str, Any]:
    """The metadata of a tree; its rows are those of its sample."""
    root = nodes["stats"][0]
    return {**metadata, "rows": int(nodes["rows"][0]), "weight": float(root.sum() if n_classes else root[0])}


def forest_bytes(start: PreparedData, n_trees: int) -> int:
    """The estimated memory of the trees."""
    sample = start.sample
    is_counted = sample.n_classes > 0 and bool((start.factors == 1.0).all()) and _are_integers(sample.weights)
    stats = _COUNT_BYTES * sample.n_classes if is_counted else 8 * max(3, sample.n_classes)
    return int(n_trees * (_TREE_BYTES + likely_nodes(start) * (_NODE_BYTES + stats)))


def _are_integers(weights: npt.NDArray[np.float64]) -> bool:
    return bool((weights == np.floor(weights)).all())


def rows_bytes(start: PreparedData) -> int:
    """The estimated memory of the rows while trees are grown on them."""
    return _ROW_BYTES * start.sample.n_rows * len(start.sample.columns)
