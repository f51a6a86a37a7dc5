"""How good is a way of learning on rows it has not seen?

    for each split:   model = fit(table of the teaching rows)        everything that looks at the target happens in here
                      answer = predict(model, table of the judging rows)
                      values = score(table of the judging rows, answer)

`fit` gets the teaching rows alone, so encoding, imputation, choosing a pruning level and all else learned from the
target is learned anew in every fold. Reported are the values per fold, their mean with its standard error sd/sqrt(V)
(optimistic, since folds share teaching rows), and the value of all judged rows pooled. Measures that rank rows (AUC,
average precision) are never pooled: scores of different models do not share a scale.

    .632+   w = 0.632/(1 - 0.368 R),  R = (e1 - e0)/(γ - e0);  error = (1 - w) e0 + w e1
            e0 on the teaching rows, e1 on rows left out of the sample (at most γ), γ over all pairs of truth and answer
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.evaluation.folds import Rows, TrainTestSplit
from hornbeam.evaluation.metrics import Metric, undefined_metric

RANKING = ("auc", "auc_macro", "auc_weighted", "auc_hand_till", "average_precision")


class Sliceable(Protocol):
    """A table, as far as resampling cares."""

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
    """One measure over the folds: each value, mean and standard error over those defined, and the pooled value."""

    name: str
    values: tuple[float | None, ...]
    mean: Metric
    standard_error: float | None
    pooled: Metric


@dataclasses.dataclass(frozen=True, eq=False)
class CrossValidation:
    """What resampling found: measures by name, and the answers with the rows they belong to, fold by fold."""

    measures: dict[str, OverFolds]
    rows: tuple[Rows, ...]
    answers: tuple[npt.NDArray[Any], ...]
    sizes: tuple[tuple[int, int], ...]
    chosen: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> OverFolds:
        return self.measures[name]

    def __str__(self) -> str:
        lines = [f"{len(self.rows)} folds", f"{'measure':<26}{'mean':>10}{'s.e.':>10}{'pooled':>12}"]
        for each in self.measures.values():
            error = "" if each.standard_error is None else f"{each.standard_error:.3f}"
            pooled = each.pooled.value_text if each.pooled.value is not None else "-"
            lines.append(f"{each.mean.text:<26}{each.mean.value_text:>10}{error:>10}{pooled:>12}")
        return "\n".join(lines)


def cross_validate_with(
    table: Sliceable, fit: Fit, splits: Sequence[TrainTestSplit], predict: Predict, score: Score
) -> CrossValidation:
    """Fit, predict and score in every split."""
    _check_splits(splits, len(table))
    answers = [_answers(table, fit, predict, split, fold) for fold, split in enumerate(splits)]
    return _summed(table, splits, answers, score, ())


def nested(
    table: Sliceable,
    candidates: Mapping[str, Fit],
    outer: Sequence[TrainTestSplit],
    inner: Callable[[Any], Sequence[TrainTestSplit]],
    predict: Predict,
    score: Score,
    *,
    by: str,
    largest: bool = True,
) -> CrossValidation:
    """Cross-validation that also chooses: in each outer fold the candidate best in inner folds of the teaching rows.

    `inner(table)` makes the inner splits; `by` names the measure to choose by. On a tie the first candidate wins.
    """
    if not candidates:
        raise OptionError("nested needs at least one candidate.", option="candidates")
    _check_splits(outer, len(table))
    answers, chosen = [], []
    for fold, split in enumerate(outer):
        teaching = table.take(split.train)
        folds = inner(teaching)
        means = {
            name: _mean_of(cross_validate_with(teaching, fit, folds, predict, score), by)
            for name, fit in candidates.items()
        }
        known = {name: value for name, value in means.items() if value is not None}
        if not known:
            raise InputError(f"{by} is undefined in every inner fold of outer fold {fold}; choose by another.")
        best = max(known, key=lambda name: known[name] if largest else -known[name])
        chosen.append(best)
        answers.append(_answers(table, candidates[best], predict, split, fold))
    return _summed(table, outer, answers, score, tuple(chosen))


def _mean_of(found: CrossValidation, by: str) -> float | None:
    if by not in found.measures:
        raise OptionError(
            f"score gives no {short_repr(by)}; it gives {', '.join(found.measures)}.", option="by", got=by
        )
    return found[by].mean.value


def _answers(table: Sliceable, fit: Fit, predict: Predict, split: TrainTestSplit, fold: int) -> npt.NDArray[Any]:
    try:
        given = np.asarray(predict(fit(table.take(split.train)), table.take(split.test)))
    except Exception as error:
        error.add_note(f"This happened in fold {fold} ({len(split.train)} rows teach, {len(split.test)} judge).")
        raise
    if len(given) != len(split.test):
        raise InputError(f"predict gave {len(given)} answers for the {len(split.test)} rows of fold {fold}.")
    return given


def _check_splits(splits: Sequence[TrainTestSplit], n_rows: int) -> None:
    if not splits:
        raise OptionError("There are no splits to judge by.", option="splits")
    for fold, split in enumerate(splits):
        for rows in (split.train, split.test):
            if not len(rows) or rows.min() < 0 or rows.max() >= n_rows:
                raise InputError(
                    f"Fold {fold} must hold rows between 0 and {n_rows - 1}; got {short_repr(rows.tolist())}."
                )
        if np.isin(split.test, split.train).any():
            raise InputError(f"Fold {fold} judges rows that also teach.", fold=fold)


def _summed(
    table: Sliceable,
    splits: Sequence[TrainTestSplit],
    answers: list[npt.NDArray[Any]],
    score: Score,
    chosen: tuple[str, ...],
) -> CrossValidation:
    rows = tuple(split.test for split in splits)
    per_fold = [_measures(score(table.take(test), given)) for test, given in zip(rows, answers)]
    pooled = _measures(score(table.take(np.concatenate(rows)), np.concatenate(answers)))
    names = list(dict.fromkeys(name for each in (pooled, *per_fold) for name in each))
    absent = "the score gives no such value there"
    measures = {
        name: _over_folds(
            name,
            [each.get(name, undefined_metric(name, absent)) for each in per_fold],
            pooled.get(name, undefined_metric(name, absent)),
        )
        for name in names
    }
    sizes = tuple((len(split.train), len(split.test)) for split in splits)
    return CrossValidation(measures, rows, tuple(answers), sizes, chosen)


def _measures(found: Mapping[str, Any]) -> dict[str, Metric]:
    return {name: value if isinstance(value, Metric) else _measure(name, value) for name, value in found.items()}


def _measure(name: str, value: Any) -> Metric:
    if value is None or math.isnan(float(value)):
        return undefined_metric(name, "undefined")
    return Metric(name, float(value))


def _over_folds(name: str, folds: list[Metric], pooled: Metric) -> OverFolds:
    known = np.array([float(each) for each in folds if each.value is not None and math.isfinite(each.value)])
    is_share = pooled.is_share or any(each.is_share for each in folds)
    if name in RANKING:
        pooled = undefined_metric(
            name, "scores of different folds do not share a scale: take the mean", is_share=is_share
        )
    values = tuple(each.value for each in folds)
    if not len(known):
        return OverFolds(name, values, undefined_metric(name, f"in every fold: {folds[0].reason}"), None, pooled)
    left_out = len(folds) - len(known)
    reason = f"undefined or infinite in {left_out} of {len(folds)} folds, which are left out" if left_out else ""
    error = float(known.std(ddof=1) / math.sqrt(len(known))) if len(known) > 1 else None
    return OverFolds(name, values, Metric(name, float(known.mean()), reason=reason, is_share=is_share), error, pooled)


@dataclasses.dataclass(frozen=True)
class Bootstrap632:
    """The .632+ estimate and what it is made of."""

    error: float
    teaching: float
    left_out: float
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
    given = np.asarray(predict(fit(table), table))
    teaching = float(np.mean(_losses(actual, given, is_class)))
    sums, counts = np.zeros(len(actual)), np.zeros(len(actual))
    for fold, split in enumerate(samples):
        if len(split.test):
            answers = _answers(table, fit, predict, split, fold)
            sums[split.test] += _losses(actual[split.test], answers, is_class)
            counts[split.test] += 1
    judged = counts > 0
    if not judged.any():
        raise InputError("No sample leaves a row out.", hint="Use more samples.")
    left_out = float(np.mean(sums[judged] / counts[judged]))
    chance = _no_information(actual, given, is_class)
    return combined_632_plus(teaching, left_out, chance)


def combined_632_plus(teaching: float, left_out: float, no_information: float) -> Bootstrap632:
    """Efron and Tibshirani's weighing of the two errors by how much the method overfits."""
    bounded = min(left_out, no_information)
    is_overfitting = bounded > teaching and no_information > teaching
    rate = (bounded - teaching) / (no_information - teaching) if is_overfitting else 0.0
    weight = 0.632 / (1 - 0.368 * rate)
    return Bootstrap632((1 - weight) * teaching + weight * bounded, teaching, left_out, no_information, rate, weight)


def _losses(truth: npt.NDArray[Any], answers: npt.NDArray[Any], is_class: bool) -> npt.NDArray[np.float64]:
    if answers.shape != truth.shape:
        raise InputError(f"The .632+ bootstrap needs one answer a row; predict gave shape {answers.shape}.")
    if is_class:
        return np.asarray(truth != answers, dtype=np.float64)
    return np.asarray((truth - answers) ** 2, dtype=np.float64)


def _no_information(truth: npt.NDArray[Any], answers: npt.NDArray[Any], is_class: bool) -> float:
    """The mean loss over all pairs of a truth and an answer."""
    if is_class:
        return 1 - math.fsum(float(np.mean(truth == k)) * float(np.mean(answers == k)) for k in np.unique(truth))
    return float(truth.var() + answers.var() + (truth.mean() - answers.mean()) ** 2)
