"""Which rows does a tree of a forest see, and how often?  Drawn anew for every tree, keyed by its number.

    none       all rows, once each
    rows       n of all n rows with replacement; or, without, a share of them
    classes    the same within every class (stratified)
    balanced   as many of every class as the rarest class has

A row drawn m times counts m times its weight; a row not drawn is out of bag. Draws: purpose 1, tree t, node 0
(definition 10.1, E10.1). `reference_sample_counts` defines them; the core (native/ensembles/draws.cpp) makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import Part, option
from hornbeam.seeds import Purpose, Stream

BY = ("none", "rows", "classes", "balanced")
Times = npt.NDArray[np.uint32]
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RowSampling(Part):
    """How the rows of a tree are drawn."""

    part_type: ClassVar[str] = "draw"
    name: ClassVar[str] = "draw"
    by: str = option("rows", "from what rows are drawn", choices=BY)
    with_replacement: bool = option(True, "whether a row may be drawn again")
    share: float = option(1.0, "how many are drawn, as a share of the rows there are", above=0.0, at_most=1.0)

    def task(self) -> dict[str, object]:
        """The draw as the core takes it."""
        return {"by": BY.index(self.by), "replace": self.with_replacement, "share": self.share}


def sample_counts(draw: RowSampling, target: npt.NDArray[np.generic], n_classes: int, seed: int, tree: int) -> Times:
    """How often each row is drawn for a tree."""
    from hornbeam import _native

    codes = np.ascontiguousarray(target if n_classes else np.zeros(len(target)), dtype=np.int64)
    return np.asarray(_native.drawn_times(draw.task(), codes, n_classes, seed, tree), dtype=np.uint32)


def reference_sample_counts(
    draw: RowSampling, target: npt.NDArray[np.generic], n_classes: int, seed: int, tree: int
) -> Times:
    """The definition of `times`."""
    n = len(target)
    if draw.by == "none":
        return np.ones(n, dtype=np.uint32)
    stream = Stream.of(seed, Purpose.BOOTSTRAP, tree)
    pools = [np.arange(n)]
    if draw.by != "rows" and n_classes:
        pools = [rows for k in range(n_classes) if len(rows := np.flatnonzero(target == k))]
    rarest = min(map(len, pools))
    found = np.zeros(n, dtype=np.uint32)
    for pool in pools:
        size = rarest if draw.by == "balanced" else len(pool)
        for row in _drawn(pool, max(1, int(draw.share * size + 1e-9)), draw.with_replacement, stream):
            found[row] += 1
    return found


def _drawn(pool: npt.NDArray[np.int64], count: int, replace: bool, stream: Stream) -> list[int]:
    if replace:
        return [int(pool[stream.below(len(pool))]) for _ in range(count)]
    mixed: list[int] = pool.tolist()
    for i in range(min(count, len(mixed))):
        j = i + stream.below(len(mixed) - i)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed[:count]
