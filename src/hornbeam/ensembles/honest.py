"""Honest trees: separate rows choose the splits and compute the predictions, so that leaf means are unbiased.

    The rows of a tree are partitioned once (by default in halves, each class evenly; random stream of purpose 7): the
    first part grows the tree, the second alone gives each node its statistics and prediction. Groups stay whole.

A node with fewer than `min_rows` rows of the second part predicts what its nearest ancestor with enough rows predicts;
the minimum leaf size of the method applies to both parts. Its weight is that of its own rows, so that children never
weigh more than their parent; a node without rows gets a tiny fraction of its parent's weight.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.members import bagged_sample, groups_of, row_counts
from hornbeam.ensembles.progress import Progress
from hornbeam.ensembles.row_sampling import Counts, RowSampling, whole_groups
from hornbeam.growing import in_core, in_python
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.sample import PreparedData
from hornbeam.options import Part, option, thread_count
from hornbeam.parts.node import Sample, sum_by_group
from hornbeam.seeds import Purpose, Stream
from hornbeam.tree import walk
from hornbeam.tree.nodes import Nodes, Tree

Floats = npt.NDArray[np.float64]
Marks = npt.NDArray[np.bool_]

_EMPTY_FRACTION = 1e-9  # weight of a node without rows, as a fraction of its parent's weight


@dataclass(frozen=True)
class Honesty(Part):
    """How the rows of an honest tree are partitioned."""

    part_type: ClassVar[str] = "honesty"
    name: ClassVar[str] = "honest"
    fraction: float = option(0.5, "fraction of the rows that grows the tree", above=0.0, below=1.0)
    min_rows: int = option(1, "minimum number of rows that a node's own prediction requires", at_least=1)


def honest_trees(
    start: PreparedData,
    sampling: RowSampling,
    honest: Honesty,
    n_trees: int,
    *,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Tree]:
    """The honest trees `first`, `first` + 1, ... of a forest."""
    lacking = without_kernel(start)
    grown = []
    for tree in range(first, first + n_trees):
        growing, estimating = divide_rows(start, row_counts(start, sampling, tree), honest.fraction, tree)
        bag = bagged_sample(start, growing, tree)
        shape = in_python.grow_prepared(bag) if lacking else in_core.grow(bag, threads=thread_count(threads))
        grown.append(with_leaf_rows(shape, bagged_sample(start, estimating, tree), honest.min_rows))
        if progress is not None:
            progress(tree - first + 1)
    return grown


def divide_rows(start: PreparedData, counts: Counts, fraction: float, tree: int) -> tuple[Counts, Counts]:
    """The rows of a tree in two parts: those that grow it, and those that compute its predictions."""
    sample, groups = start.sample, groups_of(start)
    if groups is None:
        grows = _part_of(sample, sample.target, counts > 0, fraction, tree)
    else:
        group_of_row, classes = whole_groups(groups, sample.target, sample.n_classes)
        is_sampled = np.zeros(len(classes), dtype=np.bool_)
        is_sampled[group_of_row] = counts > 0
        grows = _part_of(sample, classes, is_sampled, fraction, tree)[group_of_row]
    growing = np.where(grows, counts, 0).astype(counts.dtype)
    return growing, counts - growing


def _part_of(sample: Sample, classes: Any, is_sampled: Marks, fraction: float, tree: int) -> Marks:
    """A fraction of the sampled rows (or groups), the same of each class."""
    stream = Stream.of(sample.seed, Purpose.SUBSAMPLE, tree)
    strata = [is_sampled & (classes == k) for k in range(sample.n_classes)] if sample.n_classes else [is_sampled]
    found = np.zeros(len(is_sampled), dtype=np.bool_)
    for stratum in strata:
        members = np.flatnonzero(stratum)
        found[members[stream.shuffled(len(members))[: int(np.ceil(fraction * len(members)))]]] = True
    return found


def with_leaf_rows(tree: Tree, start: PreparedData, min_rows: int = 1) -> Tree:
    """The tree with the statistics and predictions that a sample gives its nodes."""
    sample = start.sample
    ends = walk.leaves(tree, sample.columns)
    stats = _stats(tree.nodes, sample, start, ends)
    rows = _sums_of_subtrees(tree.nodes, np.bincount(ends, minlength=len(tree)).astype(np.float64))
    parent = tree.nodes.parent
    required = max(min_rows, start.method.limits.rows)
    weight = stats.sum(axis=1) if sample.n_classes else stats[:, 0].copy()
    for node in range(1, len(tree)):
        if rows[node] < required:
            if not weight[node] > 0:
                is_first = rows[parent[node]] > 0
                fraction = _EMPTY_FRACTION if is_first else 1.0 / tree.nodes.n_branches[parent[node]]
                weight[node] = fraction * weight[parent[node]]
            stats[node] = _inherited_stats(
                stats[parent[node]], weight[node], weight[parent[node]], bool(sample.n_classes)
            )
    changed: dict[str, Any] = {"stats": stats, "rows": rows.astype(np.int64)}
    if sample.n_classes:
        changed["answer"] = start.loss.answer(stats)
        changed["weight"] = stats.sum(axis=1)
    else:
        changed["answer"] = start.loss.shrunken(stats[:, 1], stats[:, 0], float(stats[0, 1]))
        changed["weight"] = stats[:, 0]
    metadata = {**tree.metadata, "honest_rows": sample.n_rows}
    return dataclasses.replace(tree, nodes=tree.nodes.in_full().replace(**changed), metadata=metadata)


def _inherited_stats(parent: Floats, weight: float, parent_weight: float, is_class: bool) -> Floats:
    """The statistics of a node with too few rows: those of its parent, with the weight of its own rows."""
    scaled: Floats = parent * (weight / parent_weight if parent_weight > 0 else 0.0)
    if not is_class:
        scaled[1] = parent[1]
    return scaled


def _stats(nodes: Nodes, sample: Sample, start: PreparedData, ends: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """The statistics of each node, from the nodes where rows end."""
    n = len(nodes)
    if sample.n_classes:
        weights = sample.weights * start.factors[sample.target]
        cell = ends.astype(np.int64) * sample.n_classes + sample.target
        return _sums_of_subtrees(nodes, sum_by_group(cell, weights, n * sample.n_classes).reshape(n, sample.n_classes))
    center = float(np.average(sample.target, weights=sample.weights))
    off = sample.target - center
    powers = [sample.weights, sample.weights * off, sample.weights * off * off]
    weight, first, second = _sums_of_subtrees(
        nodes, np.stack([sum_by_group(ends, each, n) for each in powers], axis=1)
    ).T
    mean = np.divide(first, weight, out=np.zeros(n), where=weight > 0)
    return np.stack([weight, center + mean, np.maximum(second - weight * mean * mean, 0.0)], axis=1)


def _sums_of_subtrees(nodes: Nodes, sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """For each node the sum over its subtree; a parent has a smaller index than its children."""
    out = sums.copy()
    for node in range(len(nodes) - 1, 0, -1):
        out[nodes.parent[node]] += out[node]
    return out
