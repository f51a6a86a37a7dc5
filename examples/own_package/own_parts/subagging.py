"""Subagging: each tree is grown on a random half of the rows, without replacement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hornbeam.ensembles.methods import EnsembleMethod, EnsembleRun
from hornbeam.growing.method import Method
from hornbeam.options import option
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest, combine_trees


@dataclass(frozen=True)
class Subagging(EnsembleMethod):
    """Trees on random halves of the rows."""

    name: ClassVar[str] = "subagging"
    n_trees: int = option(100, "number of trees", at_least=1)

    def grow(self, table: Table, method: Method, run: EnsembleRun) -> Forest:
        """Grow one tree after the other, each on half of the rows."""
        trees = []
        for tree in range(self.n_trees):
            rows = Stream.of(run.seed, Purpose.OTHER, tree).choose(len(table), len(table) // 2)
            trees.append(run.grow_tree(table.take(rows), run.seed))
            run.report(tree + 1)
        return combine_trees(trees)
