"""Bagging: each tree is grown by the whole recipe, including its pruning, on a random sample of the rows.

Predictions are averaged or decided by majority vote (definition 10.1).
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from hornbeam.ensembles.forest import COMBINE, forest_metadata, grow_forest
from hornbeam.ensembles.members import row_counts
from hornbeam.ensembles.methods.base import EnsembleMethod, EnsembleRun, nested_part
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.options import option
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest


@dataclasses.dataclass(frozen=True)
class Bagging(EnsembleMethod):
    """Trees on random samples of the rows."""

    name: ClassVar[str] = "bagging"
    n_trees: int = option(100, "number of trees", at_least=1)
    sampling: RowSampling = option(RowSampling(), "how the rows of each tree are sampled")  # noqa: RUF009 - frozen
    combine: str = option("mean", "how the predictions of the trees are combined", choices=COMBINE)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sampling", nested_part(RowSampling, self.sampling))
        super().__post_init__()

    def grow(self, table: Table, method: Method, run: EnsembleRun) -> Forest:
        """Bagged trees."""
        if run.is_pruned:
            return self._grow_pruned(table, method, run)
        return grow_forest(
            table,
            method,
            n_trees=self.n_trees,
            sampling=self.sampling,
            combine=self.combine,
            seed=run.seed,
            threads=run.threads,
            engine=run.engine,
            progress=run.progress,
            continue_from=run.continue_from,
        )

    def _grow_pruned(self, table: Table, method: Method, run: EnsembleRun) -> Forest:
        """Bagged trees, each pruned with the rows of its own sample."""
        start = prepare(table, method, seed=run.seed)
        rows = start.table
        trees = list(run.continue_from.trees if run.continue_from is not None else ())
        weights = rows.row_weights
        for tree in range(len(trees), self.n_trees):
            counts = row_counts(start, self.sampling, tree)
            sampled = np.flatnonzero(counts)
            bag = dataclasses.replace(rows.take(sampled), weights=weights[sampled] * counts[sampled])
            trees.append(run.grow_tree(bag, run.seed + tree))
            run.report(tree + 1)
        return Forest(
            schema=rows.schema,
            trees=tuple(trees),
            combine=self.combine,
            recipe=method.as_table(),
            metadata=forest_metadata(start, self.sampling),
        )
