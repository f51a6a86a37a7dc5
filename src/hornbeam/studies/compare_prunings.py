"""`compare_prunings`: grows one tree, prunes it by every method and evaluates all results on the same rows.

    rows   a quarter is held out for the test; of the rest, one third is for pruning and two thirds grow the tree
    folds  the rest in V folds: per fold a tree is grown on the others in the same way, pruned by every method and
           evaluated on the fold; errors are summed over the folds

A comparison with V folds grows 1 + V trees, for any number of methods.
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
from hornbeam.parts.prunings import Pruning, PruningData
from hornbeam.parts.prunings.machinery.prune import named_pruning, prune
from hornbeam.parts.prunings.machinery.pruning_data import cost_matrix
from hornbeam.parts.prunings.machinery.routed_rows import target_codes, target_numbers
from hornbeam.recipes.grow_and_prune import costs_of
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.seeds import as_seed
from hornbeam.studies.pruning_table import ComparedPrunings, PrunedTree
from hornbeam.table.divide import divide, table_part, table_splits
from hornbeam.table.prepared import prepare
from hornbeam.table.table import Table, only_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import predict

_QUARTER, _THIRD = 4, 3
# The default: every method, and the second variant of those that have one.
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
    recipe: str | Path | Method = "default",
    prunings: Sequence[str | Mapping[str, Any] | Pruning] | None = None,
    *,
    held_out: Table | None = None,
    folds: int = 10,
    groups: Any = None,
    times: Any = None,
    seed: int = 0,
    threads: int | None = None,
) -> ComparedPrunings:
    """The size and the training, held-out and cross-validated error of every pruning of one tree.

    `recipe` grows the tree (its own pruning is ignored); `prunings` are names, tables or values, by default all that
    support the target; `held_out` are the test rows, by default a quarter of the table; `folds=0` skips the
    cross-validation. `groups` and `times` divide the rows as in `cross_validate`.
    """
    table = divide(only_table(table, "A comparison of prunings"), groups=groups, times=times)
    if table.target is None:
        raise InputError("A comparison of prunings requires a table with a target.", fix=Set("target", inside="read"))
    chosen, used_seed = as_recipe(recipe).require_single_tree().for_table(table), as_seed(seed)
    parts = [_part(each) for each in (EVERY if prunings is None else prunings)]
    if prunings is None and not table.schema.is_class:
        parts = [part for part in parts if part.supports_numbers]
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 0 or folds == 1:
        raise OptionError(f"folds must be 0 or an integer of at least 2, got {short_repr(folds)}.", option="folds")
    table = prepare(table)
    rest: Table = table
    if held_out is None:
        split = table_part(table, _QUARTER, used_seed)
        rest, held_out = table.take(split.train), table.take(split.test)
    study = _Study(chosen, used_seed, threads)
    if len(rest) < max(2 * _THIRD, folds):
        raise InputError(f"{len(rest)} rows are too few to grow, prune and evaluate trees in {folds} folds.")
    tree, data = study.grow(rest)
    lines = [study.line(part, tree, data, held_out) for part in (None, *parts)]
    crossed = study.cross_validate([None, *parts], rest, folds) if folds else [(None, None)] * len(lines)
    complete = [
        line if line.error else dataclasses.replace(line, cross_validated=mean, standard_error=error)
        for line, (mean, error) in zip(lines, crossed, strict=True)
    ]
    assert data.training is not None
    assert data.pruning_set is not None
    sizes = {"growing": len(data.training), "pruning": len(data.pruning_set)}
    return ComparedPrunings(
        tuple(complete),
        _metric(tree, costs_of(chosen, tree)),
        {**sizes, "held out": len(held_out), "folds": folds},
        "" if table.division is None else table.division.text,
    )


def _part(given: str | Mapping[str, Any] | Pruning) -> Pruning:
    return named_pruning(given)


def _metric(tree: Tree, costs: Floats | None) -> str:
    if not tree.is_class:
        return "mean squared error"
    return "error rate" if costs is None else "mean cost"


@dataclasses.dataclass(frozen=True, eq=False)
class _Study:
    """Grows, prunes and evaluates the trees of one comparison."""

    recipe: Recipe
    seed: int
    threads: int | None

    def grow(self, rows: Table) -> tuple[Tree, PruningData]:
        """A tree grown on two thirds of the rows, and the data of prunings."""
        split = table_part(rows, _THIRD, self.seed)
        training = rows.take(split.train)
        tree = grow(training, self.recipe, seed=self.seed, threads=self.threads)
        costs = costs_of(self.recipe, tree)
        return tree, PruningData(pruning_set=rows.take(split.test), training=training, costs=costs)

    def line(self, part: Pruning | None, tree: Tree, data: PruningData, held_out: Table) -> PrunedTree:
        """The tree pruned by one method, or the reason why the method cannot prune it."""
        name = part.name if part is not None else "none"
        settings = {key: value for key, value in part.as_table().items() if key != "name"} if part is not None else {}
        try:
            pruned = tree if part is None else prune(tree, part, data)
        except HornbeamError as error:
            return PrunedTree(name, settings, None, None, None, None, None, None, error=error.message)
        assert data.training is not None
        training, test = (self.loss(pruned, rows)[0] for rows in (data.training, held_out))
        return PrunedTree(name, settings, pruned.n_leaves, len(pruned), training, test, None, None, tree=pruned)

    def cross_validate(
        self, parts: Sequence[Pruning | None], rows: Table, folds: int
    ) -> list[tuple[float | None, float | None]]:
        """Per method the mean loss over all test rows, and its standard error."""
        sums = np.zeros((len(parts), 3))
        for split in table_splits(rows, folds, self.seed, warn=False):
            tree, data = self.grow(rows.take(split.train))
            test_rows = rows.take(split.test)
            for index, part in enumerate(parts):
                try:
                    pruned = tree if part is None else prune(tree, part, data)
                except HornbeamError:
                    sums[index] = math.nan
                    continue
                mean, squares, weight = self.loss(pruned, test_rows)
                sums[index] += (mean * weight, squares * weight, weight)
        return [_mean_and_error(*each) for each in sums.tolist()]

    def loss(self, tree: Tree, rows: Table) -> tuple[float, float, float]:
        """The mean loss, the mean of its square, and the weight of the rows."""
        weights = rows.row_weights
        predicted = predict(tree, rows, threads=self.threads)
        if tree.is_class:
            each = cost_matrix(tree, costs_of(self.recipe, tree))[target_codes(tree, rows), predicted.codes]
        else:
            each = (target_numbers(rows) - predicted.numbers) ** 2
        total = float(weights.sum()) or 1.0
        return float((weights * each).sum() / total), float((weights * each * each).sum() / total), total


def _mean_and_error(loss: float, squares: float, weight: float) -> tuple[float | None, float | None]:
    if not weight > 0:
        return None, None
    mean = loss / weight
    return mean, math.sqrt(max(squares / weight - mean * mean, 0.0) / weight)
