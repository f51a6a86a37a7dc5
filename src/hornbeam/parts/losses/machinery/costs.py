"""Costs of wrong predictions: by class name, as a matrix, or as a data frame.

{"cancer": {"benign": 5.0}}      by class name; errors that are not named cost 1, correct predictions 0
[[0, 1], [5, 0]]                 costs[truth][prediction] in the order of the classes
a data frame                     columns are predictions; rows are true classes: its index, a first column of text,
or the order of the columns
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.options import is_real
from hornbeam.parts.node import Floats


def plain_costs(given: Any) -> Any:
    """Costs as a mapping by class name or as nested tuples, so that a recipe can store them."""
    if given is None or isinstance(given, Mapping):
        return given
    names = getattr(given, "columns", None)
    if names is not None and not callable(names):
        return _frame_costs(given, list(names))
    try:
        matrix = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"costs must be numbers: {error}.", option="costs", got=given) from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise OptionError(
            f"costs must have one row and one column per class, got shape {matrix.shape}.",
            hint="Pass costs[truth][prediction] in the order of the classes, or costs by class name.",
            option="costs",
        )
    return tuple(tuple(row) for row in matrix.tolist())


def cost_table(given: Any, classes: Sequence[Any]) -> Floats:
    """C[truth][prediction] in the order of the classes."""
    costs, labels = plain_costs(given), [str(label) for label in classes]
    if not isinstance(costs, Mapping):
        if len(costs) != len(labels):
            raise OptionError(
                f"costs must be {len(labels)} x {len(labels)}, one row per true class ({', '.join(labels[:6])}), "
                f"got shape {(len(costs), len(costs))}.",
                option="costs",
            )
        return np.array(costs, dtype=np.float64)
    check_names(costs, labels)
    found = 1.0 - np.eye(len(labels))
    for truth, row in costs.items():
        for prediction, cost in row.items():
            if not is_real(cost):
                where = f"costs[{short_repr(truth)}][{short_repr(prediction)}]"
                raise OptionError(f"{where} must be a number, got {short_repr(cost)}.", option="costs", got=cost)
            found[labels.index(str(truth)), labels.index(str(prediction))] = cost
    return found


def check_names(costs: Mapping[Any, Any], labels: Sequence[str]) -> None:
    """Raise if costs by name contain a row that is no mapping, or a name that is no class."""
    for truth, row in costs.items():
        if not isinstance(row, Mapping):
            raise OptionError(
                f"costs[{short_repr(truth)}] must be a table from classes to costs, got {short_repr(row)}.",
                option="costs",
            )
        for label in (truth, *row):
            if str(label) not in labels:
                raise OptionError(
                    f"costs name {short_repr(label)}, which is not a class of the target.",
                    hint=did_you_mean(str(label), labels),
                    option="costs",
                )


def _frame_costs(frame: Any, names: list[Any]) -> dict[str, dict[str, Any]]:
    columns = {str(name): list(frame[name]) for name in names}
    first = columns[str(names[0])] if names else []
    truths = list(getattr(frame, "index", range(len(first))))
    if first and all(isinstance(each, str) for each in first):
        truths = columns.pop(str(names[0]))
    elif truths == list(range(len(truths))) and len(truths) == len(columns):
        truths = list(columns)  # rows without names are in the order of the columns
    return {
        str(truth): {name: float(values[row]) for name, values in columns.items()} for row, truth in enumerate(truths)
    }
