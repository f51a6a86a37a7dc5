"""EnsembleMethod: the part of a recipe that grows several trees and combines their predictions.

    ensemble = { name = "forest", n_trees = 200 }

The other parts of the recipe describe one tree; `grow` receives them as `method`. An `EnsembleRun` contains the rest:
seed, threads, engine, progress callback, and a function that grows and prunes one tree.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from hornbeam.ensembles.members import forest_bytes, rows_bytes
from hornbeam.ensembles.progress import Progress
from hornbeam.growing.memory import likely_bytes
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.options import Part
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

P = TypeVar("P", bound=Part)


@dataclasses.dataclass(frozen=True, eq=False)
class EnsembleRun:
    """How one ensemble is grown.

    `grow_tree(table, seed)` grows one tree by the recipe and prunes it if the recipe has a pruning (`is_pruned`).
    `progress(n)` is called with the number of trees grown so far. `continue_from` is a forest to add trees to.
    """

    grow_tree: Callable[[Table, int], Tree]
    seed: int = 0
    threads: int | None = None
    engine: str = "auto"
    progress: Progress | None = None
    continue_from: Forest | None = None
    is_pruned: bool = False

    def report(self, n_done: int) -> None:
        """Call the progress callback, if there is one."""
        if self.progress is not None:
            self.progress(n_done)


@dataclasses.dataclass(frozen=True)
class EnsembleMethod(Part, abc.ABC):
    """A method that grows several trees."""

    part_type: ClassVar[str] = "ensemble"
    # Whether trees are grown with the other parts of the recipe; if False, the ensemble has its own settings for that.
    uses_recipe: ClassVar[bool] = True

    @abc.abstractmethod
    def grow(self, table: Table, method: Method, run: EnsembleRun) -> Forest:
        """The forest of a table; `method` describes one tree."""

    @property
    def n_steps(self) -> int | None:
        """The number that `progress` counts up to: trees, or rounds; None if it is unknown."""
        return getattr(self, "n_trees", None)

    def memory_bytes(self, table: Table, method: Method, threads: int | None = None) -> int:
        """The estimated peak memory of `grow`, without the table."""
        start = prepare(table, method)
        return forest_bytes(start, self.n_steps or 1) + max(likely_bytes(start, threads), rows_bytes(start))


def nested_part(kind: type[P], given: P | Mapping[str, Any]) -> P:
    """A setting that is a part itself, from a value or a table of its settings."""
    if not isinstance(given, Mapping):
        return given
    return kind().replace(**{key: value for key, value in given.items() if (key, value) != ("name", kind.name)})
