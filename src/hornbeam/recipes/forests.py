"""Table + recipe -> many trees: a forest, bagged trees, boosted trees."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.ensembles.adaboost import Boosted, Floats, c50, samme
from hornbeam.ensembles.boosting import Boosting, boost
from hornbeam.ensembles.draws import Draw, times
from hornbeam.ensembles.forest import drawing, forest_facts, grown_forest
from hornbeam.ensembles.honest import Honesty
from hornbeam.ensembles.members import Progress, growing_again
from hornbeam.ensembles.ways.adaboost import WAYS, AdaBoost
from hornbeam.ensembles.ways.bagging import Bagging
from hornbeam.ensembles.ways.forest import RandomForest
from hornbeam.errors import InputError, OptionError, shown
from hornbeam.growing.drawn import MaxFeatures
from hornbeam.growing.method import Method
from hornbeam.growing.row_order import in_one_order
from hornbeam.growing.sample import counted, ready
from hornbeam.options import is_whole
from hornbeam.parts.stops.depth import Depth
from hornbeam.recipes.cutting import grown_and_cut
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
        raise OptionError(f"The recipe {shown(chosen.name)} names no ensemble.", option="ensemble")
    return dataclasses.replace(grown, recipe=chosen.as_table())


def forest(
    table: Table,
    recipe: str | Path | Method = "plain",
    *,
    trees: int = 100,
    max_features: MaxFeatures = None,
    draw: Draw | None = None,
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
    method = drawing(chosen, table, max_features)
    return grown_forest(
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
    draw: Draw | None = None,
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
        return grown_forest(table, chosen, seed=first, threads=threads, engine=engine, progress=progress, **settings)
    _check_trees(trees)
    rows = Draw() if draw is None else draw
    start = ready(table, chosen, seed=first)
    sample, whole = start.sample, start.table
    members = list(after.trees if after is not None else ())
    for tree in range(len(members), trees):
        counts = times(rows, sample.target, sample.n_classes, first, tree)
        drawn = np.flatnonzero(counts)
        held = np.ones(len(whole)) if whole.weights is None else np.asarray(whole.weights)
        mine = dataclasses.replace(whole.taken(drawn), weights=held[drawn] * counts[drawn])
        members.append(grown_and_cut(mine, chosen, seed=first + tree, threads=threads, engine=engine))
        if progress is not None:
            progress(tree + 1)
    facts = forest_facts(start, rows)
    return Forest(schema=whole.schema, trees=tuple(members), combine=combine, recipe=chosen.as_table(), facts=facts)


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
    scikit-learn; deeper trees are recipe("plain").but(stops=[Depth(at_most=3)]). `way` is "samme" (AdaBoost for any
    number of classes; `rate` is the learning rate) or "c50" (C5.0's boosting).
    """
    table = only_table(table, "AdaBoost")
    chosen, first = _chosen(_stumps() if recipe is None else recipe, seed)
    _check_trees(trees)
    if way not in WAYS:
        raise OptionError(f"way must be one of {', '.join(WAYS)}; got {shown(way)}.", option="way", got=way)
    if not table.schema.is_class:
        raise InputError("AdaBoost learns classes; the target is a number.", hint="Use forest or boost.")
    whole = in_one_order(chosen.missing.prepare(counted(table)), chosen, is_needed=True)
    assert whole.target is not None
    held = np.ones(len(whole)) if whole.weights is None else np.array(whole.weights)
    settings: dict[str, Any] = {"trials": trees, "progress": progress}

    one_tree = growing_again(whole, chosen, seed=first, threads=threads)

    def grown(weights: Floats, trial: int) -> Tree:
        mine = dataclasses.replace(whole, weights=weights)
        if chosen.pruning is None:
            return one_tree(mine, trial)
        return grown_and_cut(mine, chosen, seed=first + trial, threads=threads)

    data = (whole.columns, whole.target.values.astype(np.int64), held, len(whole.target.levels), grown)
    boosted = samme(*data, rate=rate, **settings) if way == "samme" else c50(*data, **settings)
    return _voting(whole, chosen, boosted, way, first)


def _stumps() -> Recipe:
    """The default trees of AdaBoost."""
    return as_recipe("plain").but(stops=[Depth(at_most=1)])


def _voting(table: Table, chosen: Recipe, boosted: Boosted, way: str, seed: int) -> Forest:
    facts = {
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
        facts=facts,
    )


def _chosen(recipe: str | Path | Method, seed: int | None) -> tuple[Recipe, int]:
    chosen = as_recipe(recipe).member
    return chosen, chosen.seed if seed is None else as_seed(seed)


def _check_trees(trees: Any) -> None:
    if not is_whole(trees) or trees < 1:
        raise OptionError(f"trees must be a whole number of 1 or more; got {shown(trees)}.", option="trees", got=trees)
