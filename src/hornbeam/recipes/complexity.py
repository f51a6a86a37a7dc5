"""How large should the tree be?  rpart's table of complexities from rows and a recipe: grown once, and once a fold.

    print(cost_table(table, "cart"))          drawing.complexity(cost_table(table, "cart"))

The table, its columns and its choice are those of `parts/prunings/cost_table.py`.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.options import is_integer
from hornbeam.parts.prunings.cost_table import ComplexityTable
from hornbeam.parts.prunings.cost_table import complexity_table as table_of
from hornbeam.parts.prunings.pruning_data import Folds
from hornbeam.recipes.grow_and_prune import N_FOLDS, assign_folds
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table, only_table
from hornbeam.tree.nodes import Tree


def complexity_table(
    table: Table,
    recipe: str | Path | Method = "cart",
    *,
    folds: int | npt.NDArray[np.int64] = N_FOLDS,
    measure: str | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> ComplexityTable:
    """The table of complexities of a recipe's tree on these rows, cross-validated.

    `folds` is how many parts rows are dealt to, 0 for no cross-validation, or the part of every row. `measure` is what
    risk means: error, cost, impurity or squares; unset: what suits the target.
    """
    table = only_table(table, "A table of complexities")
    chosen = as_recipe(recipe).one_tree()
    first = chosen.seed if seed is None else as_seed(seed)
    if table.target is None:
        raise InputError("The table has no target to grow a tree for.", fix=Set("target", inside="read"))

    def grown(rows: Table) -> Tree:
        return grow(rows, chosen, seed=first, threads=threads)

    tree = grown(table)
    costs = chosen.loss.cost_table(tree.schema.classes) if chosen.loss is not None and tree.is_class else None
    part = _parts(table, folds, first)
    evidence = None if part is None else Folds(table, part, grown)
    return dataclasses.replace(table_of(tree, evidence, measure=measure, costs=costs), tree=tree)


def _parts(table: Table, folds: int | npt.NDArray[np.int64], seed: int) -> npt.NDArray[np.int64] | None:
    """The part of every row; None for no parts."""
    if not is_integer(folds):
        return np.asarray(folds)
    number = int(folds)
    if number == 0:
        return None
    if not 2 <= number <= len(table):
        raise OptionError(
            f"folds must be 0, between 2 and the {len(table)} rows, or one number a row; got {short_repr(folds)}.",
            option="folds",
        )
    return assign_folds(table, number, seed)
