"""How wrong are the rows told, in one number?  The weighted mean over the rows whose target is known.

classes   error (share of wrong answers), brier (squared distance of the shares), log (-ln of the true share)
numbers   squared, absolute
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, did_you_mean, short_repr
from hornbeam.explanation.models import Floats
from hornbeam.table.column import Kind
from hornbeam.table.table import Schema, Table
from hornbeam.tree.prediction import align_table

_OF_CLASSES = {"error": "share of wrong answers", "brier": "Brier score", "log": "log loss"}
_OF_NUMBERS = {"squared": "mean squared error", "absolute": "mean absolute error"}
_LEAST_SHARE = 1e-15


def target_of(schema: Schema, table: Table) -> Floats:
    """The target as numbers: class codes of the model (negative where it has no such class), or the numbers."""
    spec, target = schema.target, table.target
    if target is None or spec is None or (spec.kind is Kind.NUMERIC) != (target.kind is Kind.NUMERIC):
        raise InputError("The table needs the target that the model tells.")
    renamed = dataclasses.replace(target, name=spec.name)
    return align_table(Schema((spec,)), Table((renamed,)))[0].values.astype(np.float64)


def _named(model: Any, loss: str | None) -> str:
    known = _OF_CLASSES if model.schema.is_class else _OF_NUMBERS
    chosen = next(iter(known)) if loss is None else loss
    if chosen not in known:
        raise OptionError(
            f"loss must be one of {', '.join(known)}; got {short_repr(loss)}.", hint=did_you_mean(chosen, known)
        )
    return chosen


def loss_text(model: Any, loss: str | None) -> str:
    """The loss in words."""
    return (_OF_CLASSES | _OF_NUMBERS)[_named(model, loss)]


def loss_of(model: Any, table: Table, loss: str | None) -> Callable[[Floats], float]:
    """The mean loss of what rows of a table are told: class shares (rows, classes) or numbers (rows, 1)."""
    chosen = _named(model, loss)
    target = target_of(model.schema, table)
    known = np.isfinite(target) & ((target >= 0) | (not model.schema.is_class))
    if not known.any():
        raise InputError("No row has a known target.")
    weights = table.row_weights
    weights = weights[known] / weights[known].sum()
    truth = target[known]
    codes = truth.astype(np.int64)

    def judged(values: Floats) -> float:
        told = values[known]
        if chosen == "error":
            each = (told.argmax(axis=1) != codes).astype(np.float64)
        elif chosen == "brier":
            each = ((told - np.eye(told.shape[1])[codes]) ** 2).sum(axis=1)
        elif chosen == "log":
            each = -np.log(np.maximum(told[np.arange(len(codes)), codes], _LEAST_SHARE))
        else:
            gap = np.abs(told[:, 0] - truth)
            each = gap**2 if chosen == "squared" else gap
        return float(weights @ each)

    return judged
