"""A tree from binned data and the trees of its folds, for prunings that choose by cross-validation.

The fold of a row is a hash of its number, so folds do not depend on pieces. The tree of all rows and the fold trees
share rounds over the pieces, as many at once as the memory allows; the trees do not depend on how many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.growing.method import Method
from hornbeam.parts.prunings.machinery.pruning_data import GrownFolds
from hornbeam.scale.binned import BinnedData
from hornbeam.scale.checkpoint import Growth
from hornbeam.scale.counting import OutsideFold, count_rows
from hornbeam.scale.fold_scoring import FoldScoring
from hornbeam.scale.forest import grow_together
from hornbeam.scale.grow import DEFAULT_MEMORY
from hornbeam.scale.imputation import counted
from hornbeam.scale.rounds import LocalRounds, Rounds
from hornbeam.scale.row_hash import fold_of_rows
from hornbeam.scale.time_left import TimeLeft
from hornbeam.scale.tree_store import TreeStore
from hornbeam.tree.nodes import Tree

_NODE_BYTES = 4
_FEW_ROWS = 100_000


def grow_with_folds(
    data: BinnedData,
    method: Method,
    *,
    n_folds: int,
    seed: int = 0,
    memory_limit: int | None = None,
    rounds: Rounds | None = None,
    report: Callable[[str], Any] | None = None,
    threads: int = 1,
    saved: Growth | None = None,
) -> tuple[Tree, GrownFolds]:
    """The tree of all rows, and the trees of the folds; `report` is called with a line of text.

    `saved` has the trees so far of an interrupted growth, and receives them after every round.
    """
    if rounds is None:
        rounds = LocalRounds(data.pieces, threads=threads)
    memory = memory_limit or DEFAULT_MEMORY
    counting = count_rows(data, method, rounds)
    n_folds = _without_empty(n_folds, data.n_rows, seed)
    countings = [counting] + [counting.for_tree(fold + 1, OutsideFold(fold, n_folds, seed)) for fold in range(n_folds)]
    together = max(1, min(len(countings), memory // 4 // max(data.n_rows * _NODE_BYTES, 1)))
    store = TreeStore(saved)
    trees: list[Tree] = store.complete
    left = TimeLeft(len(countings))

    def progress(nodes: int, waiting: int) -> None:
        if report is not None:
            done = f"{len(trees)} of {len(countings)} trees for the folds of the pruning"
            report(f"{done}: {nodes:,} nodes grown, {waiting:,} to split")

    for first in range(len(trees), len(countings), together):
        some = countings[first : first + together]
        starts = counted(data, method, some, rounds)
        settings: dict[str, Any] = {"seed": seed, "memory": memory // together, "threads": threads}
        trees += grow_together(starts, method, rounds, progress, store, **settings)
        for each in some:
            rounds.forget(each.tree)
        if report is not None:
            report(f"{len(trees)} of {len(countings)} trees for the folds of the pruning, {left.text(len(trees))}")
    folds = tuple(trees[1:])
    if not folds:
        return trees[0], GrownFolds(())
    sums = rounds.held_out_sums(FoldScoring(data.columns, data.target, seed, folds))
    return trees[0], GrownFolds(tuple(zip(folds, sums, strict=True)))


def _without_empty(n_folds: int, n_rows: int, seed: int) -> int:
    """The number of folds, fewer if some of a small table would have no rows; 0 if two would not either."""
    if n_rows > _FEW_ROWS:
        return n_folds
    for n in range(n_folds, 1, -1):
        if np.bincount(fold_of_rows(seed, n, 0, n_rows), minlength=n).min() > 0:
            return n
    return 0
