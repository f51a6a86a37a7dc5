"""How is a tree grown and cut back when there are only the training rows?

    alpha, m or a critical value to be found    10 folds (classes spread evenly) grown and judged
    a pruning set needed (reduced error)        a third of the rows judges, the others grow the tree
    anything else                               the tree grown on all rows

Rows are dealt by a hash of the seed and their place, so the same rows give the same tree.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbeam import seeds
from hornbeam.errors import InputError
from hornbeam.growing.grow import grow
from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.evidence import Evidence, Folds
from hornbeam.parts.prunings.prune import prune
from hornbeam.recipes.recipe import Recipe
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

N_FOLDS = 10
N_PARTS = 3


def grown_and_cut(table: Table, recipe: Recipe, *, seed: int, threads: int) -> Tree:
    """The tree of a recipe, pruned if the recipe says so."""

    def grown(rows: Table) -> Tree:
        return grow(rows, recipe, seed=seed, threads=threads)

    tree = grown(table)
    if recipe.pruning is None or len(table) < N_PARTS:
        return tree
    part = prunings.part(recipe.pruning)  # type: ignore[arg-type]
    costs = None
    if recipe.loss is not None and tree.is_class:
        costs = recipe.loss.cost_table(tree.schema.classes)
    folds = Folds(table, dealt(table, min(N_FOLDS, len(table)), seed), grown)
    try:
        return prune(tree, part, Evidence(training=table, folds=folds, costs=costs))
    except InputError as error:
        if error.facts.get("needs") != "pruning_set":
            raise
    judges = dealt(table, N_PARTS, seed) == 0
    return prune(grown(table.taken(~judges)), part, Evidence(pruning_set=table.taken(judges), costs=costs))


def dealt(table: Table, n_parts: int, seed: int) -> npt.NDArray[np.int64]:
    """The part of every row: classes are spread evenly, rows of a class by chance."""
    chance = _mixed(np.arange(len(table), dtype=np.uint64), seeds.key(seed, seeds.Purpose.FOLDS))
    is_class = table.target is not None and table.schema.is_class
    order = np.lexsort((chance, table.target.values)) if is_class and table.target else np.argsort(chance)
    found = np.empty(len(table), dtype=np.int64)
    found[order] = np.arange(len(table)) % n_parts
    return found


def _mixed(x: npt.NDArray[np.uint64], key: int) -> npt.NDArray[np.uint64]:
    """`seeds.mix` of many words at once."""
    z = (x ^ np.uint64(key)) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: npt.NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed
