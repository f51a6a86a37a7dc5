"""`grow`: a finished tree, or a forest, from a table and a recipe."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from hornbeam.ensembles.progress import Progress
from hornbeam.errors import OptionError, Set
from hornbeam.growing.method import Method
from hornbeam.growing.trace import Trace
from hornbeam.recipes.grow_and_prune import grow_and_prune
from hornbeam.recipes.inputs import files_of, table_in_memory
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.chosen_rows import chosen_rows
from hornbeam.table.divide import divide
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.training_rows import with_training_rows

# Files to grow from: a path, a pattern, a list of paths, an Arrow stream, a Dask DataFrame, a `hornbeam.scale.Dataset`.
Files = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Any

# Called with a line of text while a tree is grown from files.
TextProgress = Callable[[str], Any]

# The names of the recipes of the library, by what they grow; a test compares them with the TOML files.
TreeRecipe = Literal["c45", "cart", "ctree", "default", "id3", "lecture_notes", "oblique", "plain", "regression"]
ForestRecipe = Literal["adaboost", "bagging", "boosting", "extra_trees", "forest"]


@overload
def grow(
    table: Table | Files,
    recipe: TreeRecipe = "default",
    *,
    target: str | None = None,
    memory: str | int | None = None,
    work: str | Path | None = None,
    resume: str | Path | None = None,
    client: Any = None,
    engine: str = "auto",
    trace: Trace | bool | None = None,
    rows: Any = None,
    weights: Any = None,
    groups: Any = None,
    times: Any = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | TextProgress | None = None,
    trust: bool = False,
) -> Tree: ...


@overload
def grow(
    table: Table | Files,
    recipe: ForestRecipe,
    *,
    target: str | None = None,
    engine: str = "auto",
    trace: Trace | bool | None = None,
    rows: Any = None,
    weights: Any = None,
    groups: Any = None,
    times: Any = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | TextProgress | None = None,
    trust: bool = False,
) -> Forest: ...


@overload
def grow(
    table: Table | Files,
    recipe: str | Path | Method,
    *,
    target: str | None = None,
    memory: str | int | None = None,
    work: str | Path | None = None,
    resume: str | Path | None = None,
    client: Any = None,
    engine: str = "auto",
    trace: Trace | bool | None = None,
    rows: Any = None,
    weights: Any = None,
    groups: Any = None,
    times: Any = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | TextProgress | None = None,
    trust: bool = False,
) -> Tree | Forest: ...


def grow(
    table: Table | Files,
    recipe: str | Path | Method = "default",
    *,
    target: str | None = None,
    memory: str | int | None = None,
    work: str | Path | None = None,
    resume: str | Path | None = None,
    client: Any = None,
    engine: str = "auto",
    trace: Trace | bool | None = None,
    rows: Any = None,
    weights: Any = None,
    groups: Any = None,
    times: Any = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | TextProgress | None = None,
    trust: bool = False,
) -> Tree | Forest:
    """A tree grown by a recipe (its name, its file, or a value) and pruned; a forest if the recipe has an ensemble.

    `table` is a table; a data frame, or anything else that `read` accepts, with the name of the `target`; or files: a
    path, a pattern ("data/*.parquet"), a list of paths, an Arrow stream or a `hornbeam.scale.Dataset`. With `memory`
    ("2GB"), the tree is grown from files that need not fit into memory, and `memory` never changes it; `work` is a
    folder for its files, which is kept so that an interrupted growth continues, and `progress` is called with a line of
    text. `resume` is a file for the model so far, from which an interrupted growth continues. With the `client` of a
    Dask cluster, its workers read the files, and the model is the same for any number of workers; `table` may also be a
    Dask DataFrame then.

    The default recipe prunes the tree: `print(repr(tree))` shows from how many leaves, and the recipe "plain" grows it
    until its leaves are pure.

    `trace=True` records every candidate and every reason for `format_trace(tree)`; use it with small data. `seed`
    overrides the recipe's. `threads` is the number of threads, None for all; the result does not depend on it.
    `progress(n)` is called with the number of trees grown so far. `trust` lets a recipe file name Python functions to
    be imported. `rows` are the rows to grow on, by index or mask, each once: the tree is that of `table.take(rows)`,
    and of a table made by `prepare` no column is sorted again. `weights` replace those of the table, one per row that
    is grown on; a weight of 0 excludes a row. `groups` and `times` are names of columns, which are then no inputs, or
    one value per row: rows that the recipe holds out (folds of a pruning, early stopping) are whole groups, or later
    rows. A table without a target requires searches that need none (`kd_median`, `pca_median`, `two_means`, `ball`);
    `relabel` assigns labels to the leaves of such a tree.
    """
    found = as_recipe(recipe, trust=trust)
    dataset = files_of(table, target, memory=memory, client=client)
    is_remote = dataset is not None and (client is not None or dataset.format() == "dask")
    if memory is not None or is_remote:
        refuse_with_memory(trace=trace, rows=rows, weights=weights, groups=groups, times=times)
        settings = {"threads": threads, "work": work, "resume": resume, "client": client, "seed": seed}
        return _from_files(dataset, found, memory, report=progress, **settings)
    if resume is not None:
        raise OptionError("resume requires memory=.", fix=Set("memory", "2GB"), option="resume")
    table = divide(table_in_memory(table, dataset, target, "Growing"), groups=groups, times=times)
    more: dict[str, Any] = {"seed": seed, "threads": threads, "progress": progress}
    return grow_model(chosen_rows(table, rows, weights), found, engine=engine, trace=trace, **more)


def grow_model(
    table: Table,
    recipe: Recipe,
    *,
    engine: str = "auto",
    trace: Trace | bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    keep_digest: bool = True,
) -> Tree | Forest:
    """The tree or the forest of a recipe; `keep_digest` stores the digest of the training rows in a tree."""
    chosen = recipe.for_table(table)
    if chosen.ensemble_method is not None:
        if trace:
            raise OptionError("trace requires a recipe of a single tree; this recipe has an ensemble.", option="trace")
        from hornbeam.recipes.forests import grow_ensemble  # here: one tree needs no ensembles

        return grow_ensemble(table, chosen, seed=seed, threads=threads, engine=engine, progress=progress)
    recorded = Trace() if trace is True else trace or None
    used_seed = chosen.seed if seed is None else as_seed(seed)
    tree = grow_and_prune(table, chosen, seed=used_seed, threads=threads, engine=engine, trace=recorded)
    return with_training_rows(tree, table) if keep_digest else tree


def _from_files(dataset: Any, recipe: Any, memory: str | int | None, **settings: Any) -> Tree | Forest:
    """The model of files; `settings` are those of `grow_files`."""
    from hornbeam.recipes.grow_files import grow_files  # here: a table in memory needs no files

    return grow_files(dataset, recipe, memory=memory, **settings)


def refuse_with_memory(**given: Any) -> None:
    """Raise an error if a setting is given that cannot be used with files beyond memory."""
    for name, value in given.items():
        if value is not None and value is not False:
            raise OptionError(f"{name} cannot be used with memory=.", fix=Set("memory", None), option=name)
