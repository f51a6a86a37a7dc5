"""Which pruning suits these rows?  Grow once, cut the one tree by every method, judge them all on the same rows.

    rows   a quarter is held out and only judges; of the rest a third is there to prune with, two thirds grow the tree
    folds  the rest in V parts: for each part a tree is grown on the others in the same way, cut by every method, and
           judged on the part; errors are summed over the parts

So a table of V folds costs 1 + V growths, whatever the number of methods.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.errors import HornbeamError, InputError, OptionError, Set, short_repr
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.node import Floats
from hornbeam.parts.prunings import Pruning, PruningData, prunings
from hornbeam.parts.prunings.prune import prune
from hornbeam.parts.prunings.pruning_data import cost_matrix, target_codes, target_numbers
from hornbeam.recipes.grow_and_prune import assign_folds
from hornbeam.recipes.pruning_table import ComparedPrunings, PrunedTree
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table, only_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import predict

_QUARTER, _THIRD = 4, 3
# What is compared unless the caller says otherwise: every method, and the second form of those that have one.
EVERY: tuple[dict[str, Any], ...] = (
    {"name": "reduced_error"},
    {"name": "reduced_error", "order": "most_improving_first"},
    {"name": "pessimistic"},
    {"name": "pessimistic", "standard_error": False},
    {"name": "minimum_error"},
    {"name": "cost_complexity", "rule": "minimum"},
    {"name": "cost_complexity", "rule": "one_se"},
    {"name": "error_based"},
    {"name": "error_based", "raising": False},
    {"name": "description_length"},
    {"name": "critical_value"},
    {"name": "held_out"},
    {"name": "best_size"},
)


def compare_prunings(
    table: Table,
    recipe: str | Path | Method = "plain",
    prunings: Sequence[str | Mapping[str, Any] | Pruning] | None = None,
    *,
    held_out: Table | None = None,
    folds: int = 10,
    seed: int = 0,
    threads: int | None = None,
) -> ComparedPrunings:
    """Every pruning's size, training, held-out and cross-validated error on one tree.

    `recipe` grows the tree (its own pruning is left aside); `prunings` are names, tables or values, all that suit the
    target by default; `held_out` are rows that judge, a quarter of the table if none are given; `folds=0` for no
    cross-validation.
    """
    table = only_table(table, "A comparison of prunings")
    if table.target is None:
        raise InputError("The table has no target to grow a tree for.", fix=Set("target", inside="read"))
    chosen, first = as_recipe(recipe).one_tree(), as_seed(seed)
    parts = [_part(each) for each in (EVERY if prunings is None else prunings)]
    if prunings is None and not table.schema.is_class:
        parts = [part for part in parts if part.supports_numbers]
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 0 or folds == 1:
        raise OptionError(f"folds must be 0 or a whole number of 2 or more; got {short_repr(folds)}.", option="folds")
    rest = table
    if held_out is None:
        part = assign_folds(table, _QUARTER, first)
        rest, held_out = table.take(part != 0), table.take(part == 0)
    work = _Work(chosen, first, threads)
    if len(rest) < max(2 * _THIRD, folds):
        raise InputError(f"{len(rest)} rows are too few to grow, prune and judge in {folds} folds.")
    tree, evidence = work.grown(rest)
    lines = [work.line(part, tree, evidence, held_out) for part in (None, *parts)]
    crossed = work.crossed([None, *parts], rest, folds) if folds else [(None, None)] * len(lines)
    whole = [
        line if line.refused else dataclasses.replace(line, cross_validated=mean, standard_error=error)
        for line, (mean, error) in zip(lines, crossed, strict=True)
    ]
    assert evidence.training is not None
    assert evidence.pruning_set is not None
    sizes = {"growing": len(evidence.training), "pruning": len(evidence.pruning_set)}
    return ComparedPrunings(
        tuple(whole), _measure(tree, work.costs(tree)), {**sizes, "held out": len(held_out), "folds": folds}
    )


def _part(given: str | Mapping[str, Any] | Pruning) -> Pruning:
    return prunings.part(given)


def _measure(tree: Tree, costs: Floats | None) -> str:
    if not tree.is_class:
        return "mean squared error"
    return "share of wrong answers" if costs is None else "mean cost"


@dataclasses.dataclass(frozen=True, eq=False)
class _Work:
    """How trees are grown, cut and judged here."""

    recipe: Method
    seed: int
    threads: int | None

    def grown(self, rows: Table) -> tuple[Tree, PruningData]:
        """A tree of two thirds of the rows, and what prunings may look at."""
        judges = assign_folds(rows, _THIRD, self.seed) == 0
        teachers = rows.take(~judges)
        tree = grow(teachers, self.recipe, seed=self.seed, threads=self.threads)
        return tree, PruningData(pruning_set=rows.take(judges), training=teachers, costs=self.costs(tree))

    def costs(self, tree: Tree) -> Floats | None:
        """The costs of the recipe, if it has any."""
        if self.recipe.loss is None or not tree.is_class:
            return None
        return self.recipe.loss.cost_table(tree.schema.classes)

    def line(self, part: Pruning | None, tree: Tree, evidence: PruningData, held_out: Table) -> PrunedTree:
        """The tree cut by one method; a method that refuses it says why."""
        name = part.name if part is not None else "none"
        settings = {key: value for key, value in part.as_table().items() if key != "name"} if part is not None else {}
        try:
            cut = tree if part is None else prune(tree, part, evidence)
        except HornbeamError as error:
            return PrunedTree(name, settings, None, None, None, None, None, None, refused=error.message)
        assert evidence.training is not None
        training, judged = (self.loss(cut, rows)[0] for rows in (evidence.training, held_out))
        return PrunedTree(name, settings, cut.n_leaves, len(cut), training, judged, None, None, tree=cut)

    def crossed(
        self, parts: Sequence[Pruning | None], rows: Table, folds: int
    ) -> list[tuple[float | None, float | None]]:
        """For every method the mean loss over all rows left out, and its standard error."""
        fold = assign_folds(rows, folds, self.seed)
        sums = np.zeros((len(parts), 3))
        for number in range(folds):
            tree, evidence = self.grown(rows.take(fold != number))
            left_out = rows.take(fold == number)
            for place, part in enumerate(parts):
                try:
                    cut = tree if part is None else prune(tree, part, evidence)
                except HornbeamError:
                    sums[place] = math.nan
                    continue
                mean, squares, weight = self.loss(cut, left_out)
                sums[place] += (mean * weight, squares * weight, weight)
        return [_mean_and_error(*each) for each in sums.tolist()]

    def loss(self, tree: Tree, rows: Table) -> tuple[float, float, float]:
        """The mean loss, the mean of its square, and the weight of the rows."""
        weights = rows.weights if rows.weights is not None else np.ones(len(rows))
        said = predict(tree, rows, threads=self.threads)
        if tree.is_class:
            each = cost_matrix(tree, self.costs(tree))[target_codes(tree, rows), said.codes]
        else:
            each = (target_numbers(rows) - said.numbers) ** 2
        total = float(weights.sum()) or 1.0
        return float((weights * each).sum() / total), float((weights * each * each).sum() / total), total


def _mean_and_error(loss: float, squares: float, weight: float) -> tuple[float | None, float | None]:
    if not weight > 0:
        return None, None
    mean = loss / weight
    return mean, math.sqrt(max(squares / weight - mean * mean, 0.0) / weight)
