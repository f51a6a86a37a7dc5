"""Growth of forests, bagged trees and extra trees from binned data in pieces.

A row is in the sample of a tree as often as a hash of the seed, the tree and the number of the row determines: counts
have a Poisson distribution, or are 0 and 1 without replacement. So the sample does not depend on pieces. Several trees
share each pass over the pieces; the forest does not depend on how many.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from hornbeam.ensembles.members import check_tree_count
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.errors import OptionError
from hornbeam.growing.method import Method
from hornbeam.scale.binned import BinnedData
from hornbeam.scale.checkpoint import Growth
from hornbeam.scale.counting import Root, RowSample, count_rows
from hornbeam.scale.grow import DEFAULT_MEMORY, Progress, TreeGrowth
from hornbeam.scale.imputation import CountedData, counted
from hornbeam.scale.rounds import LocalRounds, Rounds
from hornbeam.scale.tree_store import TreeStore
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

_MOST_TOGETHER = 16
_NODE_BYTES = 4


def grow_forest_binned(
    data: BinnedData,
    method: Method,
    *,
    n_trees: int = 100,
    sampling: RowSampling | None = None,
    combine: str = "mean",
    seed: int = 0,
    memory_limit: int | None = None,
    rounds: Rounds | None = None,
    progress: Callable[[int], None] | None = None,
    threads: int = 1,
    saved: Growth | None = None,
) -> Forest:
    """A forest grown from binned data; `progress` is called with the number of complete trees.

    `saved` has the complete trees of an interrupted growth, and receives them.
    """
    check_tree_count(n_trees)
    sampling = RowSampling() if sampling is None else sampling
    if sampling.method not in ("none", "rows"):
        raise OptionError(
            f"Growing from pieces cannot sample rows by {sampling.method}: each row is sampled alone.",
            hint="Sample by rows, or grow in memory.",
        )
    if rounds is None:
        rounds = LocalRounds(data.pieces, threads=threads)
    memory = memory_limit or DEFAULT_MEMORY
    together = max(1, min(_MOST_TOGETHER, n_trees, memory // 4 // max(data.n_rows * _NODE_BYTES, 1)))
    (start,) = counted(data, method, [count_rows(data, method, rounds)], rounds)
    store = TreeStore(saved)
    trees = store.complete
    for first in range(len(trees), n_trees, together):
        numbers = range(first, min(first + together, n_trees))
        countings = [start.counting.for_tree(tree, _sample(sampling, seed, tree)) for tree in numbers]
        starts = [dataclasses.replace(start, counting=counting) for counting in countings]
        trees += grow_together(starts, method, rounds, seed=seed, memory=memory // together, threads=threads)
        for tree in numbers:
            rounds.forget(tree)
        store.save([])
        if progress is not None:
            progress(len(trees))
    metadata: dict[str, Any] = {
        "rows": data.n_rows,
        "weight": data.total_weight,
        "seed": seed,
        "row_hash_sampling": sampling.settings(),
        "notes": [],
    }
    return Forest(
        schema=trees[0].schema, trees=tuple(trees), combine=combine, recipe=trees[0].recipe, metadata=metadata
    )


def _sample(sampling: RowSampling, seed: int, tree: int) -> RowSample | None:
    if sampling.method == "none":
        return None
    return RowSample(sampling.with_replacement, sampling.fraction, seed, tree)


def grow_together(
    starts: Sequence[CountedData],
    method: Method,
    rounds: Rounds,
    progress: Progress | None = None,
    store: TreeStore | None = None,
    **settings: Any,
) -> list[Tree]:
    """Trees whose requests for sums share rounds; `store` receives them after every round.

    `settings` are those of `TreeGrowth`.
    """
    sums = rounds.statistics([start.counting.root_request() for start in starts])
    growths = [
        TreeGrowth(start.data, method, Root(start.counting, root), imputed=start.imputed, **settings)
        for start, root in zip(starts, sums, strict=True)
    ]
    if store is not None:
        store.restore(growths)
    growing = list(growths)
    while growing:
        requests = [(growth, growth.request()) for growth in growing]
        for growth, request in requests:
            if request is not None and growth.needs_rows:
                growth.finish(request, rounds)
        waiting = [(growth, request) for growth, request in requests if request is not None and not growth.needs_rows]
        if waiting:
            answers = rounds.statistics([request for _, request in waiting])
            for (growth, _), answer in zip(waiting, answers, strict=True):
                growth.take(answer)
        growing = [growth for growth, request in requests if request is not None]
        if store is not None:
            store.save(growths)
        if progress is not None:
            cores = [growth.core for growth in growths]
            progress(sum(core.n_nodes for core in cores), sum(core.n_open for core in cores) if growing else 0)
    return [growth.tree() for growth in growths]
