"""`grow_files`: the finished tree of a recipe from files that need not fit into memory.

The tree is grown from bins on disk (`scale/prepare.py`) and does not depend on the memory limit. What differs from
growth in memory is a note of the tree:

    numeric columns with more than 255 values   cuts between 255 bins instead of all cuts
    prunings that choose by folds               chosen on a tenth of the rows, at most 200,000, which are held out
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from typing import Any

from hornbeam.errors import OptionError, Set
from hornbeam.options import thread_count
from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.base import Pruning
from hornbeam.parts.prunings.machinery.prune import prune
from hornbeam.parts.prunings.machinery.pruning_data import PruningData
from hornbeam.parts.searches.binned_cuts import BinnedCuts
from hornbeam.recipes.grow_and_prune import costs_of
from hornbeam.recipes.recipe import Recipe
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.grow import grow_binned
from hornbeam.scale.held_out import held_out_table
from hornbeam.scale.memory_limit import bytes_of
from hornbeam.scale.prepare import BINS_SAMPLE, PreparedFiles, prepared
from hornbeam.seeds import as_seed
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import Tree

_BINS = 255
_GROWING = 0.5  # the fraction of the memory that growth may use
# Prunings that use the statistics of the tree alone.
_FROM_STATISTICS = ("pessimistic", "error_based", "description_length", "manual", "risk_threshold")


def grow_files(
    dataset: Dataset,
    recipe: Recipe,
    *,
    memory: str | int,
    seed: int | None = None,
    threads: int | None = None,
    work: str | os.PathLike[str] | None = None,
    bins_sample: int = BINS_SAMPLE,
    report: Callable[[str], Any] | None = None,
) -> Tree:
    """The tree of a recipe, grown from files within a memory limit and pruned if the recipe has a pruning."""
    limit = bytes_of(memory)
    if recipe.ensemble_method is not None:
        raise OptionError(
            f"memory= grows single trees, but the recipe has the ensemble {recipe.ensemble_method.name}.",
            fix=Set("recipe", "default"),
            hint="or grow it in memory, from a sample of the rows.",
            option="memory",
        )
    bins = max((search.bins for search in recipe.searches if isinstance(search, BinnedCuts)), default=_BINS)
    settings: dict[str, Any] = {"bins": bins, "bins_sample": bins_sample, "work": work, "report": report}
    with prepared(dataset, memory_limit=limit, held_out=_needs_held_out(recipe), **settings) as files:
        return _grown(files, recipe, limit, recipe.seed if seed is None else as_seed(seed), threads, report)


def _grown(
    files: PreparedFiles,
    recipe: Recipe,
    limit: int,
    seed: int,
    threads: int | None,
    report: Callable[[str], Any] | None,
) -> Tree:
    chosen = recipe.with_target("class" if files.schema.is_class else "number")
    method, notes = _with_bins(chosen, files)

    def progress(done: int, waiting: int) -> None:
        if report is not None:
            report(f"{done:,} nodes grown, {waiting:,} to split")

    # The passes leave some memory behind, which the allocator keeps.
    own = int(limit * _GROWING)
    tree = grow_binned(
        files.data, method, seed=seed, memory_limit=own, progress=progress, threads=thread_count(threads) or 1
    )
    metadata = {**tree.metadata, "notes": [*map(str, files.notes), *notes]}
    tree = dataclasses.replace(tree, schema=_with_formats(tree.schema, files.schema), metadata=metadata)
    part = _pruning(chosen)
    if part is None:
        return tree
    held_out = (
        held_out_table(files.source, files.roles, files.plan, files.batch_rows) if files.plan.n_held_out else None
    )
    return prune(tree, part, PruningData(pruning_set=held_out, costs=costs_of(method, tree)))


def _with_formats(schema: Schema, described: Schema) -> Schema:
    """The schema of a tree with the text formats of its columns in the files."""
    columns = [
        dataclasses.replace(spec, text_format=other.text_format)
        for spec, other in zip(schema.columns, described.columns, strict=True)
    ]
    return Schema(tuple(columns), described.target)


def _with_bins(recipe: Recipe, files: PreparedFiles) -> tuple[Recipe, list[str]]:
    """The recipe with cuts between bins where a column has more values than bins, and the note about it."""
    binned = [column.name for column in files.data.columns if (column.low != column.high).any()]
    if not binned or not any(search.name == "sorted_cuts" for search in recipe.searches):
        return recipe, []
    replaced = [BinnedCuts(files.roles.bins) if search.name == "sorted_cuts" else search for search in recipe.searches]
    names = ", ".join(binned[:5]) + (f" and {len(binned) - 5} more" if len(binned) > 5 else "")
    note = f"cuts are between at most {files.roles.bins} bins of the columns with more values: {names}"
    return recipe.with_changes(searches=replaced), [note]


def _pruning(recipe: Recipe) -> Pruning | None:
    return None if recipe.pruning is None else prunings.part(recipe.pruning)  # type: ignore[arg-type]


def _needs_held_out(recipe: Recipe) -> bool:
    """Whether the pruning of a recipe, for any target, chooses on held-out rows."""
    targets = ("class", "number") if recipe.by_target else (None,)
    return any(_chooses_on_rows(_pruning(recipe.with_target(target))) for target in targets)


def _chooses_on_rows(part: Pruning | None) -> bool:
    if part is None or part.name in _FROM_STATISTICS:
        return False
    return not (part.name == "cost_complexity" and part.settings()["rule"] == "given")
