"""Table + recipe -> finished tree: grown, then cut back as the recipe says; or many trees that answer together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hornbeam.ensembles.boosting import Boosting, boosting_bytes
from hornbeam.ensembles.members import Progress, forest_bytes, rows_bytes
from hornbeam.errors import OptionError
from hornbeam.growing.memory import likely_bytes
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.growing.trace import Trace
from hornbeam.growing.without_target import add_single_class
from hornbeam.recipes.grow_and_prune import grow_and_prune
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table, only_table
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
    trust: bool = False,
) -> Tree | Forest:
    """A tree of the table's target by a recipe: its name, its file, or a value; a forest where the recipe is of many.

    `trace=True` keeps every candidate and every reason for `steps(tree)`; the data should be small then. `seed`
    overrides the recipe's. `threads`: how many, None for all there are; the tree does not depend on it. `progress(n)`
    is called with the number of trees grown so far. `trust` lets a recipe's file name Python functions to be imported.
    A table without a target needs searches that need none (`kd_median`, `pca_median`, `two_means`, `ball`); `relabel`
    puts labels on such a tree.
    """
    table = only_table(table, "Growing")
    chosen = as_recipe(recipe, trust=trust)
    if chosen.way is not None:
        if trace:
            raise OptionError("A trace is kept of one tree; the recipe grows many.", option="trace")
        from hornbeam.recipes.forests import many  # here: one tree needs no ensembles

        return many(table, chosen, seed=seed, threads=threads, engine=engine, progress=progress)
    kept = Trace() if trace is True else trace or None
    first = chosen.seed if seed is None else as_seed(seed)
    return grow_and_prune(table, chosen, seed=first, threads=threads, engine=engine, trace=kept)


def estimate_memory(
    table: Table, recipe: str | Path | Mapping[str, Any] | Method = "plain", *, threads: int | None = None
) -> int:
    """About how many bytes growing by a recipe will take at its peak beside the table, from sizes alone.

    Columns of few values take less than is said. How many nodes there will be is a guess: a leaf for every ten rows
    where classes are told apart, one for every row where numbers are, fewer where stops say so.
    """
    chosen = Recipe.from_table(recipe) if isinstance(recipe, Mapping) else as_recipe(recipe)
    way = chosen.way
    if way is None and only_table(table, "Growing").target is None:
        table, bare = add_single_class(table, chosen)
        return likely_bytes(prepare(table, bare), threads)
    if isinstance(way, Boosting):
        start = prepare(table, Method())
        classes = start.sample.n_classes
        return boosting_bytes(start.sample, classes if classes > 2 else 1)
    start = prepare(table, chosen if way is None else chosen.member)
    one = likely_bytes(start, threads)
    trees = getattr(way, "trees", 0)
    return forest_bytes(start, trees) + max(one, rows_bytes(start)) if trees else one
