"""`complexity_table`: rpart's complexity table from a table and a recipe, grown once and once per fold.

    print(complexity_table(table, "cart"))          drawing.complexity(complexity_table(table, "cart"))

The columns of the table and its choice of a size are those of `parts/prunings/machinery/complexity_table.py`.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.growing.fold_threads import fold_threads
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.options import is_integer
from hornbeam.parts.prunings.machinery.complexity_table import ComplexityTable
from hornbeam.parts.prunings.machinery.complexity_table import complexity_table as table_of
from hornbeam.parts.prunings.machinery.pruning_data import Folds
from hornbeam.recipes.grow import Files, refuse_with_memory
from hornbeam.recipes.grow_and_prune import N_FOLDS, costs_of
from hornbeam.recipes.inputs import files_of, table_in_memory
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.divide import divide, table_splits
from hornbeam.table.prepared import prepare
from hornbeam.table.table import Table


def complexity_table(
    table: Table | Files,
    recipe: str | Path | Method = "cart",
    *,
    folds: int | npt.NDArray[np.int64] = N_FOLDS,
    measure: str | None = None,
    groups: Any = None,
    times: Any = None,
    seed: int | None = None,
    threads: int | None = None,
    target: str | None = None,
    memory: str | int | None = None,
    progress: Callable[[str], Any] | None = None,
) -> ComplexityTable:
    """The complexity table of a recipe's tree on these rows, cross-validated.

    `folds` is the number of folds, 0 for no cross-validation, or an array with the fold of each row. `measure` is the
    risk: error, cost, impurity or squares; if None, chosen from the target type. `groups` and `times` divide the rows
    as in `cross_validate`.

    `table` may be a data frame or files ("data/*.parquet"), with the name of the `target`. With `memory` ("2GB") they
    need not fit into memory: the fold of a row is a hash of its number, and `progress` is called with a line of text.
    """
    dataset = files_of(table, target, memory=memory)
    if memory is not None:
        refuse_with_memory(groups=groups, times=times)
        settings = {"memory": memory, "seed": seed, "threads": threads, "report": progress}
        return _from_files(dataset, as_recipe(recipe), folds, measure, settings)
    table = divide(table_in_memory(table, dataset, target, "A complexity table"), groups=groups, times=times)
    chosen = as_recipe(recipe).require_single_tree().for_table(table)
    used_seed = chosen.seed if seed is None else as_seed(seed)
    if table.target is None:
        raise InputError("A complexity table requires a table with a target.", fix=Set("target", inside="read"))

    table = prepare(table)
    tree = grow(table, chosen, seed=used_seed, threads=threads)
    splits = _splits(table, folds, used_seed)
    at_once, threads = fold_threads(table, chosen, 0 if splits is None else len(splits), threads)
    grow_tree = functools.partial(grow, method=chosen, seed=used_seed, threads=threads)
    data = None if splits is None else Folds(table, splits, grow_tree, at_once)
    return dataclasses.replace(table_of(tree, data, measure=measure, costs=costs_of(chosen, tree)), tree=tree)


def _from_files(
    dataset: Any, recipe: Recipe, folds: Any, measure: str | None, settings: dict[str, Any]
) -> ComplexityTable:
    from hornbeam.recipes.file_folds import grown_with_folds  # here: a table in memory needs no files

    tree, grown, costs = grown_with_folds(dataset, recipe.require_single_tree(), folds=folds, **settings)
    return dataclasses.replace(table_of(tree, grown, measure=measure, costs=costs), tree=tree)


def _splits(table: Table, folds: int | npt.NDArray[np.int64], seed: int) -> Any:
    """The splits, or the fold of each row; None for no cross-validation."""
    if not is_integer(folds):
        return np.asarray(folds)
    number = int(folds)
    if number == 0:
        return None
    if not 2 <= number <= len(table):
        raise OptionError(
            f"folds must be 0, between 2 and {len(table)} (the number of rows), or an array, got {short_repr(folds)}.",
            option="folds",
        )
    return table_splits(table, number, seed, warn=False)
