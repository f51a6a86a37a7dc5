"""How is a tree grown and cut back when there are only the training rows?

    alpha, m or a critical value to be found    10 folds (classes spread evenly) grown and judged
    a pruning set needed (reduced error)        a third of the rows judges, the others grow the tree
    a Bayes risk needed (risk threshold)        the lower end of its bracket
    anything else                               the tree grown on all rows

Rows are dealt as `evaluation.folds` deals them, so the same rows and seed give the same tree.
"""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamWarning, InputError
from hornbeam.growing.grow import grow
from hornbeam.growing.row_order import in_one_order
from hornbeam.growing.trace import Trace
from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.prune import prune
from hornbeam.parts.prunings.pruning_data import Folds, PruningData
from hornbeam.parts.prunings.risk_threshold import RiskThreshold
from hornbeam.recipes.recipe import Recipe
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

N_FOLDS = 10
N_PARTS = 3


def grow_and_prune(
    table: Table,
    recipe: Recipe,
    *,
    seed: int,
    threads: int | None = None,
    engine: str = "auto",
    trace: Trace | None = None,
) -> Tree:
    """The tree of a recipe, pruned if the recipe says so."""
    recipe = recipe.one_tree()
    table = in_one_order(table, recipe, is_needed=engine == "python" or trace is not None)

    def grown(rows: Table) -> Tree:
        return grow(rows, recipe, engine=engine, seed=seed, threads=threads)

    tree = grow(table, recipe, engine=engine, trace=trace, seed=seed, threads=threads)
    if recipe.pruning is None or len(table) < N_PARTS:
        return tree
    part = prunings.part(recipe.pruning)  # type: ignore[arg-type]
    costs = None
    if recipe.loss is not None and tree.is_class:
        costs = recipe.loss.cost_table(tree.schema.classes)
    folds = Folds(table, assign_folds(table, min(N_FOLDS, len(table)), seed), grown)
    least = None
    if isinstance(part, RiskThreshold) and part.bayes_risk is None and tree.is_class:
        from hornbeam.evaluation.bayes_risk import bayes_risk_bounds  # here: a tree without pruning needs no evaluation

        least = bayes_risk_bounds(table, n_trees=0, seed=seed).low
    try:
        return prune(tree, part, PruningData(training=table, folds=folds, costs=costs, bayes_risk=least))
    except InputError as error:
        if error.details.get("needs") != "pruning_set":
            raise
    judges = assign_folds(table, N_PARTS, seed) == 0
    return prune(grown(table.take(~judges)), part, PruningData(pruning_set=table.take(judges), costs=costs))


def assign_folds(table: Table, n_parts: int, seed: int) -> npt.NDArray[np.int64]:
    """The part of every row: classes are spread evenly, rows of a class by chance."""
    from hornbeam.evaluation.folds import random_folds, stratified_folds

    if table.target is None or not table.schema.is_class:
        return random_folds(len(table), n_parts, seed)
    with warnings.catch_warnings():
        # A class too rare for every fold is no news to the user who only asked for a tree.
        warnings.simplefilter("ignore", HornbeamWarning)
        return stratified_folds(table.target.values, n_parts, seed)
