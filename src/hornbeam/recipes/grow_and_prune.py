"""`grow_and_prune`: the finished tree of a recipe, when only the training rows are available.

    pruning chooses alpha, m or a critical value    10 folds (stratified), trees grown and evaluated per fold
    pruning needs a pruning set (reduced error)     a third of the rows prunes, the others grow the tree
    the same, large table with `max_fold_rows`      a tenth of the rows chooses alpha, the others grow the tree
    pruning needs a Bayes risk (risk threshold)     the lower bound of its estimate
    other prunings                                  the tree is grown on all rows

The rows are divided as the table is (`table/division.py`): one by one, by groups, or forward in time. The same rows
and seed give the same folds, and so the same tree.
"""

from __future__ import annotations

import functools

from hornbeam.growing.fold_threads import fold_threads
from hornbeam.growing.grow import grow
from hornbeam.growing.row_order import in_one_order
from hornbeam.growing.trace import Trace
from hornbeam.parts.node import Floats
from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.machinery.prune import prune
from hornbeam.parts.prunings.machinery.pruning_data import Folds, PruningData
from hornbeam.recipes.recipe import Recipe
from hornbeam.table.divide import feasible_folds, table_part, table_splits
from hornbeam.table.prepared import prepare
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

N_FOLDS = 10
MIN_ROWS = 3


def grow_and_prune(
    table: Table,
    recipe: Recipe,
    *,
    seed: int,
    threads: int | None = None,
    engine: str = "auto",
    trace: Trace | None = None,
) -> Tree:
    """The tree of a recipe, pruned if the recipe has a pruning."""
    recipe = recipe.require_single_tree().for_table(table)
    table = in_one_order(table, recipe, is_needed=engine == "python" or trace is not None)

    def grow_tree(rows: Table, trace: Trace | None = None, threads: int | None = threads) -> Tree:
        return grow(rows, recipe, engine=engine, trace=trace, seed=seed, threads=threads)

    if recipe.pruning is None or len(table) < MIN_ROWS:
        return grow_tree(table, trace)
    part = prunings.part(recipe.pruning)  # type: ignore[arg-type]
    n_parts = part.pruning_set_parts(len(table))
    if n_parts:
        split = table_part(table, n_parts, seed)
        tree = grow_tree(table.take(split.train), trace)
        return prune(tree, part, PruningData(pruning_set=table.take(split.test), costs=costs_of(recipe, tree)))
    tree = grow_tree(table, trace)
    bayes_risk = None
    if "bayes_risk" in part.needs and tree.is_class:
        from hornbeam.evaluation.bayes_risk import bayes_risk_bounds  # here: a tree without pruning needs no evaluation

        bayes_risk = bayes_risk_bounds(table, n_trees=0, seed=seed).low
    # Prepared after the tree: its lists and the ranks that the folds share are not in memory at the same time.
    splits = table_splits(table, feasible_folds(table, N_FOLDS), seed, warn=False)
    at_once, threads = fold_threads(table, recipe, len(splits), threads)
    folds = Folds(prepare(table), splits, functools.partial(grow_tree, threads=threads), at_once)
    data = PruningData(training=table, folds=folds, costs=costs_of(recipe, tree), bayes_risk=bayes_risk)
    return prune(tree, part, data)


def costs_of(recipe: Recipe, tree: Tree) -> Floats | None:
    """The misclassification costs of a recipe; None if it has none."""
    if recipe.loss is None or not tree.is_class:
        return None
    return recipe.loss.cost_table(tree.schema.classes)
