"""`cross_validate`: the metrics of a recipe on rows held out of training, fold by fold.

    hb.cross_validate(table, "cart", folds=10)["accuracy"].mean

Each fold grows the whole recipe, including its pruning or ensemble, on the other folds.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, did_you_mean, short_repr
from hornbeam.evaluation import (
    CrossValidation,
    Metric,
    Scores,
    TrainTestSplit,
    cross_validate_with,
    evaluate,
    repeat_splits,
)
from hornbeam.growing.method import Method
from hornbeam.recipes.folds import folds_for
from hornbeam.recipes.grow import grow
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.table.table import Schema, Table, only_table
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import predict

# Called with the number of the fold that is about to start, from 1, and the number of folds in all.
FoldProgress = Callable[[int, int], Any]


def cross_validate(
    table: Table,
    recipe: str | Path | Method = "default",
    folds: int = 10,
    *,
    repeats: int = 1,
    seed: int | None = 0,
    metric: str | Sequence[str] | None = None,
    positive: Any = None,
    prevalence: float | None = None,
    threshold: float | None = None,
    threads: int | None = None,
    progress: FoldProgress | None = None,
) -> CrossValidation:
    """The metrics of a recipe, each with its mean over the folds and the standard error of the mean.

    `recipe` is a name, a file, a `Recipe` or a `Method`; it may have an ensemble. Folds are stratified by class.
    `repeats` repeats the cross-validation with other folds. `seed` determines folds and trees; None is seed 0 for the
    folds and the recipe's own seed for the trees. `metric` selects metrics by name; None reports all. `positive`,
    `prevalence` and `threshold` are those of `evaluate`.
    """
    options = {"positive": positive, "prevalence": prevalence, "threshold": threshold}
    return cross_validate_splits(
        table,
        recipe,
        table_splits(table, folds, repeats, seed or 0),
        seed=seed,
        metric=metric,
        options=options,
        threads=threads,
        progress=progress,
    )


def table_splits(table: Table, folds: int, repeats: int, seed: int) -> tuple[TrainTestSplit, ...]:
    """The splits of a repeated cross-validation of a table."""
    table = only_table(table, "Cross-validation")
    if table.target is None:
        raise InputError("Cross-validation requires a table with a target.")
    return repeat_splits(lambda repeat: folds_for(table, folds, seed, repeat=repeat), repeats)


def cross_validate_splits(
    table: Table,
    recipe: str | Path | Method,
    splits: Sequence[TrainTestSplit],
    *,
    seed: int | None = 0,
    metric: str | Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: FoldProgress | None = None,
) -> CrossValidation:
    """The metrics of a recipe on given splits; `options` are class options of `evaluate`."""
    chosen = as_recipe(recipe)
    numbers = iter(range(1, len(splits) + 1))

    def fit(rows: Table) -> Tree | Forest:
        if progress is not None:
            progress(next(numbers), len(splits))
        return grow(rows, chosen, seed=seed, threads=threads)

    def predicted(model: Tree | Forest, rows: Table) -> Any:
        return predicted_values(model, rows, threads)

    def score(rows: Table, values: Any) -> dict[str, Metric]:
        return table_scores(rows, values, table.schema, options or {}).metrics

    found = cross_validate_with(table, fit, splits, predicted, score)
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
            raise OptionError(f"{name} requires a classification target, but the target is numeric.", option=name)
        return evaluate(table.target.values, np.asarray(predicted), weights=table.weights)
    truth = np.array(schema.classes, dtype=object)[table.target.values]
    return evaluate(truth, predicted, schema.classes, weights=table.weights, **given)
