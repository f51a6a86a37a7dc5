"""Metrics of a model on rows that are read in batches, with bounded memory.

    classes   rows with the same probabilities and the same true class are one group (`score_groups.py`); every metric
              and every curve follows from the groups
    numbers   exact sums of errors and of their squares; the median error from groups of equal errors

The metrics are those of the same rows in memory up to rounding. Only a forest or a boosted model with very many
different predictions is evaluated with rounded probabilities, and a warning states it.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamWarning, InputError, OptionError, short_repr
from hornbeam.evaluation import intervals, score_groups
from hornbeam.evaluation.evaluate import ClassOptions, EvaluatedRows, predicted_codes, scores_of_codes
from hornbeam.evaluation.inputs import Floats, position_of
from hornbeam.evaluation.metrics import Metric, undefined_metric
from hornbeam.evaluation.model_rows import Model
from hornbeam.evaluation.numbers import root_of, weighted_median
from hornbeam.evaluation.score_groups import ScoreGroups
from hornbeam.evaluation.scores import Scores
from hornbeam.grouped_sums import GroupedSums
from hornbeam.parts.losses.machinery.costs import cost_table
from hornbeam.scale.labeled_rows import RowProgress, labeled_tables
from hornbeam.scale.matched_rows import MatchedRows
from hornbeam.scale.prediction_files import PredictionRun
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import Prediction

_ERRORS = ("mse", "mae", "poisson_deviance")


def streamed_scores(
    model: Model,
    rows: Any,
    options: ClassOptions,
    *,
    weights: Any = None,
    progress: RowProgress | None = None,
    **settings: Any,
) -> Scores:
    """The metrics of a model on a source of rows; `weights` is the name of its column of weights.

    `settings` are those of `match_columns`.
    """
    if weights is not None and not isinstance(weights, str):
        raise OptionError(
            "weights must be the name of a column for rows that are read in batches.", option="weights", got=weights
        )
    tables = labeled_tables(model.schema, rows, weights=weights, progress=progress, **settings)
    if not model.schema.is_class:
        for name in ("positive", "prevalence", "costs", "threshold"):
            if getattr(options, name) is not None:
                raise OptionError(f"{name} requires a classification target, but the target is numeric.", option=name)
        return _number_scores(_predicted(model, tables), options.confidence)
    return _class_scores(model, _predicted(model, tables), options)


def _predicted(model: Model, tables: Iterator[Table]) -> Iterator[tuple[npt.NDArray[Any], Prediction, Floats]]:
    """The target, the prediction and the weights of batches of rows with a target and a weight above 0."""
    used: list[Table] = []

    def batches() -> Iterator[MatchedRows]:
        first_row = 0
        for table in tables:
            used.append(_with_target(table, first_row, is_class=model.schema.is_class))
            first_row += len(table)
            if len(used[-1]):
                yield MatchedRows(used[-1].columns, {}, first_row - len(table))

    run = PredictionRun(model)
    for batch in run.predicted(batches()):
        table = used[-1]
        used.clear()
        assert table.target is not None
        yield table.target.values, batch.predicted, table.row_weights
    if run.n_unseen and isinstance(model, Tree):
        warnings.warn(f"{run.unseen_text()}.", HornbeamWarning, stacklevel=5)


def _with_target(table: Table, first_row: int, *, is_class: bool) -> Table:
    """The rows with a known target and a weight; a class that the model does not have is an error."""
    assert table.target is not None
    kept = ~table.target.is_missing
    if is_class and (table.target.values[kept] < 0).any():
        row = int(np.argmax(kept & (table.target.values < 0))) + first_row
        raise InputError(f"Row {row} has a class that the model was not trained on.", row=row)
    if table.weights is not None:
        kept &= table.weights > 0
    return table if kept.all() else table.take(np.flatnonzero(kept))


def _class_scores(
    model: Model, batches: Iterator[tuple[npt.NDArray[Any], Prediction, Floats]], options: ClassOptions
) -> Scores:
    names = tuple(model.schema.classes)
    if options.costs is not None:
        options = dataclasses.replace(options, costs=cost_table(options.costs, names))
    positive = None if options.positive is None else position_of(options.positive, names)
    groups = ScoreGroups()
    smallest, largest = math.inf, -math.inf
    for truth, predicted, weights in batches:
        scores = np.column_stack([np.asarray(predicted.probabilities, dtype=np.float64), truth])
        groups.add(scores, weights)
        smallest, largest = min(smallest, float(weights.min())), max(largest, float(weights.max()))
    groups.finished()
    if not len(groups.scores):
        raise InputError("No row has a known target and a weight above 0.")
    probabilities, codes = groups.scores[:, :-1], groups.scores[:, -1].astype(np.int64)
    if groups.is_rounded:
        probabilities = probabilities / probabilities.sum(axis=1, keepdims=True)
        warnings.warn(
            f"The rows have more than {groups.limit:,} different predictions: the metrics are computed from "
            f"probabilities rounded to {score_groups.BITS} significant bits.",
            HornbeamWarning,
            stacklevel=4,
        )
    weight, squares, counts = groups.sums.T
    predicted_classes = predicted_codes(probabilities, positive, options)
    rows = EvaluatedRows(codes, predicted_classes, probabilities, weight, squares, counts, smallest != largest)
    return scores_of_codes(rows, names, positive, options)


@dataclasses.dataclass
class _NumberSums:
    """Exact sums over rows: weights, errors and their squares, the truth and its squares; the distinct errors."""

    center: float | None = None
    n_rows: int = 0
    minimum: float = math.inf
    maximum: float = -math.inf
    deviance_reason: str = ""
    overflowed: set[int] = dataclasses.field(default_factory=set)
    sums: GroupedSums = dataclasses.field(default_factory=lambda: GroupedSums(4 + 2 * len(_ERRORS)))
    distances: ScoreGroups = dataclasses.field(default_factory=ScoreGroups)

    def add(self, truth: Floats, given: Floats, weights: Floats) -> None:
        """Add rows."""
        self.center = float(truth[0]) if self.center is None else self.center
        self.n_rows += len(truth)
        self.minimum, self.maximum = min(self.minimum, float(truth.min())), max(self.maximum, float(truth.max()))
        centered, distance = truth - self.center, np.abs(truth - given)
        with np.errstate(over="ignore", invalid="ignore"):
            terms = [weights, weights**2, weights * centered, weights * centered**2]
            for error in (distance**2, distance, self._deviance(truth, given)):
                terms += [weights * error, weights * error**2]
        for group, term in enumerate(terms):
            is_finite = np.isfinite(term)
            if not is_finite.all():
                self.overflowed.add(group)
            self.sums.add(np.full(len(term), group), np.where(is_finite, term, 0.0))
        self.distances.add(distance[:, None], weights)

    def _deviance(self, truth: Floats, given: Floats) -> Floats:
        if (truth < 0).any():
            self.deviance_reason = "the truth has a negative value, which is not a count"
        elif (given <= 0).any() and not self.deviance_reason:
            self.deviance_reason = "a prediction is not above 0"
        if self.deviance_reason:
            return np.zeros(len(truth))
        ratio = np.where(truth > 0, truth, given) / given
        return np.asarray(2 * (truth * np.log(ratio) - truth + given))

    def metrics(self, confidence: float) -> dict[str, Metric]:
        """The errors by name."""
        weight, squares, first, second, *errors = self.sums.values().tolist()
        n = intervals.effective_rows(weight, squares)
        means = [
            _mean(name, errors[2 * i] / weight, errors[2 * i + 1] / weight, n, confidence)
            for i, name in enumerate(_ERRORS)
        ]
        for i, name in enumerate(_ERRORS):
            if 4 + 2 * i in self.overflowed:
                means[i] = undefined_metric(name, "the sum overflows double precision")
        mse, mae, deviance = means
        if self.deviance_reason:
            deviance = undefined_metric("poisson_deviance", self.deviance_reason)
        spread = second - first * first / weight
        found = [mse, root_of(mse), mae, self._median(), self._r_squared(errors[0], spread), deviance]
        return {metric.name: metric for metric in found}

    def _median(self) -> Metric:
        groups = self.distances.finished()
        reason = f"rounded to {score_groups.BITS} significant bits" if groups.is_rounded else ""
        median = weighted_median(groups.scores[:, 0], groups.sums[:, 0])
        return Metric("median_absolute_error", median, reason=reason)

    def _r_squared(self, errors: float, spread: float) -> Metric:
        if self.minimum == self.maximum:
            return undefined_metric("r2", "0/0: the truth is constant")
        if self.overflowed or not spread > 0:
            return undefined_metric("r2", "the sums of squares overflow or vanish in double precision")
        return Metric("r2", 1 - errors / spread)


def _mean(name: str, mean: float, mean_square: float, n: float, confidence: float) -> Metric:
    """A mean of errors with its normal interval."""
    if n <= 1 + 1e-12:
        return Metric(name, mean, reason="one row has no interval")
    reach = intervals.z_of(confidence) * math.sqrt(max(mean_square - mean * mean, 0.0) / (n - 1))
    return Metric(name, mean, max(0.0, mean - reach), mean + reach)


def _number_scores(batches: Iterator[tuple[npt.NDArray[Any], Prediction, Floats]], confidence: float) -> Scores:
    found = _NumberSums()
    for truth, predicted, weights in batches:
        if not np.isfinite(truth).all():
            raise InputError(f"The target must be finite, got {short_repr(float(truth[~np.isfinite(truth)][0]))}.")
        found.add(np.asarray(truth, dtype=np.float64), np.asarray(predicted.numbers, dtype=np.float64), weights)
    if not found.n_rows:
        raise InputError("No row has a known target and a weight above 0.")
    weight = float(found.sums.values()[0])
    return Scores("number", found.n_rows, weight, found.metrics(confidence), confidence)
