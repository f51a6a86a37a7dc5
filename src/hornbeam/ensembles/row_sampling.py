"""RowSampling: how often each row is in the sample of each tree, keyed by the tree's number.

    none       all rows, once each
    rows       n of all n rows with replacement; or, without replacement, a fraction of them
    classes    the same within each class (stratified)
    balanced   as many rows of each class as the rarest class has

A row sampled m times counts m times its weight; a row not sampled is out of bag. If the table has groups, whole groups
are sampled in place of rows: all rows of a group are in a sample equally often. The class of a group is that of most of
its rows, the first on ties. The random stream has purpose 1, tree t, node 0 (definition 10.1, E10.1).
`reference_sample_counts` defines the samples; the core (native/ensembles/draws.cpp) computes the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import Part, option
from hornbeam.seeds import Purpose, Stream

METHODS = ("none", "rows", "classes", "balanced")
Counts = npt.NDArray[np.uint32]
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RowSampling(Part):
    """How the rows of each tree are sampled."""

    part_type: ClassVar[str] = "sampling"
    name: ClassVar[str] = "row_sampling"
    method: str = option("rows", "the groups of rows that are sampled from", choices=METHODS)
    with_replacement: bool = option(True, "whether a row may be sampled more than once")
    fraction: float = option(1.0, "number of sampled rows, as a fraction of the rows", above=0.0, at_most=1.0)

    def task(self) -> dict[str, object]:
        """The settings under the names of the compiled core."""
        return {"by": METHODS.index(self.method), "replace": self.with_replacement, "share": self.fraction}


def sample_counts(
    sampling: RowSampling,
    target: npt.NDArray[np.generic],
    n_classes: int,
    seed: int,
    tree: int,
    groups: npt.NDArray[np.int64] | None = None,
) -> Counts:
    """How often each row is in the sample of a tree; `groups` is the group of each row, if groups are sampled."""
    from hornbeam import _native

    if groups is not None:
        group_of_row, classes = whole_groups(groups, target, n_classes)
        found: Counts = sample_counts(sampling, classes, n_classes, seed, tree)[group_of_row]
        return found
    codes = np.ascontiguousarray(target if n_classes else np.zeros(len(target)), dtype=np.int64)
    return np.asarray(_native.drawn_times(sampling.task(), codes, n_classes, seed, tree), dtype=np.uint32)


def whole_groups(groups: Codes, target: npt.NDArray[np.generic], n_classes: int) -> tuple[Codes, Codes]:
    """The index of the group of each row, and the class of each group."""
    distinct, group_of_row = np.unique(groups, return_inverse=True)
    if not n_classes:
        return group_of_row, np.zeros(len(distinct), dtype=np.int64)
    cells = group_of_row * n_classes + target.astype(np.int64)
    counts = np.bincount(cells, minlength=len(distinct) * n_classes).reshape(len(distinct), n_classes)
    return group_of_row, counts.argmax(axis=1)


def reference_sample_counts(
    sampling: RowSampling, target: npt.NDArray[np.generic], n_classes: int, seed: int, tree: int
) -> Counts:
    """The reference implementation of `sample_counts`."""
    n = len(target)
    if sampling.method == "none":
        return np.ones(n, dtype=np.uint32)
    stream = Stream.of(seed, Purpose.BOOTSTRAP, tree)
    pools = [np.arange(n)]
    if sampling.method != "rows" and n_classes:
        pools = [rows for k in range(n_classes) if len(rows := np.flatnonzero(target == k))]
    rarest = min(map(len, pools))
    counts = np.zeros(n, dtype=np.uint32)
    for pool in pools:
        size = rarest if sampling.method == "balanced" else len(pool)
        for row in _sample(pool, max(1, int(sampling.fraction * size + 1e-9)), sampling.with_replacement, stream):
            counts[row] += 1
    return counts


def _sample(pool: npt.NDArray[np.int64], count: int, with_replacement: bool, stream: Stream) -> list[int]:
    if with_replacement:
        return [int(pool[stream.below(len(pool))]) for _ in range(count)]
    mixed: list[int] = pool.tolist()
    for i in range(min(count, len(mixed))):
        j = i + stream.below(len(mixed) - i)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed[:count]
