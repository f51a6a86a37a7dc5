"""`cross_validate`: the metrics of a recipe on rows held out of training, fold by fold.

    hb.cross_validate(table, "cart", folds=10)["accuracy"].mean
    hb.cross_validate(visits, "cart", groups="patient")         rows of one patient are never in both parts
    hb.cross_validate(visits, "cart", times="visit")            the training rows are earlier than the test rows

Each fold grows the whole recipe, including its pruning or ensemble, on the training rows. Pruning and early stopping
divide the training rows in the same way.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.evaluation import (
    CrossValidation,
    Metric,
    Scores,
    TrainTestSplit,
    cross_validate_with,
    evaluate,
)
from hornbeam.growing.fold_threads import fold_threads
from hornbeam.growing.method import Method
from hornbeam.options import is_integer
from hornbeam.recipes.grow import grow_model
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.recipes.stored import stored_recipe
from hornbeam.table.divide import divide, table_splits
from hornbeam.table.prepared import prepare
from hornbeam.table.table import Schema, Table, only_table
from hornbeam.table.target_kind import other_kind
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import predict

# Called with the number of the fold that is about to start, from 1, and the number of folds in all.
FoldProgress = Callable[[int, int], Any]


def cross_validate(
    table: Table,
    recipe: str | Path | Method | Tree | Forest = "default",
    folds: int = 10,
    *,
    groups: Any = None,
    times: Any = None,
    repeats: int = 1,
    seed: int | None = 0,
    metric: str | Sequence[str] | None = None,
    positive: Any = None,
    prevalence: float | None = None,
    costs: Any = None,
    threshold: float | None = None,
    threads: int | None = None,
    progress: FoldProgress | None = None,
) -> CrossValidation:
    """The metrics of a recipe, each with its mean over the folds and the standard error of the mean.

    `recipe` is a name, a file, a `Recipe` or a `Method`; it may have an ensemble. A tree or a forest is grown again by
    its own recipe. Folds are stratified by class. `groups` and `times` are names of columns, which are then no inputs,
    or one value per row: rows of one group are never training rows and test rows of one fold; training rows are earlier
    than test rows (forward chaining). With both, training rows whose group has a test row are excluded.

    `repeats` repeats the cross-validation with other folds. `seed` determines folds and trees; None is seed 0 for the
    folds and the recipe's own seed for the trees. `metric` selects metrics by name; None reports all. `positive`,
    `prevalence`, `costs` and `threshold` are those of `evaluate`.
    """
    options = {"positive": positive, "prevalence": prevalence, "costs": costs, "threshold": threshold}
    table = divided(table, groups, times)
    return cross_validate_splits(
        table,
        recipe,
        repeated_splits(table, folds, repeats, seed or 0),
        seed=seed,
        metric=metric,
        options=options,
        threads=threads,
        progress=progress,
    )


def divided(table: Table, groups: Any, times: Any) -> Table:
    """The table of a cross-validation, divided by groups and times."""
    table = only_table(table, "Cross-validation")
    if table.target is None:
        raise InputError("Cross-validation requires a table with a target.", fix=Set("target", inside="read"))
    return divide(table, groups=groups, times=times)


def repeated_splits(table: Table, folds: int, repeats: int, seed: int) -> tuple[TrainTestSplit, ...]:
    """The splits of a repeated cross-validation of a table."""
    if not is_integer(repeats) or repeats < 1:
        raise OptionError(f"repeats must be an integer of at least 1, got {short_repr(repeats)}.", option="repeats")
    return tuple(split for repeat in range(repeats) for split in table_splits(table, folds, seed, repeat=repeat))


def cross_validate_splits(
    table: Table,
    recipe: str | Path | Method | Tree | Forest,
    splits: Sequence[TrainTestSplit],
    *,
    seed: int | None = 0,
    metric: str | Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: FoldProgress | None = None,
) -> CrossValidation:
    """The metrics of a recipe on given splits; `options` are class options of `evaluate`."""
    chosen = stored_recipe(recipe) if isinstance(recipe, (Tree, Forest)) else as_recipe(recipe)
    table = prepare(table)
    numbers, lock = iter(range(1, len(splits) + 1)), threading.Lock()
    at_once, each = 1, threads  # the trees of an ensemble use all threads
    if chosen.ensemble_method is None:
        at_once, each = fold_threads(table, chosen, len(splits), threads)

    def fit(rows: Table) -> Tree | Forest:
        if progress is not None:
            with lock:
                progress(next(numbers), len(splits))
        return grow_model(rows, chosen, seed=seed, threads=each, keep_digest=False)

    def predicted(model: Tree | Forest, rows: Table) -> Any:
        return predicted_values(model, rows, each)

    def score(rows: Table, values: Any) -> dict[str, Metric]:
        return table_scores(rows, values, table.schema, options or {}).metrics

    found = cross_validate_with(table, fit, splits, predicted, score, at_once=at_once)
    if table.division is not None:
        found = dataclasses.replace(found, division=table.division.text)
    return found if metric is None else _select(found, [metric] if isinstance(metric, str) else list(metric))


def _select(found: CrossValidation, names: list[str]) -> CrossValidation:
    for name in names:
        if name not in found.metrics:
            raise unknown_metric(name, found)
    return dataclasses.replace(found, metrics={name: found[name] for name in names})


def unknown_metric(name: str, found: CrossValidation) -> OptionError:
    """The error for a metric that is not among the results."""
    hint = did_you_mean(str(name), found.metrics)
    return OptionError(f"Unknown metric {short_repr(name)}.", hint=hint, option="metric", got=name)


def predicted_values(model: Tree | Forest, rows: Table, threads: int | None = None) -> Any:
    """The predictions that `evaluate` takes: class probabilities, or numbers."""
    prediction = predict(model, rows.columns, threads=threads)
    return prediction.values if prediction.is_class else prediction.numbers


def table_scores(table: Table, predicted: Any, schema: Schema, options: Mapping[str, Any]) -> Scores:
    """The metrics of predictions for the rows of a table; options that are None are ignored."""
    assert table.target is not None
    given = {name: value for name, value in options.items() if value is not None}
    if not schema.is_class:
        if given:
            name = next(iter(given))
            raise OptionError(
                f"{name} requires a classification target, but the target is numeric.",
                fix=other_kind(schema.target),
                option=name,
            )
        return evaluate(table.target.values, np.asarray(predicted), weights=table.weights)
    truth = table.target.values
    # Codes need not be looked up by their labels; integers are codes if all classes are text.
    if (truth < 0).any() or not all(isinstance(label, str) for label in schema.classes):
        truth = np.array(schema.classes, dtype=object)[truth]
    return evaluate(truth, predicted, schema.classes, weights=table.weights, **given)
