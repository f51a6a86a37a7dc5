"""Table + recipe -> many trees: a forest, bagged trees, boosted trees."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.ensembles.adaboost import AdaBoostResult, Floats, c50, samme
from hornbeam.ensembles.boosting import Boosting, boost
from hornbeam.ensembles.forest import forest_metadata, grow_forest, with_column_sampling
from hornbeam.ensembles.honest import Honesty
from hornbeam.ensembles.members import Progress, make_regrower
from hornbeam.ensembles.methods.adaboost import WAYS, AdaBoost
from hornbeam.ensembles.methods.bagging import Bagging
from hornbeam.ensembles.methods.forest import RandomForest
from hornbeam.ensembles.row_sampling import RowSampling, sample_counts
from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.growing.column_sampling import MaxFeatures
from hornbeam.growing.method import Method
from hornbeam.growing.row_order import in_one_order
from hornbeam.growing.sample import drop_uncounted_rows, prepare
from hornbeam.options import is_integer
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.recipes.grow_and_prune import grow_and_prune
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table, only_table
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree


def many(
    table: Table,
    recipe: str | Path | Method,
    *,
    seed: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
) -> Forest:
    """The trees of a recipe that has an ensemble."""
    chosen = as_recipe(recipe)
    way = chosen.way
    chosen.check_target("class" if table.schema.is_class else "number")
    work: dict[str, Any] = {"seed": chosen.seed if seed is None else as_seed(seed), "threads": threads}
    work["progress"] = progress
    if isinstance(way, Bagging):
        drawn: dict[str, Any] = {"trees": way.trees, "draw": way.draw, "combine": way.combine, "engine": engine}
        if isinstance(way, RandomForest):
            grown = forest(table, chosen.member, honest=way.honest, **drawn, **work)
        else:
            grown = bag(table, chosen.member, **drawn, **work)
    elif isinstance(way, AdaBoost):
        grown = adaboost(table, chosen.member, trees=way.trees, rate=way.rate, way=way.way, **work)
    elif isinstance(way, Boosting):
        grown = boost(table, way, engine="python" if engine == "python" else "core", **work)
    else:
        raise OptionError(f"The recipe {short_repr(chosen.name)} names no ensemble.", option="ensemble")
    return dataclasses.replace(grown, recipe=chosen.as_table())


def forest(
    table: Table,
    recipe: str | Path | Method = "plain",
    *,
    trees: int = 100,
    max_features: MaxFeatures = None,
    draw: RowSampling | None = None,
    combine: str = "mean",
    honest: Honesty | bool = False,
    seed: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
    after: Forest | None = None,
) -> Forest:
    """A random forest: every tree on rows drawn for it, at every node some columns drawn.

    `max_features`: how many columns are drawn (usually the square root of their number for classes, a third for
    numbers). `draw`: which rows a tree sees. `combine`: "mean" of shares or numbers, or "vote". `honest`: the rows that
    shape a tree do not fill its leaves. `progress(n)` is told how many trees are grown; `after` is a forest to go on
    from. Members are not pruned. The trees do not depend on the number of threads.
    """
    table = only_table(table, "A forest")
    chosen, first = _chosen(recipe, seed)
    method = with_column_sampling(chosen, table, max_features)
    return grow_forest(
        table,
        method,
        trees=trees,
        draw=draw,
        combine=combine,
        honest=(Honesty() if honest else None) if isinstance(honest, bool) else honest,
        seed=first,
        threads=threads,
        engine=engine,
        progress=progress,
        after=after,
    )


def bag(
    table: Table,
    recipe: str | Path | Method = "plain",
    *,
    trees: int = 100,
    draw: RowSampling | None = None,
    combine: str = "mean",
    seed: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
    after: Forest | None = None,
) -> Forest:
    """Bagged trees: the recipe, pruning and all, on rows drawn for every tree."""
    chosen, first = _chosen(recipe, seed)
    if chosen.pruning is None:
        settings: dict[str, Any] = {"trees": trees, "draw": draw, "combine": combine, "after": after}
        return grow_forest(table, chosen, seed=first, threads=threads, engine=engine, progress=progress, **settings)
    _check_trees(trees)
    rows = RowSampling() if draw is None else draw
    start = prepare(table, chosen, seed=first)
    sample, whole = start.sample, start.table
    members = list(after.trees if after is not None else ())
    for tree in range(len(members), trees):
        counts = sample_counts(rows, sample.target, sample.n_classes, first, tree)
        drawn = np.flatnonzero(counts)
        held = np.ones(len(whole)) if whole.weights is None else np.asarray(whole.weights)
        mine = dataclasses.replace(whole.take(drawn), weights=held[drawn] * counts[drawn])
        members.append(grow_and_prune(mine, chosen, seed=first + tree, threads=threads, engine=engine))
        if progress is not None:
            progress(tree + 1)
    metadata = forest_metadata(start, rows)
    return Forest(
        schema=whole.schema, trees=tuple(members), combine=combine, recipe=chosen.as_table(), metadata=metadata
    )


def adaboost(
    table: Table,
    recipe: str | Path | Method | None = None,
    *,
    trees: int = 50,
    rate: float = 1.0,
    way: str = "samme",
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Forest:
    """Trees grown one after the other, each on the mistakes of those before it.

    The recipe is that of one tree, including its pruning. Without one the trees are stumps: `plain` of depth 1, as in
    scikit-learn; deeper trees are recipe("plain").with_changes(stops=[MaxDepth(depth=3)]). `way` is "samme" (AdaBoost for any
    number of classes; `rate` is the learning rate) or "c50" (C5.0's boosting).
    """
    table = only_table(table, "AdaBoost")
    chosen, first = _chosen(_stumps() if recipe is None else recipe, seed)
    _check_trees(trees)
    if way not in WAYS:
        raise OptionError(f"way must be one of {', '.join(WAYS)}; got {short_repr(way)}.", option="way", got=way)
    if not table.schema.is_class:
        raise InputError("AdaBoost learns classes; the target is a number.", hint="Use a forest or gradient boosting.")
    whole = in_one_order(chosen.missing.prepare(drop_uncounted_rows(table)), chosen, is_needed=True)
    assert whole.target is not None
    held = np.ones(len(whole)) if whole.weights is None else np.array(whole.weights)
    settings: dict[str, Any] = {"trials": trees, "progress": progress}

    one_tree = make_regrower(whole, chosen, seed=first, threads=threads)

    def grown(weights: Floats, trial: int) -> Tree:
        mine = dataclasses.replace(whole, weights=weights)
        if chosen.pruning is None:
            return one_tree(mine, trial)
        return grow_and_prune(mine, chosen, seed=first + trial, threads=threads)

    data = (whole.columns, whole.target.values.astype(np.int64), held, len(whole.target.levels), grown)
    boosted = samme(*data, rate=rate, **settings) if way == "samme" else c50(*data, **settings)
    return _voting(whole, chosen, boosted, way, first)


def _stumps() -> Recipe:
    """The default trees of AdaBoost."""
    return as_recipe("plain").with_changes(stops=[MaxDepth(depth=1)])


def _voting(table: Table, chosen: Recipe, boosted: AdaBoostResult, way: str, seed: int) -> Forest:
    metadata = {
        "rows": len(table),
        "seed": seed,
        "way": way,
        "errors": boosted.errors,
        "stopped": boosted.reason,
        "notes": list(table.notes),
    }
    return Forest(
        schema=table.schema,
        trees=tuple(boosted.trees),
        weights=np.array(boosted.alphas),
        combine="vote" if way == "samme" else "confidence",
        recipe=chosen.as_table(),
        metadata=metadata,
    )


def _chosen(recipe: str | Path | Method, seed: int | None) -> tuple[Recipe, int]:
    chosen = as_recipe(recipe).member
    return chosen, chosen.seed if seed is None else as_seed(seed)


def _check_trees(trees: Any) -> None:
    if not is_integer(trees) or trees < 1:
        raise OptionError(
            f"trees must be a whole number of 1 or more; got {short_repr(trees)}.", option="trees", got=trees
        )
