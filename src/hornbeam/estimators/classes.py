"""How are numbers given by class matched to the classes of a target?  By value: 1, 1.0 and "1" all find class 1.

    class_weight   {class: factor} or "balanced"; a class not named counts once
    priors         {class: share}, "data" or "equal"
    costs          {truth: {answer: cost}}, or a matrix in the order of `classes_`

A class that the target does not have is an error that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.growing.sample import balanced_factors
from hornbeam.table.table import Table
from hornbeam.tree.prediction import Prediction, level_array


def by_label(parameter: str, given: Any, classes: tuple[Any, ...]) -> Any:
    """A table by class with the classes' names as keys; words and None as they are."""
    if given is None or isinstance(given, str):
        return given
    if not isinstance(given, Mapping):
        raise OptionError(
            f"{parameter} must be a word or a table by class; got {short_repr(given)} ({type(given).__name__}).",
            option=parameter,
            got=given,
        )
    return {_label(parameter, key, classes): _plain(value) for key, value in given.items()}


def costs_by_label(given: Any, classes: tuple[Any, ...]) -> Any:
    """Costs as {truth: {answer: cost}} with the classes' names as keys."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        return {
            _label("costs", truth, classes): by_label(f"costs[{short_repr(truth)}]", row, classes)
            for truth, row in given.items()
        }
    try:
        matrix = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"costs must be numbers: {error}.", option="costs", got=given) from None
    if matrix.shape != (len(classes), len(classes)):
        raise OptionError(
            f"costs must be {len(classes)} x {len(classes)}, one row a true class; got shape {matrix.shape}.",
            option="costs",
        )
    labels = [str(label) for label in classes]
    return {truth: dict(zip(labels, row)) for truth, row in zip(labels, matrix.tolist())}


def _label(parameter: str, key: Any, classes: tuple[Any, ...]) -> str:
    for label in classes:
        if key == label or str(key) == str(label):
            return str(label)
    labels = [str(label) for label in classes]
    raise OptionError(
        f"{parameter} names {short_repr(key)}, which is no class.",
        hint=did_you_mean(str(key), labels),
        option=parameter,
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def weight_of(table: Table, class_weight: Any) -> float:
    """The weight of all rows, class weights included."""
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
    """Classes as an array, of the type y has where that is a number's or a truth's."""
    classes = level_array(levels)
    dtype = getattr(y, "dtype", None)
    is_plain = isinstance(dtype, np.dtype) and dtype.kind in "biuf" and classes.dtype.kind in "biuf"
    return classes.astype(dtype) if is_plain else classes


def labels_of(said: Prediction, classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The classes as learned, or as the tree has them when another thread has learned others meanwhile."""
    own = level_array(said.classes)
    return classes if len(classes) == len(own) and bool((classes == own).all()) else own
