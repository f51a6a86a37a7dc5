"""Resampling: how well a method predicts rows that it was not trained on.

    for each split:   model = fit(training rows)           everything that uses the target happens here
                      prediction = predict(model, test rows)
                      values = score(test rows, prediction)

`fit` receives the training rows only, so encoding, imputation, the choice of a pruning and everything else that is
learned from the target is learned again in every fold. The result has the values per fold, their mean with its standard
error sd/sqrt(V) (optimistic, since folds share training rows), and the value of all test rows pooled. Metrics that rank
rows (AUC, average precision) are never pooled: scores of different models are not on one scale.

    .632+   w = 0.632/(1 - 0.368 R),  R = (e1 - e0)/(γ - e0);  error = (1 - w) e0 + w e1
            e0 on the training rows, e1 on out-of-sample rows (at most γ), γ over all pairs of truth and prediction
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.evaluation.metrics import Metric, metric_text, undefined_metric
from hornbeam.parallel import run_tasks
from hornbeam.table.division import Rows, TrainTestSplit
from hornbeam.tree.text_tables import aligned_text

RANKING = ("auc", "auc_macro", "auc_weighted", "auc_hand_till", "average_precision")


class Sliceable(Protocol):
    """What resampling requires of a table."""

    def __len__(self) -> int:
        """The number of rows."""
        ...

    def take(self, rows: npt.NDArray[Any]) -> Self:
        """Some of the rows."""
        ...


Fit = Callable[[Any], Any]
Predict = Callable[[Any, Any], npt.NDArray[Any]]
Score = Callable[[Any, npt.NDArray[Any]], Mapping[str, Any]]


@dataclasses.dataclass(frozen=True)
class OverFolds:
    """One metric over the folds: each value, mean and standard error over those defined, and the pooled value."""

    name: str
    values: tuple[float | None, ...]
    mean: Metric
    standard_error: float | None
    pooled: Metric


@dataclasses.dataclass(frozen=True, eq=False)
class CrossValidation:
    """The result of resampling: metrics by name, and per fold the predictions and the rows that they belong to.

    `division` states how the rows were divided, if not one by one: by groups, or forward in time.
    """

    metrics: dict[str, OverFolds]
    rows: tuple[Rows, ...]
    predictions: tuple[npt.NDArray[Any], ...]
    sizes: tuple[tuple[int, int], ...]
    chosen: tuple[str, ...] = ()
    division: str = ""

    @property
    def about(self) -> str:
        """The number of folds, and how the rows were divided unless one by one."""
        return ", ".join(filter(None, (f"{len(self.rows)} folds", self.division)))

    def __getitem__(self, name: str) -> OverFolds:
        return self.metrics[name]

    def __str__(self) -> str:
        return f"{self.about}\n{aligned_text(self.lines)}"

    @property
    def lines(self) -> list[list[str]]:
        """The lines of the text: per metric its mean over the folds, the standard error, and the pooled value."""
        found = [["metric", "mean", "s.e.", "pooled"]]
        for each in self.metrics.values():
            error = "" if each.standard_error is None else metric_text(each.standard_error, each.mean.is_fraction)
            pooled = each.pooled.value_text if each.pooled.value is not None else "-"
            found.append([each.mean.text, each.mean.value_text, error, pooled])
        return found


def cross_validate_with(
    table: Sliceable,
    fit: Fit,
    splits: Sequence[TrainTestSplit],
    predict: Predict,
    score: Score,
    *,
    at_once: int = 1,
) -> CrossValidation:
    """Fit, predict and score in every split; `at_once` models are fitted at the same time, on threads."""
    _check_splits(splits, len(table))
    tasks = [functools.partial(_predictions, table, fit, predict, split, fold) for fold, split in enumerate(splits)]
    return _collect(table, splits, run_tasks(tasks, at_once), score, ())


def nested(
    table: Sliceable,
    candidates: Mapping[str, Fit],
    outer: Sequence[TrainTestSplit],
    inner: Callable[[Any], Sequence[TrainTestSplit]],
    predict: Predict,
    score: Score,
    *,
    metric: str,
    maximize: bool = True,
) -> CrossValidation:
    """Cross-validation that includes a choice: each outer fold uses the candidate that is best in inner folds.

    `inner(table)` returns the inner splits of the training rows; `metric` is the metric to choose by, which is
    maximized or minimized. On a tie the first candidate is chosen.
    """
    if not candidates:
        raise OptionError("nested requires at least one candidate.", option="candidates")
    _check_splits(outer, len(table))
    predictions, chosen = [], []
    for fold, split in enumerate(outer):
        training = table.take(split.train)
        folds = inner(training)
        means = {
            name: _mean_of(cross_validate_with(training, fit, folds, predict, score), metric)
            for name, fit in candidates.items()
        }
        known = {name: value for name, value in means.items() if value is not None}
        if not known:
            raise InputError(f"{metric} is undefined in every inner fold of outer fold {fold}.")
        best = max(known, key=lambda name: known[name] if maximize else -known[name])
        chosen.append(best)
        predictions.append(_predictions(table, candidates[best], predict, split, fold))
    return _collect(table, outer, predictions, score, tuple(chosen))


def _mean_of(found: CrossValidation, metric: str) -> float | None:
    if metric not in found.metrics:
        raise OptionError(
            f"metric must be one of {', '.join(found.metrics)}, got {short_repr(metric)}.", option="metric", got=metric
        )
    return found[metric].mean.value


def _predictions(table: Sliceable, fit: Fit, predict: Predict, split: TrainTestSplit, fold: int) -> npt.NDArray[Any]:
    try:
        found = np.asarray(predict(fit(table.take(split.train)), table.take(split.test)))
    except Exception as error:
        error.add_note(f"This happened in fold {fold} ({len(split.train)} training and {len(split.test)} test rows).")
        raise
    if len(found) != len(split.test):
        raise InputError(f"predict returned {len(found)} predictions for the {len(split.test)} rows of fold {fold}.")
    return found


def _check_splits(splits: Sequence[TrainTestSplit], n_rows: int) -> None:
    if not splits:
        raise OptionError("splits must not be empty.", option="splits")
    for fold, split in enumerate(splits):
        for rows in (split.train, split.test):
            if not len(rows) or rows.min() < 0 or rows.max() >= n_rows:
                raise InputError(
                    f"The rows of fold {fold} must be between 0 and {n_rows - 1}, got {short_repr(rows.tolist())}."
                )
        if np.isin(split.test, split.train).any():
            raise InputError(f"Fold {fold} has test rows that are training rows too.", fold=fold)


def _collect(
    table: Sliceable,
    splits: Sequence[TrainTestSplit],
    predictions: list[npt.NDArray[Any]],
    score: Score,
    chosen: tuple[str, ...],
) -> CrossValidation:
    rows = tuple(split.test for split in splits)
    per_fold = [_metrics(score(table.take(test), found)) for test, found in zip(rows, predictions)]
    pooled = _metrics(score(table.take(np.concatenate(rows)), np.concatenate(predictions)))
    names = list(dict.fromkeys(name for each in (pooled, *per_fold) for name in each))
    absent = "the score function returned no such value"
    metrics = {
        name: _over_folds(
            name,
            [each.get(name, undefined_metric(name, absent)) for each in per_fold],
            pooled.get(name, undefined_metric(name, absent)),
        )
        for name in names
    }
    sizes = tuple((len(split.train), len(split.test)) for split in splits)
    return CrossValidation(metrics, rows, tuple(predictions), sizes, chosen)


def _metrics(found: Mapping[str, Any]) -> dict[str, Metric]:
    return {name: value if isinstance(value, Metric) else _metric(name, value) for name, value in found.items()}


def _metric(name: str, value: Any) -> Metric:
    if value is None or math.isnan(float(value)):
        return undefined_metric(name, "undefined")
    return Metric(name, float(value))


def _over_folds(name: str, folds: list[Metric], pooled: Metric) -> OverFolds:
    known = np.array([float(each) for each in folds if each.value is not None and math.isfinite(each.value)])
    is_fraction = pooled.is_fraction or any(each.is_fraction for each in folds)
    if name in RANKING:
        pooled = undefined_metric(
            name, "scores of different folds are not on one scale: use the mean", is_fraction=is_fraction
        )
    values = tuple(each.value for each in folds)
    if not len(known):
        return OverFolds(name, values, undefined_metric(name, f"in every fold: {folds[0].reason}"), None, pooled)
    excluded = len(folds) - len(known)
    reason = f"undefined or infinite in {excluded} of {len(folds)} folds, which are excluded" if excluded else ""
    error = float(known.std(ddof=1) / math.sqrt(len(known))) if len(known) > 1 else None
    return OverFolds(
        name, values, Metric(name, float(known.mean()), reason=reason, is_fraction=is_fraction), error, pooled
    )


@dataclasses.dataclass(frozen=True)
class Bootstrap632:
    """The .632+ estimate and its components: errors on training rows and on out-of-sample rows."""

    error: float
    training: float
    out_of_sample: float
    no_information: float
    overfitting: float
    weight: float


def bootstrap_632_plus(
    table: Sliceable,
    truth: Any,
    fit: Fit,
    samples: Sequence[TrainTestSplit],
    predict: Predict,
    *,
    is_class: bool,
) -> Bootstrap632:
    """The .632+ bootstrap of the error rate (classes as codes or labels) or of the mean squared error (numbers)."""
    actual = np.asarray(truth)
    if len(actual) != len(table):
        raise InputError(f"truth has {len(actual)} rows, the table has {len(table)}; they must agree.")
    found = np.asarray(predict(fit(table), table))
    training = float(np.mean(_losses(actual, found, is_class)))
    sums, counts = np.zeros(len(actual)), np.zeros(len(actual))
    for fold, split in enumerate(samples):
        if len(split.test):
            predictions = _predictions(table, fit, predict, split, fold)
            sums[split.test] += _losses(actual[split.test], predictions, is_class)
            counts[split.test] += 1
    is_predicted = counts > 0
    if not is_predicted.any():
        raise InputError("Every row is in every sample.", hint="Use more samples.")
    out_of_sample = float(np.mean(sums[is_predicted] / counts[is_predicted]))
    chance = _no_information(actual, found, is_class)
    return combined_632_plus(training, out_of_sample, chance)


def combined_632_plus(training: float, out_of_sample: float, no_information: float) -> Bootstrap632:
    """The weighted mean of the two errors, by the overfitting rate (Efron and Tibshirani)."""
    bounded = min(out_of_sample, no_information)
    is_overfitting = bounded > training and no_information > training
    rate = (bounded - training) / (no_information - training) if is_overfitting else 0.0
    weight = 0.632 / (1 - 0.368 * rate)
    return Bootstrap632(
        (1 - weight) * training + weight * bounded, training, out_of_sample, no_information, rate, weight
    )


def _losses(truth: npt.NDArray[Any], predictions: npt.NDArray[Any], is_class: bool) -> npt.NDArray[np.float64]:
    if predictions.shape != truth.shape:
        raise InputError(f"The .632+ bootstrap requires one prediction per row, got shape {predictions.shape}.")
    if is_class:
        return np.asarray(truth != predictions, dtype=np.float64)
    return np.asarray((truth - predictions) ** 2, dtype=np.float64)


def _no_information(truth: npt.NDArray[Any], predictions: npt.NDArray[Any], is_class: bool) -> float:
    """The mean loss over all pairs of a truth and a prediction."""
    if is_class:
        return 1 - math.fsum(float(np.mean(truth == k)) * float(np.mean(predictions == k)) for k in np.unique(truth))
    return float(truth.var() + predictions.var() + (truth.mean() - predictions.mean()) ** 2)
