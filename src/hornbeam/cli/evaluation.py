"""Evaluation of a tree on a table and of a recipe over folds, for the commands `evaluate` and `compare`.

The positive class is given as text; it is the class whose text is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbeam.errors import InputError, OptionError, did_you_mean, short_repr
from hornbeam.evaluation import (
    CrossValidation,
    Metric,
    Scores,
    cross_validate_with,
    evaluate,
    random_folds,
    splits_of_folds,
    stratified_folds,
)
from hornbeam.recipes.grow import grow
from hornbeam.tree.prediction import predict

if TYPE_CHECKING:
    from hornbeam.recipes.recipe import Recipe
    from hornbeam.table.table import Schema, Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree


def evaluate_model(
    tree: Tree | Forest, table: Table, options: Mapping[str, Any], *, threads: int | None = None
) -> Scores:
    """The scores of a tree or a forest on rows that are matched to its columns and have its target."""
    predicted = predict(tree, table.columns, threads=threads)
    return _scores(table, predicted.values if predicted.is_class else predicted.numbers, tree.schema, options)


def evaluate_folds(
    table: Table,
    method: Recipe,
    n_folds: int,
    options: Mapping[str, Any],
    *,
    seed: int | None = None,
    threads: int | None = None,
    report: Callable[[str], None] | None = None,
) -> CrossValidation:
    """Grow, predict and score in each fold, stratified by class; `report` is called with the current fold."""
    if table.target is None:
        raise InputError("The table has no target.")
    if table.schema.is_class:
        folds = stratified_folds(table.target.values, n_folds, seed or 0)
    else:
        folds = random_folds(len(table), n_folds, seed or 0)

    fold = iter(range(1, n_folds + 1))

    def fit(rows: Table) -> Tree | Forest:
        if report is not None:
            report(f"fold {next(fold)} of {n_folds}")
        return grow(rows, method, seed=seed, threads=threads)

    def predictions(tree: Tree | Forest, rows: Table) -> Any:
        predicted = predict(tree, rows.columns, threads=threads)
        return predicted.values if predicted.is_class else predicted.numbers

    def score(rows: Table, predicted: Any) -> dict[str, Metric]:
        return _scores(rows, predicted, table.schema, options).measures

    return cross_validate_with(table, fit, splits_of_folds(folds), predictions, score)


def _scores(table: Table, predicted: Any, schema: Schema, options: Mapping[str, Any]) -> Scores:
    assert table.target is not None
    given = {name: value for name, value in options.items() if value is not None}
    if not schema.is_class:
        if given:
            raise OptionError(
                f"--{next(iter(given))} requires a classification target, but the target is numeric.", option="positive"
            )
        return evaluate(table.target.values, np.asarray(predicted), weights=table.weights)
    if "positive" in given:
        given["positive"] = _class_of(str(given["positive"]), schema)
    truth = np.array(schema.classes, dtype=object)[table.target.values]
    return evaluate(truth, predicted, schema.classes, weights=table.weights, **given)


def _class_of(text: str, schema: Schema) -> Any:
    for label in schema.classes:
        if str(label) == text:
            return label
    names = [str(label) for label in schema.classes]
    raise OptionError(f"Unknown class {short_repr(text)}.", hint=did_you_mean(text, names), option="--positive")
