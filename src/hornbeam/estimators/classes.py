"""Matches values given per class with the classes of a target, by value: 1, 1.0 and "1" all match class 1.

    class_weight   {class: factor} or "balanced"; the default factor is 1
    priors         {class: probability}, "data" or "equal"
    costs          {truth: {predicted: cost}}, a matrix in the order of `classes_`, or a data frame by class

An unknown class raises an error that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.growing.sample import balanced_factors
from hornbeam.parts.losses.machinery.costs import cost_table, plain_costs
from hornbeam.table.table import Table
from hornbeam.tree.prediction import Prediction, level_array


def by_label(parameter: str, given: Any, classes: tuple[Any, ...]) -> Any:
    """A dict by class with the class labels as text keys; strings and None are returned unchanged."""
    if given is None or isinstance(given, str):
        return given
    if not isinstance(given, Mapping):
        raise OptionError(
            f"{parameter} must be a string or a dict by class, got {short_repr(given)} ({type(given).__name__}).",
            option=parameter,
            got=given,
        )
    return {_label(parameter, key, classes): _python_value(value) for key, value in given.items()}


def costs_by_label(given: Any, classes: tuple[Any, ...]) -> Any:
    """Costs as {truth: {predicted: cost}} with the class labels as text keys."""
    if given is None:
        return None
    costs = plain_costs(given)
    if isinstance(costs, Mapping):
        return {
            _label("costs", truth, classes): by_label(f"costs[{short_repr(truth)}]", row, classes)
            for truth, row in costs.items()
        }
    labels = [str(label) for label in classes]
    return {truth: dict(zip(labels, row)) for truth, row in zip(labels, cost_table(costs, classes).tolist())}


def _label(parameter: str, key: Any, classes: tuple[Any, ...]) -> str:
    for label in classes:
        if key == label or str(key) == str(label):
            return str(label)
    labels = [str(label) for label in classes]
    raise OptionError(
        f"{parameter} contains {short_repr(key)}, which is not a class.",
        hint=did_you_mean(str(key), labels),
        option=parameter,
    )


def _python_value(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def total_weight(table: Table, class_weight: Any) -> float:
    """The total weight of the rows, including class weights."""
    weights = table.row_weights
    if class_weight is None or table.target is None:
        return float(weights.sum())
    codes = table.target.values
    if isinstance(class_weight, str):
        factor = balanced_factors(np.bincount(codes, minlength=len(table.target.levels)))
    else:
        factor = np.array([class_weight.get(str(label), 1.0) for label in table.target.levels])
    return float((weights * factor[codes]).sum())


def typed_classes(levels: tuple[Any, ...], y: Any) -> npt.NDArray[Any]:
    """Classes as an array; of the dtype of y if both are numeric or boolean."""
    classes = level_array(levels)
    dtype = getattr(y, "dtype", None)
    keeps_dtype = isinstance(dtype, np.dtype) and dtype.kind in "biuf" and classes.dtype.kind in "biuf"
    return classes.astype(dtype) if keeps_dtype else classes


def labels_of(prediction: Prediction, classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The fitted classes; those of the model if another thread has fitted other classes in the meantime."""
    own = level_array(prediction.classes)
    return classes if len(classes) == len(own) and bool((classes == own).all()) else own
