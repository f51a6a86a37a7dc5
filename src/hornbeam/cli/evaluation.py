"""How good is a tree on a table, or a recipe over folds?  What `evaluate` and `compare` both do.

The positive class arrives as typed text; it is the class that is written so.
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
    tree: Tree | Forest, table: Table, asked: Mapping[str, Any], *, threads: int | None = None
) -> Scores:
    """The scores of a tree or a forest on rows that are matched to it and have its target."""
    said = predict(tree, table.columns, threads=threads)
    return _scores(table, said.values if said.is_class else said.numbers, tree.schema, asked)


def evaluate_folds(
    table: Table,
    method: Recipe,
    n_folds: int,
    asked: Mapping[str, Any],
    *,
    seed: int | None = None,
    threads: int | None = None,
    say: Callable[[str], None] | None = None,
) -> CrossValidation:
    """Grow, predict and score in every fold, classes spread evenly over them; `say` is told which fold it is."""
    if table.target is None:
        raise InputError("The table has no target to judge by.")
    if table.schema.is_class:
        folds = stratified_folds(table.target.values, n_folds, seed or 0)
    else:
        folds = random_folds(len(table), n_folds, seed or 0)

    fold = iter(range(1, n_folds + 1))

    def fit(part: Table) -> Tree | Forest:
        if say is not None:
            say(f"fold {next(fold)} of {n_folds}")
        return grow(part, method, seed=seed, threads=threads)

    def answers(tree: Tree | Forest, part: Table) -> Any:
        said = predict(tree, part.columns, threads=threads)
        return said.values if said.is_class else said.numbers

    def score(part: Table, given: Any) -> dict[str, Metric]:
        return _scores(part, given, table.schema, asked).metrics

    return cross_validate_with(table, fit, splits_of_folds(folds), answers, score)


def _scores(table: Table, given: Any, schema: Schema, asked: Mapping[str, Any]) -> Scores:
    assert table.target is not None
    wanted = {name: value for name, value in asked.items() if value is not None}
    if not schema.is_class:
        if wanted:
            raise OptionError(f"--{next(iter(wanted))} suits classes, and this target is a number.", option="positive")
        return evaluate(table.target.values, np.asarray(given), weights=table.weights)
    if "positive" in wanted:
        wanted["positive"] = _class_called(str(wanted["positive"]), schema)
    truth = np.array(schema.classes, dtype=object)[table.target.values]
    return evaluate(truth, given, schema.classes, weights=table.weights, **wanted)


def _class_called(text: str, schema: Schema) -> Any:
    for label in schema.classes:
        if str(label) == text:
            return label
    names = [str(label) for label in schema.classes]
    raise OptionError(f"There is no class {short_repr(text)}.", hint=did_you_mean(text, names), option="--positive")
