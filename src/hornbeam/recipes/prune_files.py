"""How a tree from files is pruned: as in memory, with rows chosen by a hash of their number.

pruning chooses alpha, m or a critical value    10 folds; the tree and the fold trees share passes over the bins
pruning needs a pruning set (reduced error)     a third of the rows, at most 200,000, prunes
the same, large table with `max_fold_rows`      a tenth of the rows, at most 200,000, chooses alpha
other prunings                                  the tree is grown on all rows
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from hornbeam.errors import OptionError, Set
from hornbeam.parts.prunings import prunings
from hornbeam.parts.prunings.base import Pruning
from hornbeam.parts.prunings.machinery.node_sums import NodeSums
from hornbeam.parts.prunings.machinery.prune import prune
from hornbeam.parts.prunings.machinery.pruning_data import GrownFolds, PruningData
from hornbeam.recipes.grow_and_prune import MIN_ROWS, N_FOLDS, costs_of
from hornbeam.recipes.recipe import Recipe
from hornbeam.scale.folds import grow_with_folds
from hornbeam.scale.grow import grow_binned
from hornbeam.scale.held_out import held_out_tables
from hornbeam.scale.prepare import PreparedFiles
from hornbeam.tree.nodes import Tree

# The setting with which a pruning chooses by the statistics of the tree alone, and its value when it does not.
_CHOSEN = {"cost_complexity": ("rule", ("minimum", "one_se")), "minimum_error": ("m", (None,))} | {
    "critical_value": ("threshold", (None,))
}
_BY_FOLDS = (*_CHOSEN, "best_size")


def pruning_of(recipe: Recipe) -> Pruning | None:
    """The pruning of a recipe."""
    return None if recipe.pruning is None else prunings.part(recipe.pruning)  # type: ignore[arg-type]


def targets_of(recipe: Recipe) -> tuple[str | None, ...]:
    """The targets for which a recipe has settings."""
    return ("class", "number") if recipe.by_target else (None,)


def check_pruning(recipe: Recipe) -> None:
    """Raise an error if the pruning of a recipe cannot be used with files."""
    for part in (pruning_of(recipe.with_target(target)) for target in targets_of(recipe)):
        if part is None:
            continue
        if "training" in part.needs:
            raise OptionError(
                f"memory= cannot raise subtrees in the pruning {part.name}: it routes all rows again and again.",
                fix=(Set("error_based.raising", False), Set("pruning", "cost_complexity")),
                option="pruning",
            )
        if "bayes_risk" in part.needs:
            raise OptionError(
                f"memory= cannot estimate the Bayes risk that the pruning {part.name} needs.",
                fix=Set("risk_threshold.bayes_risk"),
                hint="or choose another pruning.",
                option="pruning",
            )


def held_out_parts(recipe: Recipe) -> Callable[[int], int]:
    """By the number of rows: the pruning set is one of this many parts of them; 0 for none."""
    parts = [pruning_of(recipe.with_target(target)) for target in targets_of(recipe)]

    def number(n_rows: int) -> int:
        return max((part.pruning_set_parts(n_rows) for part in parts if part is not None), default=0)

    return number


def chooses_by_folds(part: Pruning | None) -> bool:
    """Whether a pruning chooses on held-out rows, which may be folds."""
    if part is None or part.name not in _BY_FOLDS:
        return False
    name, values = _CHOSEN.get(part.name, ("", ()))
    return not name or part.settings()[name] in values


def grown_and_pruned(
    files: PreparedFiles, recipe: Recipe, report: Callable[[str], Any] | None, **settings: Any
) -> Tree:
    """The tree of a recipe from files, pruned; `settings` are those of `grow_binned`."""
    part = pruning_of(recipe) if files.plan.n_rows >= MIN_ROWS else None
    saved = files.saved(recipe, settings["seed"])
    if part is not None and chooses_by_folds(part) and not files.plan.n_held_out:
        tree, folds = tree_and_folds(files, recipe, report, saved=saved, **settings)
        if not folds.trees:
            notes = [*tree.metadata["notes"], "the table has too few rows for folds: the tree is not pruned"]
            return dataclasses.replace(tree, metadata={**tree.metadata, "notes": notes})
        return prune(tree, part, PruningData(folds=folds, costs=costs_of(recipe, tree)))

    def progress(done: int, waiting: int) -> None:
        if report is not None:
            report(f"{done:,} nodes grown, {waiting:,} to split")

    tree = grow_binned(files.data, recipe, progress=progress, saved=saved, **settings)
    if part is None:
        return tree
    pruning_set = None
    if files.plan.n_held_out:
        pruning_set = NodeSums.of(tree)
        for rows in held_out_tables(files.source, files.roles, files.plan, files.batch_rows):
            pruning_set.add(tree, rows)
    return prune(tree, part, PruningData(pruning_set=pruning_set, costs=costs_of(recipe, tree)))


def tree_and_folds(
    files: PreparedFiles,
    recipe: Recipe,
    report: Callable[[str], Any] | None,
    n_folds: int = N_FOLDS,
    **settings: Any,
) -> tuple[Tree, GrownFolds]:
    """The tree of a recipe from files, not pruned, and the trees of its folds."""
    return grow_with_folds(files.data, recipe, n_folds=n_folds, report=report, **settings)
