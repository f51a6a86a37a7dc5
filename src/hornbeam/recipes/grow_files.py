"""`grow_files`: the finished tree of a recipe from files that need not fit into memory.

The tree is grown from bins on disk (`scale/prepare.py`) and does not depend on the memory limit. What differs from
growth in memory is a note of the tree: numeric columns with more than 255 values are cut between 255 bins. The tree is
pruned as in memory, with folds by a hash of the row (`prune_files.py`).
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.ensembles.forest import with_column_sampling
from hornbeam.ensembles.methods.bagging import Bagging
from hornbeam.ensembles.methods.boosting import Boosting
from hornbeam.ensembles.methods.forest import RandomForest
from hornbeam.errors import OptionError, Set
from hornbeam.options import thread_count
from hornbeam.parts.searches.binned_cuts import BinnedCuts
from hornbeam.recipes.prune_files import check_pruning, grown_and_pruned, held_out_parts, pruning_of, targets_of
from hornbeam.recipes.recipe import Recipe
from hornbeam.scale.boost import boost_binned
from hornbeam.scale.dask_collections import found_client
from hornbeam.scale.dataset import DASK, Dataset
from hornbeam.scale.forest import grow_forest_binned
from hornbeam.scale.memory_limit import bytes_of
from hornbeam.scale.prepare import BINS_SAMPLE, PreparedFiles, prepared
from hornbeam.scale.refusals import check_loss_from_pieces
from hornbeam.scale.rounds import LocalRounds, Rounds
from hornbeam.scale.time_left import TimeLeft
from hornbeam.seeds import as_seed
from hornbeam.table.column import Column
from hornbeam.table.table import Schema, Table
from hornbeam.tree.forest import Forest, score_schema
from hornbeam.tree.nodes import Tree

_MEMORY = "2GB"  # of the process that calls a cluster, if no limit is given
BINS = 255
_NODE_BYTES = 4
# The recipe for the columns and the number of rows of the files.
Refine = Callable[[PreparedFiles], Recipe]
_GROWING = 0.5  # the fraction of the memory that growth may use


def grow_files(
    dataset: Dataset,
    recipe: Recipe,
    *,
    memory: str | int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    work: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    bins_sample: int = BINS_SAMPLE,
    report: Callable[[str], Any] | None = None,
    client: Any = None,
    refine: Refine | None = None,
) -> Tree | Forest:
    """The tree or the forest of a recipe, grown from files within a memory limit; a tree is pruned if the recipe is.

    A checkpoint, of `resume` or in the folder `work`, is removed when the model is complete. `refine` gives the recipe
    with the settings that depend on the classes and the number of rows; its pruning and bins are those of `recipe`.
    """
    limit = bytes_of(_MEMORY if memory is None else memory)
    _check_ensemble(recipe)
    if recipe.ensemble_method is None:
        check_pruning(recipe)
    bins = max((search.bins for search in recipe.searches if isinstance(search, BinnedCuts)), default=BINS)
    settings: dict[str, Any] = {"bins": bins, "bins_sample": bins_sample, "work": work, "report": report} | {
        "client": found_client(client) if dataset.format() == DASK else client,
        "resume": resume,
    }
    settings["complete_rows"] = recipe.missing.name == "drop_rows"
    if isinstance(recipe.ensemble_method, Boosting):
        settings["bins"] = recipe.ensemble_method.bins
    with prepared(dataset, memory_limit=limit, held_out=held_out_parts(recipe), **settings) as files:
        recipe = recipe if refine is None else refine(files)
        model = _grown(files, recipe, limit, recipe.seed if seed is None else as_seed(seed), threads, report)
        if files.checkpoint is not None:
            files.checkpoint.complete()
        return model


def boosted_from_files(
    dataset: Dataset,
    boosting: Boosting,
    *,
    memory: str | int | None = None,
    seed: int,
    report: Callable[[str], Any] | None = None,
    threads: int | None = None,
    record_loss: bool = False,
    client: Any = None,
    refine: Callable[[PreparedFiles], Boosting] | None = None,
    **settings: Any,
) -> Forest:
    """Boosted trees of files, grown within a memory limit; `settings` are those of `prepared`.

    `refine` gives the settings of boosting that depend on the columns and the number of rows.
    """
    limit = bytes_of(_MEMORY if memory is None else memory)
    check_loss_from_pieces(boosting)
    settings["client"] = found_client(client) if dataset.format() == DASK else client
    with prepared(dataset, memory_limit=limit, bins=boosting.bins, report=report, **settings) as files:
        if refine is not None:
            boosting = refine(files)
            check_loss_from_pieces(boosting)
        forest = _boosted(files, boosting, limit, seed, threads, report, record_loss)
        if files.checkpoint is not None:
            files.checkpoint.complete()
        return forest


def _check_ensemble(recipe: Recipe) -> None:
    """Raise an error if the ensemble of a recipe cannot be grown from files."""
    method = recipe.ensemble_method
    if isinstance(method, Boosting):
        check_loss_from_pieces(method)
    if method is None or isinstance(method, Boosting):
        return
    is_honest = isinstance(method, RandomForest) and bool(method.honest)
    is_pruned = any(pruning_of(recipe.tree_recipe.with_target(target)) for target in targets_of(recipe))
    if not isinstance(method, Bagging) or is_honest or is_pruned:
        what = "honest trees" if is_honest else f"{method.name} of pruned trees" if is_pruned else method.name
        raise OptionError(
            f"memory= grows trees, forests, extra trees, bagged trees and boosted trees, but the recipe grows {what}.",
            fix=[Set("recipe", "forest"), Set("recipe", "boosting"), Set("recipe", "default")],
            hint="or grow it in memory, from a sample of the rows.",
            option="memory",
        )


def _grown(
    files: PreparedFiles,
    recipe: Recipe,
    limit: int,
    seed: int,
    threads: int | None,
    report: Callable[[str], Any] | None,
) -> Tree | Forest:
    chosen = recipe.with_target("class" if files.schema.is_class else "number")
    if isinstance(chosen.ensemble_method, Boosting):
        forest = _boosted(files, chosen.ensemble_method, limit, seed, threads, report)
        return dataclasses.replace(forest, recipe=chosen.as_table())
    method, notes = with_bins(chosen, files)
    if isinstance(method.ensemble_method, Bagging):
        return _forest(files, method, method.ensemble_method, limit, seed, threads, report, notes)

    tree = grown_and_pruned(files, method, report, **growth_settings(files, limit, seed, threads))
    return described_tree(tree, files, notes)


def growth_settings(files: PreparedFiles, limit: int, seed: int, threads: int | None) -> dict[str, Any]:
    """The settings of a growth from files within a memory limit."""
    return {
        "seed": seed,
        # The passes leave some memory behind, which the allocator keeps.
        "memory_limit": int(limit * _GROWING),
        "rounds": _rounds(files, limit, threads),
        "threads": thread_count(threads) or 1,
    }


def described_tree(tree: Tree, files: PreparedFiles, notes: list[str]) -> Tree:
    """The tree with the formats of the files, and notes about what differs from growth in memory."""
    metadata = {**tree.metadata, "notes": [*map(str, files.notes), *notes, *tree.metadata["notes"]]}
    return dataclasses.replace(tree, schema=_with_formats(tree.schema, files.schema), metadata=metadata)


def _forest(
    files: PreparedFiles,
    recipe: Recipe,
    ensemble: Bagging,
    limit: int,
    seed: int,
    threads: int | None,
    report: Callable[[str], Any] | None,
    notes: list[str],
) -> Forest:
    one_tree: Any = recipe.tree_recipe
    if isinstance(ensemble, RandomForest):
        one_tree = with_column_sampling(one_tree, _no_rows(files.schema), None)
    left = TimeLeft(ensemble.n_trees)

    def progress(done: int) -> None:
        if report is not None:
            report(f"{done} of {ensemble.n_trees} trees grown, {left.text(done)}")

    forest = grow_forest_binned(
        files.data,
        one_tree,
        n_trees=ensemble.n_trees,
        sampling=ensemble.sampling,
        combine=ensemble.combine,
        progress=progress,
        saved=files.saved(recipe, seed),
        **growth_settings(files, limit, seed, threads),
    )
    schema = _with_formats(forest.schema, files.schema)
    metadata = {**forest.metadata, "notes": [*map(str, files.notes), *notes]}
    trees = tuple(dataclasses.replace(tree, schema=schema) for tree in forest.trees)
    return dataclasses.replace(forest, schema=schema, trees=trees, metadata=metadata)


def _boosted(
    files: PreparedFiles,
    boosting: Boosting,
    limit: int,
    seed: int,
    threads: int | None,
    report: Callable[[str], Any] | None,
    record_loss: bool = False,
) -> Forest:
    """Boosted trees of prepared files."""
    forest = boost_binned(
        files.data,
        boosting,
        seed=seed,
        memory_limit=int(limit * _GROWING),
        rounds=_rounds(files, limit, threads),
        progress=lambda done: report(f"{done} of {boosting.n_rounds} rounds boosted") if report is not None else None,
        threads=thread_count(threads) or 1,
        record_loss=record_loss,
        saved=files.saved((boosting, record_loss), seed),
    )
    schema = _with_formats(forest.schema, files.schema)
    metadata = {**forest.metadata, "notes": [*map(str, files.notes), *_bin_notes(files)]}
    trees = tuple(dataclasses.replace(tree, schema=score_schema(schema)) for tree in forest.trees)
    return dataclasses.replace(forest, schema=schema, trees=trees, metadata=metadata)


def _no_rows(schema: Schema) -> Table:
    """A table without rows."""
    specs = [*schema.columns, *([schema.target] if schema.target is not None else [])]
    columns = [Column(spec.name, spec.kind, np.zeros(0), spec.levels) for spec in specs]
    return Table(tuple(columns[: len(schema.columns)]), columns[-1])


def _rounds(files: PreparedFiles, limit: int, threads: int | None) -> Rounds:
    """The rounds over the pieces; the nodes of rows are remembered only if they fit into the memory."""
    if files.rounds is not None:
        return files.rounds
    remembers = files.data.n_rows * _NODE_BYTES <= limit * _GROWING / 2
    return LocalRounds(files.data.pieces, threads=thread_count(threads) or 1, remembers=remembers)


def _with_formats(schema: Schema, described: Schema) -> Schema:
    """The schema of a tree with the text formats of its columns in the files."""
    columns = [
        dataclasses.replace(spec, text_format=other.text_format)
        for spec, other in zip(schema.columns, described.columns, strict=True)
    ]
    return Schema(tuple(columns), described.target)


def with_bins(recipe: Recipe, files: PreparedFiles) -> tuple[Recipe, list[str]]:
    """The recipe with cuts between bins where a column has more values than bins, and the note about it."""
    notes = _bin_notes(files)
    if not notes or not any(search.name == "sorted_cuts" for search in recipe.searches):
        return recipe, []
    replaced = [BinnedCuts(files.roles.bins) if search.name == "sorted_cuts" else search for search in recipe.searches]
    return recipe.with_changes(searches=replaced), notes


def _bin_notes(files: PreparedFiles) -> list[str]:
    """A note that names the columns with more values than bins."""
    binned = [column.name for column in files.data.columns if (column.low != column.high).any()]
    if not binned:
        return []
    names = ", ".join(binned[:5]) + (f" and {len(binned) - 5} more" if len(binned) > 5 else "")
    return [f"cuts are between at most {files.roles.bins} bins of the columns with more values: {names}"]
