"""Metrics for plots about classes, from a model and rows: one `Scores` per class that is drawn.

Of two classes the positive one is drawn, by default the rarer one; of more classes each is compared with the rest.
"""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np

from hornbeam.drawing.report.evaluation import rarer_class
from hornbeam.drawing.text import count_text
from hornbeam.errors import HornbeamWarning, InputError
from hornbeam.evaluation import Scores, evaluate
from hornbeam.evaluation.inputs import Codes, Floats, codes_of, position_of, weights_of
from hornbeam.evaluation.model_rows import predict_with_truth
from hornbeam.table.table import Table
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import predict
from hornbeam.tree.training_rows import are_training_rows

_MAX_CLASSES = 8


@dataclasses.dataclass(frozen=True, eq=False)
class ClassRows:
    """The true class, the probabilities and the weight of each row; `positive` are the codes of the classes drawn."""

    codes: Codes
    probabilities: Floats
    weights: Floats
    classes: tuple[Any, ...]
    positive: tuple[int, ...]
    caption: str

    def scores(self) -> list[Scores]:
        """The metrics of each class that is drawn, against the rest; classes are named by their codes."""
        n = len(self.classes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HornbeamWarning)  # a class without rows is left out of the plot
            return [
                evaluate(self.codes, self.probabilities, tuple(range(n)), positive=code, weights=self.weights)
                for code in self.positive
            ]


def class_rows(model: Any, rows: Any, y: Any = None, positive: Any = None) -> ClassRows:
    """The rows of a classifier; `y` are the true classes if the rows do not contain them."""
    found = unwrapped(model)
    if not found.schema.is_class:
        raise InputError("This plot requires a model of classes, but the target of the model is numeric.")
    if rows is None:
        raise InputError("This plot requires rows with a known class.", hint="Pass a table or a data frame.")
    if y is None:
        truth, prediction, weights = predict_with_truth(model, rows)
    else:
        truth, prediction, weights = np.asarray(y), predict(found, rows), None
    classes = tuple(found.schema.classes)
    codes = codes_of("y", truth, classes)
    kept = weights_of(weights, len(codes))
    drawn = _drawn(classes, codes, kept, positive)
    is_training = isinstance(rows, Table) and are_training_rows(found, rows)
    what = "training row" if is_training else "row"
    caption = count_text(len(codes), what) + (", therefore optimistic" if is_training else "")
    if positive is None and len(classes) > _MAX_CLASSES:
        caption += f"; {len(drawn)} of {len(classes)} classes"
    return ClassRows(codes, prediction.probabilities, kept, classes, drawn, caption)


def _drawn(classes: tuple[Any, ...], codes: Codes, weights: Floats, positive: Any) -> tuple[int, ...]:
    if positive is not None:
        return (position_of(positive, classes),)
    totals = np.bincount(codes, weights, minlength=len(classes))
    if len(classes) == 2:
        return (classes.index(rarer_class(classes, totals)),)
    return tuple(code for code in range(len(classes)) if totals[code] > 0)[:_MAX_CLASSES]
