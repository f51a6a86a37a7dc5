"""Grows ensembles from a table and a recipe: `grow_ensemble` by the recipe's ensemble, the others by arguments."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from hornbeam.ensembles.forest import with_column_sampling
from hornbeam.ensembles.honest import Honesty
from hornbeam.ensembles.methods import EnsembleMethod, EnsembleRun
from hornbeam.ensembles.methods.adaboost import AdaBoost
from hornbeam.ensembles.methods.bagging import Bagging
from hornbeam.ensembles.methods.forest import RandomForest
from hornbeam.ensembles.progress import Progress
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.errors import OptionError, short_repr
from hornbeam.growing.column_sampling import MaxFeatures
from hornbeam.growing.method import Method
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.recipes.grow_and_prune import grow_and_prune
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table, only_table
from hornbeam.table.target_kind import other_kind
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.training_rows import with_training_rows


def grow_ensemble(
    table: Table,
    recipe: str | Path | Method,
    *,
    seed: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
) -> Forest:
    """The forest of a recipe that has an ensemble."""
    chosen = as_recipe(recipe).for_table(table)
    method = chosen.ensemble_method
    if method is None:
        raise OptionError(f"The recipe {short_repr(chosen.name)} has no ensemble.", option="ensemble")
    chosen.check_target("class" if table.schema.is_class else "number", other_kind(table.target))
    grown = _grow(table, chosen, method, seed, threads=threads, engine=engine, progress=progress)
    return dataclasses.replace(grown, recipe=chosen.as_table())


def forest(
    table: Table,
    recipe: str | Path | Method = "plain",
    *,
    n_trees: int = 100,
    max_features: MaxFeatures = None,
    sampling: RowSampling | None = None,
    combine: str = "mean",
    honest: Honesty | bool = False,
    seed: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
    continue_from: Forest | None = None,
) -> Forest:
    """A random forest: a random sample of the rows per tree, a random subset of the columns per node.

    `max_features` is the size of the subset (default: the square root of the number of columns for classification, a
    third for regression). `sampling` is how the rows of each tree are sampled. `combine` is "mean" of the
    probabilities or numbers, or "vote". `honest`: separate rows choose the splits and compute the predictions.
    `progress(n)` is called with the number of trees grown. `continue_from` is a forest to add trees to. Trees are not
    pruned, and do not depend on the number of threads.
    """
    table = only_table(table, "A forest")
    chosen = with_column_sampling(as_recipe(recipe).tree_recipe.for_table(table), table, max_features)
    method = RandomForest(n_trees=n_trees, sampling=sampling or RowSampling(), combine=combine, honest=honest)
    work: dict[str, Any] = {"threads": threads, "engine": engine, "progress": progress}
    return _grow(table, chosen, method, seed, continue_from=continue_from, **work)


def bag(
    table: Table,
    recipe: str | Path | Method = "plain",
    *,
    n_trees: int = 100,
    sampling: RowSampling | None = None,
    combine: str = "mean",
    seed: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
    continue_from: Forest | None = None,
) -> Forest:
    """Bagged trees: the whole recipe, including its pruning, on a random sample of the rows per tree."""
    method = Bagging(n_trees=n_trees, sampling=sampling or RowSampling(), combine=combine)
    work: dict[str, Any] = {"threads": threads, "engine": engine, "progress": progress}
    return _grow(table, as_recipe(recipe), method, seed, continue_from=continue_from, **work)


def adaboost(
    table: Table,
    recipe: str | Path | Method | None = None,
    *,
    n_trees: int = 50,
    learning_rate: float = 1.0,
    algorithm: str | None = None,
    loss: str = "linear",
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Forest:
    """Trees grown one after the other; row weights move to the rows that earlier trees predict badly.

    The recipe describes one tree, including its pruning. The default is `plain` of depth 1 for classification (a stump)
    and of depth 3 for regression, as in scikit-learn; deeper trees are
    recipe("plain").with_changes(stops=[MaxDepth(depth=3)]). `algorithm` is "samme" (AdaBoost for any number of classes;
    `learning_rate` multiplies the votes), "c50" (the boosting of C5.0), or "r2" (AdaBoost.R2, for
    numbers; `loss` is linear, square or exponential).
    """
    table = only_table(table, "AdaBoost")
    depth = MaxDepth(depth=1 if table.schema.is_class else 3)
    chosen = as_recipe("plain").with_changes(stops=[depth]) if recipe is None else as_recipe(recipe)
    method = AdaBoost(n_trees=n_trees, learning_rate=learning_rate, algorithm=algorithm, loss=loss)
    return _grow(table, chosen, method, seed, threads=threads, progress=progress)


def _grow(
    table: Table,
    recipe: Recipe,
    method: EnsembleMethod,
    seed: int | None,
    *,
    threads: int | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
    continue_from: Forest | None = None,
) -> Forest:
    one_tree = recipe.tree_recipe.for_table(table)

    def grow_tree(rows: Table, tree_seed: int) -> Tree:
        return grow_and_prune(rows, one_tree, seed=tree_seed, threads=threads, engine=engine)

    run = EnsembleRun(
        grow_tree=grow_tree,
        seed=recipe.seed if seed is None else as_seed(seed),
        threads=threads,
        engine=engine,
        progress=progress,
        continue_from=continue_from,
        is_pruned=one_tree.pruning is not None,
    )
    return with_training_rows(method.grow(table, one_tree, run), table)
