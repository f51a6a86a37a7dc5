"""Random forest: a random sample of the rows per tree and a random subset of the columns per node.

The subset has floor(sqrt d) of d columns for classification and d / 3 for regression, unless the recipe sets
max_features. Trees are not pruned (definition 10.1). With random cuts and all rows, the result is extra trees.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from hornbeam.ensembles.forest import grow_forest, with_column_sampling
from hornbeam.ensembles.honest import Honesty
from hornbeam.ensembles.methods.bagging import Bagging
from hornbeam.ensembles.methods.base import EnsembleRun, nested_part
from hornbeam.growing.method import Method
from hornbeam.options import option
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest


@dataclasses.dataclass(frozen=True)
class RandomForest(Bagging):
    """A random forest."""

    name: ClassVar[str] = "forest"
    honest: bool | Honesty = option(  # noqa: RUF009 - frozen
        False, "whether separate rows choose the splits and compute the predictions of a tree"
    )

    def __post_init__(self) -> None:
        if isinstance(self.honest, Mapping):
            object.__setattr__(self, "honest", nested_part(Honesty, self.honest))
        super().__post_init__()

    def grow(self, table: Table, method: Method, run: EnsembleRun) -> Forest:
        """A random forest."""
        return grow_forest(
            table,
            with_column_sampling(method, table, None),
            n_trees=self.n_trees,
            sampling=self.sampling,
            combine=self.combine,
            honest=(Honesty() if self.honest else None) if isinstance(self.honest, bool) else self.honest,
            seed=run.seed,
            threads=run.threads,
            engine=run.engine,
            progress=run.progress,
            continue_from=run.continue_from,
        )
