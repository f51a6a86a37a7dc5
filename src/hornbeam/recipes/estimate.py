"""`estimate`: the memory and the disk that growing needs, before it starts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.ensembles.methods.boosting import Boosting
from hornbeam.growing.memory import likely_bytes
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.growing.without_target import add_single_class
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.table.table import Table

if TYPE_CHECKING:
    from hornbeam.scale.size_estimate import Estimate


def estimate(
    source: Any,
    recipe: str | Path | Mapping[str, Any] | Method = "default",
    *,
    target: str | None = None,
    threads: int | None = None,
) -> Estimate:
    """The expected sizes of growing from a table, or from files before they are read (`hornbeam.scale.estimate`).

    The scores of boosting are counted for the recipe `boosting`; of files, as if there were two classes or numbers.

    For a table `in_memory` is the peak memory of the growth in addition to the table, from the sizes alone: columns of
    few distinct values need less. The number of nodes is a guess: one leaf per ten rows for classification, one per row
    for regression, fewer if stops limit it.
    """
    from hornbeam.scale import size_estimate

    named = Recipe.from_table(recipe) if isinstance(recipe, Mapping) else as_recipe(recipe)
    is_boosted = isinstance(named.ensemble_method, Boosting)
    if not isinstance(source, Table):
        return size_estimate.estimate(source, target, is_boosted=is_boosted)
    in_memory = _growth_bytes(source, named.for_table(source), threads)
    return size_estimate.estimate_of_table(source, in_memory, is_boosted=is_boosted)


def _growth_bytes(table: Table, chosen: Recipe, threads: int | None) -> int:
    if chosen.ensemble_method is not None:
        return chosen.ensemble_method.memory_bytes(table, chosen.tree_recipe, threads)
    if table.target is None:
        table, method = add_single_class(table, chosen)
        return likely_bytes(prepare(table, method), threads)
    return likely_bytes(prepare(table, chosen), threads)
