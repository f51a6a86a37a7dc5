"""Table + recipe -> finished tree: grown, then cut back as the recipe says; or many trees that answer together."""

from __future__ import annotations

from pathlib import Path

from hornbeam.ensembles.members import Progress
from hornbeam.errors import OptionError
from hornbeam.growing.method import Method
from hornbeam.growing.trace import Trace
from hornbeam.recipes.cutting import grown_and_cut
from hornbeam.recipes.forests import many
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree


def grow(
    table: Table,
    recipe: str | Path | Method = "plain",
    *,
    engine: str = "auto",
    trace: Trace | bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tree | Forest:
    """A tree of the table's target by a recipe: its name, its file, or a value; a forest where the recipe is of many.

    `trace=True` keeps every candidate and every reason for `steps(tree)`; the data should be small then. `seed`
    overrides the recipe's. `threads`: how many, None for all there are; the tree does not depend on it. `progress(n)`
    is told how many of many trees are grown.
    """
    chosen = as_recipe(recipe)
    if chosen.way is not None:
        if trace:
            raise OptionError("A trace is kept of one tree; the recipe grows many.", option="trace")
        return many(table, chosen, seed=seed, threads=threads, engine=engine, progress=progress)
    kept = Trace() if trace is True else trace or None
    first = chosen.seed if seed is None else as_seed(seed)
    return grown_and_cut(table, chosen, seed=first, threads=threads, engine=engine, trace=kept)
