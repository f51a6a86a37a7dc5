"""What if the rows that shape a tree do not also fill its leaves?  Then what a leaf says is an unbiased mean.

    a tree's rows are split once (by default in halves, classes evenly; purpose 7): one part grows the tree,
    the other alone gives every node its statistics and answer

A node with fewer than `least` rows of the second part predicts what its nearest ancestor with enough rows predicts; the
smallest leaf of a method applies to both parts. Its weight is that of its own rows, so that children never weigh more
than their parent; without any row it is next to nothing.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.members import Progress, bagged_sample, row_counts
from hornbeam.ensembles.row_sampling import RowSampling, Times
from hornbeam.growing import in_core, in_python
from hornbeam.growing.plan import without_kernel
from hornbeam.growing.sample import PreparedData
from hornbeam.options import Part, option, thread_count
from hornbeam.parts.node import Sample, sum_by_group
from hornbeam.seeds import Purpose, Stream
from hornbeam.tree import walk
from hornbeam.tree.nodes import Nodes, Tree

Floats = npt.NDArray[np.float64]

_OF_NONE = 1e-9  # the share of its parent's weight that a node without rows has


@dataclass(frozen=True)
class Honesty(Part):
    """How the rows of an honest tree are divided."""

    part_type: ClassVar[str] = "honesty"
    name: ClassVar[str] = "honest"
    share: float = option(0.5, "the share of the rows that grows the tree", above=0.0, below=1.0)
    least: int = option(1, "the fewest rows a leaf may speak from", at_least=1)


def honest_trees(
    start: PreparedData,
    draw: RowSampling,
    honest: Honesty,
    n_trees: int,
    *,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Tree]:
    """Honest trees number `first` and on."""
    lacking = without_kernel(start)
    grown = []
    for tree in range(first, first + n_trees):
        shaping, filling = divide_rows(start, row_counts(start, draw, tree), honest.share, tree)
        bag = bagged_sample(start, shaping, tree)
        shape = in_python.grow_prepared(bag) if lacking else in_core.grow(bag, threads=thread_count(threads))
        grown.append(with_leaf_rows(shape, bagged_sample(start, filling, tree), honest.least))
        if progress is not None:
            progress(tree - first + 1)
    return grown


def divide_rows(start: PreparedData, times: Times, share: float, tree: int) -> tuple[Times, Times]:
    """A tree's rows in two: those that grow it, and those that fill it. Each class is divided evenly."""
    sample = start.sample
    stream = Stream.of(sample.seed, Purpose.SUBSAMPLE, tree)
    shaping = np.zeros_like(times)
    mine = times > 0
    groups = [mine & (sample.target == k) for k in range(sample.n_classes)] if sample.n_classes else [mine]
    for group in groups:
        rows = np.flatnonzero(group)
        taken = rows[stream.shuffled(len(rows))[: int(np.ceil(share * len(rows)))]]
        shaping[taken] = times[taken]
    return shaping, times - shaping


def with_leaf_rows(tree: Tree, start: PreparedData, least: int = 1) -> Tree:
    """The tree with the statistics and answers that a sample gives its nodes."""
    sample = start.sample
    ends = walk.leaves(tree, sample.columns)
    stats = _stats(tree.nodes, sample, start, ends)
    rows = _up(tree.nodes, np.bincount(ends, minlength=len(tree)).astype(np.float64))
    parent = tree.nodes.parent
    fewest = max(least, start.method.limits.rows)
    weight = stats.sum(axis=1) if sample.n_classes else stats[:, 0].copy()
    for node in range(1, len(tree)):
        if rows[node] < fewest:
            if not weight[node] > 0:
                is_first = rows[parent[node]] > 0
                share = _OF_NONE if is_first else 1.0 / tree.nodes.n_branches[parent[node]]
                weight[node] = share * weight[parent[node]]
            stats[node] = _as_above(stats[parent[node]], weight[node], weight[parent[node]], bool(sample.n_classes))
    changed: dict[str, Any] = {"stats": stats, "rows": rows.astype(np.int64)}
    if sample.n_classes:
        changed["answer"] = start.loss.answer(stats)
        changed["weight"] = stats.sum(axis=1)
    else:
        changed["answer"] = start.loss.shrunken(stats[:, 1], stats[:, 0], float(stats[0, 1]))
        changed["weight"] = stats[:, 0]
    metadata = {**tree.metadata, "honest_rows": sample.n_rows}
    return dataclasses.replace(tree, nodes=tree.nodes.in_full().replace(**changed), metadata=metadata)


def _as_above(above: Floats, weight: float, whole: float, is_class: bool) -> Floats:
    """What a node says that has too few rows: what its parent says, with the weight of its own rows."""
    scaled: Floats = above * (weight / whole if whole > 0 else 0.0)
    if not is_class:
        scaled[1] = above[1]
    return scaled


def _stats(nodes: Nodes, sample: Sample, start: PreparedData, ends: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """The statistics of every node from where the rows ended."""
    n = len(nodes)
    if sample.n_classes:
        weights = sample.weights * start.factors[sample.target]
        place = ends.astype(np.int64) * sample.n_classes + sample.target
        return _up(nodes, sum_by_group(place, weights, n * sample.n_classes).reshape(n, sample.n_classes))
    centre = float(np.average(sample.target, weights=sample.weights))
    off = sample.target - centre
    powers = [sample.weights, sample.weights * off, sample.weights * off * off]
    weight, first, second = _up(nodes, np.stack([sum_by_group(ends, each, n) for each in powers], axis=1)).T
    mean = np.divide(first, weight, out=np.zeros(n), where=weight > 0)
    return np.stack([weight, centre + mean, np.maximum(second - weight * mean * mean, 0.0)], axis=1)


def _up(nodes: Nodes, sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sums at the ends added up towards the root; a parent comes before its children."""
    out = sums.copy()
    for node in range(len(nodes) - 1, 0, -1):
        out[nodes.parent[node]] += out[node]
    return out
