"""Predicts the rows of a table with a model, so that the predictions can be compared with the table's target."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr
from hornbeam.rules.rule import RuleSet
from hornbeam.tree.forest import Forest
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import Prediction, level_array, predict

Model = Tree | Forest | RuleSet


def is_model(value: Any) -> bool:
    """Whether a value is a model: a tree, a forest, a rule set, or an estimator (anything with a method `predict`)."""
    return isinstance(value, (Tree, Forest, RuleSet)) or callable(getattr(value, "predict", None))


def predict_with_truth(model: Any, rows: Any) -> tuple[npt.NDArray[Any], Prediction, npt.NDArray[np.float64] | None]:
    """The target of the rows, the prediction for them and the table's weights, without rows whose target is missing."""
    found = inner_model(model)
    table = model_table(found.schema, rows, needs_target=True)
    assert table.target is not None
    values = table.target.values
    is_known = ~table.target.is_missing
    if found.schema.is_class and (values[is_known] < 0).any():
        row = int(np.argmax(is_known & (values < 0)))
        raise InputError(f"Row {row} has a class that the model was not trained on.", row=row)
    if not is_known.any():
        raise InputError("No row has a known target.")
    if not is_known.all():
        table = table.take(np.flatnonzero(is_known))
        values = values[is_known]
    truth = level_array(found.schema.classes)[values] if found.schema.is_class else values
    prediction = found.predict(table.columns) if isinstance(found, RuleSet) else predict(found, table.columns)
    return truth, prediction, table.weights


def inner_model(model: Any) -> Model:
    """The rule set, tree or forest behind what a caller passed; a fitted estimator stores one of these."""
    for found in (model, getattr(model, "rules_", None)):
        if isinstance(found, RuleSet):
            return found
    try:
        return unwrapped(model)
    except InputError:
        raise InputError(
            f"evaluate needs a tree, a forest, a rule set or a fitted estimator of one of them; "
            f"got {short_repr(type(model).__name__)}.",
            hint="For other classifiers: evaluate(y, estimator.predict_proba(X), estimator.classes_).",
        ) from None
