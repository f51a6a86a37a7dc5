"""The mean loss of predictions: the weighted mean over the rows whose target is known.

classification   error (fraction of misclassified rows), brier (squared distance of the probabilities), log (-ln of the
                 probability of the true class)
regression       squared, absolute
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, did_you_mean, short_repr
from hornbeam.explanation.models import Floats
from hornbeam.table.table import Table

_CLASS_LOSSES = {"error": "fraction of misclassified rows", "brier": "Brier score", "log": "log loss"}
_NUMBER_LOSSES = {"squared": "mean squared error", "absolute": "mean absolute error"}
_MIN_PROBABILITY = 1e-15


def _loss_name(model: Any, loss: str | None) -> str:
    known = _CLASS_LOSSES if model.schema.is_class else _NUMBER_LOSSES
    chosen = next(iter(known)) if loss is None else loss
    if chosen not in known:
        raise OptionError(
            f"loss must be one of {', '.join(known)}, got {short_repr(loss)}.", hint=did_you_mean(chosen, known)
        )
    return chosen


def loss_text(model: Any, loss: str | None) -> str:
    """The name of the loss as printed."""
    return (_CLASS_LOSSES | _NUMBER_LOSSES)[_loss_name(model, loss)]


def loss_of(model: Any, table: Table, loss: str | None) -> Callable[[Floats], float]:
    """A function that returns the mean loss of predictions for a table that is matched to the model.

    Its argument is class probabilities (rows, classes) or numbers (rows, 1).
    """
    chosen = _loss_name(model, loss)
    assert table.target is not None
    target = table.target.values.astype(np.float64)
    known = np.isfinite(target) & ((target >= 0) | (not model.schema.is_class))
    if not known.any():
        raise InputError("No row has a known target.")
    weights = table.row_weights
    weights = weights[known] / weights[known].sum()
    truth = target[known]
    codes = truth.astype(np.int64)

    def mean_loss(values: Floats) -> float:
        predicted = values[known]
        if chosen == "error":
            losses = (predicted.argmax(axis=1) != codes).astype(np.float64)
        elif chosen == "brier":
            losses = ((predicted - np.eye(predicted.shape[1])[codes]) ** 2).sum(axis=1)
        elif chosen == "log":
            losses = -np.log(np.maximum(predicted[np.arange(len(codes)), codes], _MIN_PROBABILITY))
        else:
            gap = np.abs(predicted[:, 0] - truth)
            losses = gap**2 if chosen == "squared" else gap
        return float(weights @ losses)

    return mean_loss
