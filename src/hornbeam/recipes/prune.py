"""`prune`: a pruned model; the rows passed with it become the data that its pruning needs.

    prune(tree, "one_se", table)          cost complexity; alpha is chosen by the rule one_se over ten folds
    prune(tree, "pessimistic")            by the statistics of the tree alone
    prune(tree, "reduced_error", rows)    by rows that did not grow the tree
    prune(tree, table)                    the default pruning, with rows
    prune(tree)                           the default pruning, without rows

The default with rows is cost complexity with the alpha of the smallest cross-validated loss. Without rows it is
error-based pruning with confidence 0.05 and without raising.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

from hornbeam.errors import InputError, OptionError, Set
from hornbeam.growing.fold_threads import fold_threads
from hornbeam.parts.prunings import Pruning, PruningData
from hornbeam.parts.prunings.error_based import ErrorBased
from hornbeam.parts.prunings.machinery.prune import named_pruning
from hornbeam.parts.prunings.machinery.prune import prune as prune_with_data
from hornbeam.parts.prunings.machinery.pruning_data import Folds
from hornbeam.recipes.grow_and_prune import N_FOLDS, grow_and_prune
from hornbeam.recipes.stored import stored_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.divide import divide, feasible_folds, table_splits
from hornbeam.table.prepared import prepare
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped

PruningArgument = Pruning | str | Mapping[str, Any]


@overload
def prune(
    model: Tree,
    pruning: PruningArgument | Table | None = None,
    rows: Any = None,
    *,
    folds: int | None = None,
    groups: Any = None,
    times: Any = None,
    seed: int | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
) -> Tree: ...
@overload
def prune(
    model: Forest,
    pruning: PruningArgument | Table | None = None,
    rows: Any = None,
    *,
    folds: int | None = None,
    groups: Any = None,
    times: Any = None,
    seed: int | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
) -> Forest: ...
def prune(
    model: Tree | Forest,
    pruning: PruningArgument | Table | None = None,
    rows: Any = None,
    *,
    folds: int | None = None,
    groups: Any = None,
    times: Any = None,
    seed: int | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
) -> Tree | Forest:
    """The tree after a pruning; for a forest, every tree is pruned separately.

    `pruning` is a name, a table of settings, a value, or a rule of cost complexity: "one_se" or "minimum". `rows` are
    the rows that grew the tree, in `folds` folds (default: 10) for choices by cross-validation; for a pruning that
    needs a pruning set, rows that did not grow the tree. A `PruningData` has full control. `groups` and `times` divide
    the rows as in `cross_validate`.

    The rows may be files ("data/*.parquet"). A pruning set is read in batches; with `memory` ("2GB"), the files that
    grew the tree are divided into folds by a hash of the row and need not fit into memory.
    """
    if isinstance(pruning, Table):
        if rows is not None:
            raise OptionError("Pass the pruning before the rows: prune(tree, 'one_se', table).", option="pruning")
        pruning, rows = None, pruning
    found = unwrapped(model, labels=False)
    part = default_pruning(found, has_rows=rows is not None) if pruning is None else named_pruning(pruning)
    if rows is None and getattr(part, "rule", "given") != "given":
        raise InputError(
            f"Pruning {part.name!r} with rule {getattr(part, 'rule', '')!r} requires rows, and none were given.",
            hint="Pass the rows that grew the tree as the third argument.",
        )
    if rows is None or isinstance(rows, PruningData):
        if not all(each is None for each in (folds, groups, times)):
            raise OptionError("folds, groups and times require rows.", fix=Set("rows"), option="rows")
        return prune_with_data(found, part, rows)
    if _is_files(rows) and (memory is not None or groups is times is None):
        data = _file_data(found, part, rows, memory=memory, folds=folds, seed=seed, threads=threads)
        if data is not None:
            return prune_with_data(found, part, data)
    if memory is not None:
        raise OptionError("memory requires one tree and files without groups and times.", option="memory")
    table = divide(rows, groups=groups, times=times) if isinstance(rows, Table) else rows
    table = model_table(found.schema, table, needs_target=True)
    if not isinstance(rows, Table):
        table = divide(table, groups=groups, times=times)
    if "pruning_set" in part.needs:
        return prune_with_data(found, part, PruningData(pruning_set=table))
    in_folds = None
    if isinstance(found, Tree):
        n_folds = feasible_folds(table, N_FOLDS) if folds is None else folds
        in_folds = regrown_folds(found, table, n_folds, seed=seed, threads=threads)
    return prune_with_data(found, part, PruningData(training=table, folds=in_folds))


def _is_files(rows: Any) -> bool:
    from hornbeam.scale.dataset import Dataset
    from hornbeam.scale.labeled_rows import is_row_source

    return isinstance(rows, Dataset) or is_row_source(rows)


def _file_data(
    model: Tree | Forest, part: Pruning, rows: Any, *, memory: str | int | None, **settings: Any
) -> PruningData | None:
    """What a tree is pruned by, from files; None if they are read into memory."""
    if not isinstance(model, Tree):
        return None
    from hornbeam.recipes.file_folds import regrown_file_folds, sums_of_files  # here: rows in memory need no files

    if "pruning_set" in part.needs:
        return PruningData(pruning_set=sums_of_files(model, rows))
    if memory is None:
        return None
    if part.needs:
        raise OptionError(f"Pruning {part.name!r} needs rows in memory.", fix=Set("memory", None), option="memory")
    return PruningData(folds=regrown_file_folds(model, rows, memory=memory, **settings))


def default_pruning(model: Tree | Forest, *, has_rows: bool) -> Pruning:
    """The pruning that is used if none is given."""
    if has_rows and isinstance(model, Tree):
        return named_pruning("minimum")
    if not model.schema.is_class:
        is_tree = isinstance(model, Tree)
        raise InputError(
            f"The default pruning of a regression {'tree' if is_tree else 'forest'} "
            f"{'is chosen on rows, and none were given' if is_tree else 'is not defined'}.",
            fix=() if is_tree else Set("pruning"),
            hint="Pass the rows that grew the tree: prune(tree, table)." if is_tree else "",
        )
    return ErrorBased(confidence=0.05, raising=False)


def regrown_folds(
    tree: Tree, table: Table, n_folds: int, *, seed: int | None = None, threads: int | None = None
) -> Folds:
    """The rows in folds, for trees grown again by the recipe that is stored in the tree, without its pruning."""
    recipe = stored_recipe(tree, pruning=None).require_single_tree()
    table = prepare(table)
    used_seed = recipe.seed if seed is None else as_seed(seed)
    splits = table_splits(table, n_folds, used_seed, warn=False)
    at_once, threads = fold_threads(table, recipe, len(splits), threads)

    def grow_tree(rows: Table) -> Tree:
        return grow_and_prune(rows, recipe, seed=used_seed, threads=threads)

    return Folds(table, splits, grow_tree, at_once)
