"""Table + recipe -> finished tree: grown, then cut back as the recipe says."""

from __future__ import annotations

from pathlib import Path

from hornbeam.growing import grow as growing
from hornbeam.growing.method import Method
from hornbeam.growing.trace import Trace
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree


def grow(
    table: Table,
    recipe: str | Path | Method = "plain",
    *,
    engine: str = "auto",
    trace: Trace | bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> Tree:
    """A tree of the table's target by a recipe: its name, its file, or a value.

    `trace=True` keeps every candidate and every reason for `steps(tree)`; the data should be small then. `seed`
    overrides the recipe's. `threads`: how many, None for all there are; the tree does not depend on it.
    """
    chosen = as_recipe(recipe)
    kept = Trace() if trace is True else trace or None
    return growing.grow(
        table,
        chosen,
        engine=engine,
        trace=kept,
        seed=chosen.seed if seed is None else as_seed(seed),
        threads=threads,
    )
