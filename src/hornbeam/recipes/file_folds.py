"""What prunings choose by, from files that need not fit into memory: fold trees, or the sums of a pruning set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hornbeam.errors import OptionError, short_repr
from hornbeam.options import is_integer
from hornbeam.parts.prunings.machinery.node_sums import NodeSums
from hornbeam.parts.prunings.machinery.pruning_data import GrownFolds
from hornbeam.parts.searches.binned_cuts import BinnedCuts
from hornbeam.recipes.grow_and_prune import N_FOLDS, costs_of
from hornbeam.recipes.grow_files import BINS, described_tree, growth_settings, with_bins
from hornbeam.recipes.prune_files import tree_and_folds
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.stored import stored_recipe
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.grow import grow_binned
from hornbeam.scale.labeled_rows import labeled_tables
from hornbeam.scale.memory_limit import bytes_of
from hornbeam.scale.prepare import prepared
from hornbeam.seeds import as_seed
from hornbeam.table.column import Kind
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import Tree


def grown_with_folds(
    dataset: Dataset,
    recipe: Recipe,
    *,
    memory: str | int,
    folds: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    work: Any = None,
    report: Callable[[str], Any] | None = None,
) -> tuple[Tree, GrownFolds | None, Any]:
    """The tree of a recipe from files, not pruned; the trees of its folds, None for 0 folds; its costs."""
    n_folds = N_FOLDS if folds is None else folds
    if not is_integer(n_folds) or n_folds == 1 or n_folds < 0:
        raise OptionError(f"folds must be 0 or at least 2 with memory=, got {short_repr(n_folds)}.", option="folds")
    limit = bytes_of(memory)
    bins = max((search.bins for search in recipe.searches if isinstance(search, BinnedCuts)), default=BINS)
    complete = recipe.missing.name == "drop_rows"
    used_seed = recipe.seed if seed is None else as_seed(seed)
    with prepared(dataset, memory_limit=limit, bins=bins, complete_rows=complete, work=work, report=report) as files:
        chosen, notes = with_bins(recipe.with_target("class" if files.schema.is_class else "number"), files)
        settings = growth_settings(files, limit, used_seed, threads)
        grown: GrownFolds | None = None
        if n_folds:
            tree, grown = tree_and_folds(files, chosen, report, n_folds, **settings)
        else:
            tree = grow_binned(files.data, chosen, **settings)
        return described_tree(tree, files, notes), grown, costs_of(chosen, tree)


def regrown_file_folds(
    tree: Tree, rows: Any, *, memory: str | int, folds: int | None, seed: int | None, threads: int | None
) -> GrownFolds:
    """The trees of the folds of the files that grew a tree, by the recipe that is stored in the tree."""
    recipe = stored_recipe(tree, pruning=None).require_single_tree()
    dataset = rows if isinstance(rows, Dataset) else dataset_of(tree.schema, rows)
    _, found, _ = grown_with_folds(dataset, recipe, memory=memory, folds=folds, seed=seed, threads=threads)
    if found is None or not found.trees:
        raise OptionError("The files have too few rows for folds.", option="folds")
    return found


def dataset_of(schema: Schema, rows: Any) -> Dataset:
    """The files with the columns, the kinds and the target of a model."""
    assert schema.target is not None
    specs = [*schema.columns, schema.target]
    kinds = {spec.name: _kind(spec.kind, spec.levels) for spec in specs}
    return Dataset(rows, schema.target.name, kinds=kinds, columns=list(schema.names), keep_ids=True)


def _kind(kind: Kind, levels: tuple[Any, ...]) -> Any:
    return list(levels) if kind is Kind.ORDINAL else str(kind)


def sums_of_files(tree: Tree, rows: Any) -> NodeSums:
    """What the rows of files add up to at the nodes of a tree; the files are read in batches."""
    found = NodeSums.of(tree)
    for table in labeled_tables(tree.schema, rows):
        found.add(tree, table)
    return found
