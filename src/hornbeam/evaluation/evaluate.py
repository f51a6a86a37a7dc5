"""How good is a prediction of rows whose truth is known?  One call, every figure.

    evaluate(truth, shares, classes=("well", "ill"), positive="ill", prevalence=0.02)      classes, by shares (n, K)
    evaluate(truth, answers, classes=("well", "ill"))                                      classes, by answers alone
    evaluate(truth, numbers)                                                               numbers

The answer that follows from shares is the largest (on a tie the lowest class), or the cheapest when costs are given,
or positive when its share reaches `threshold`. Without a positive class every class is set against the rest; nothing
is guessed. A figure that is undefined on these rows is None with a reason; when truth holds one class only a warning
says so.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from hornbeam.errors import HornbeamWarning, InputError, OptionError, Set, short_repr
from hornbeam.evaluation import calibration, costs, roc
from hornbeam.evaluation import confusion as tables
from hornbeam.evaluation.inputs import (
    Codes,
    Floats,
    checked_probabilities,
    classes_of,
    codes_of,
    one_dimensional,
    position_of,
    python_value,
    same_length,
    weights_of,
)
from hornbeam.evaluation.metrics import Metric
from hornbeam.evaluation.numbers import number_errors
from hornbeam.evaluation.scores import Scores


def evaluate(
    truth: Any,
    predicted: Any,
    classes: Sequence[Any] | None = None,
    *,
    positive: Any = None,
    prevalence: float | None = None,
    costs: Any = None,
    threshold: float | None = None,
    weights: Any = None,
    confidence: float = 0.95,
) -> Scores:
    """Judge a prediction: shares (n, K), answers, numbers, or an object that holds them, as `predict` gives.

    A prediction that knows its `classes` gives them, in its own order. Without classes, truth and prediction that are
    numbers, one of them floating point, are judged as numbers; whole numbers on both sides are classes.
    """
    if classes is None:
        classes = getattr(predicted, "classes", None) or None
    actual = one_dimensional("truth", truth)
    given = _unwrapped(predicted)
    same_length("truth", actual, "the prediction", given)
    if not len(actual):
        raise InputError("There are no rows to judge.")
    found = weights_of(weights, len(actual))
    if not (found > 0).any():
        raise InputError("Every row has weight 0: there is nothing to judge.")
    kept = found > 0
    actual, given, found = actual[kept], given[kept], found[kept]
    if classes is None and _are_numbers(actual, given):
        _refuse_class_options(positive=positive, prevalence=prevalence, costs=costs, threshold=threshold)
        errors = number_errors(actual, given, found, confidence)
        return Scores("number", len(actual), float(found.sum()), errors, confidence)
    return _of_classes(actual, given, classes, found, _Asked(positive, prevalence, costs, threshold, confidence))


@dataclasses.dataclass(frozen=True, eq=False)
class _Asked:
    """What the caller wants to know beyond the table."""

    positive: Any
    prevalence: float | None
    costs: Any
    threshold: float | None
    confidence: float

    def __post_init__(self) -> None:
        if self.positive is None and (self.prevalence is not None or self.threshold is not None):
            name = "prevalence" if self.prevalence is not None else "threshold"
            raise OptionError(f"{name} needs a positive class.", fix=Set("positive"), option="positive")
        if self.threshold is not None and self.costs is not None:
            raise OptionError("Give a threshold or costs, not both: costs set the threshold.", option="threshold")


def _unwrapped(predicted: Any) -> Any:
    # a `Prediction` of numbers has shares in name only: asking for them is an error
    for name in ("probabilities", "answers") if getattr(predicted, "is_class", True) else ("numbers",):
        inner = getattr(predicted, name, None)
        if inner is not None and not callable(inner):
            return np.asarray(inner)
    array = np.asarray(predicted)
    if array.ndim not in (1, 2):
        raise InputError(f"A prediction must be answers (n,) or shares (n, K); got shape {array.shape}.")
    return array


def _are_numbers(actual: Any, given: Any) -> bool:
    kinds = actual.dtype.kind + given.dtype.kind
    return given.ndim == 1 and "f" in kinds and all(kind in "fiu" for kind in kinds)


def _refuse_class_options(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise OptionError(
                f"{name} suits classes, and these are numbers; got {short_repr(value)}.",
                fix=Set("classes"),
                hint="or pass true values that are not floating point.",
                option=name,
            )


def _of_classes(actual: Any, given: Any, classes: Sequence[Any] | None, weights: Floats, asked: _Asked) -> Scores:
    names = _names(actual, given, classes)
    codes = codes_of("truth", actual, names)
    place = None if asked.positive is None else position_of(asked.positive, names)
    probabilities = checked_probabilities(given, len(names)) if given.ndim == 2 else None
    if probabilities is None and asked.threshold is not None:
        raise OptionError("A threshold needs shares, and the prediction holds answers.", option="threshold")
    answers = codes_of("answers", given, names) if probabilities is None else _answers(probabilities, place, asked)
    labels = np.arange(len(names))
    coded = tables.confusion(codes, answers, tuple(labels.tolist()), weights)
    table = tables.Confusion(coded.weights, coded.squares, names)
    _warn_of_one_class(codes, names)
    measures = _table_measures(table, place, asked)
    per_class = {} if place is not None else tables.class_rates(table, asked.confidence)
    curves: dict[str, Any] = {}
    if probabilities is not None:
        measures |= _share_measures(codes, probabilities, place, weights, asked.confidence)
        if place is None:
            _add_areas(measures, per_class, codes, probabilities, weights, table, asked.confidence)
        else:
            curves = _curves(codes == place, probabilities[:, place], weights, asked.confidence)
    return Scores(
        "class",
        len(codes),
        float(weights.sum()),
        measures,
        asked.confidence,
        names,
        None if place is None else names[place],
        asked.prevalence,
        table,
        per_class,
        **curves,
    )


def _names(actual: Any, given: Any, classes: Sequence[Any] | None) -> tuple[Any, ...]:
    if classes is not None:
        names = tuple(python_value(label) for label in classes)
        if len(names) < 2:
            raise InputError(f"There must be at least two classes; got {short_repr(list(names))}.")
        return names
    if given.ndim == 1:
        names = classes_of(actual, given)
        if len(names) < 2:
            raise InputError(f"Truth and answers hold one class only, {short_repr(names[0])}.", fix=Set("classes"))
        return names
    names = classes_of(actual)
    if len(names) != given.shape[1]:
        raise InputError(
            f"truth holds {len(names)} classes and the shares have {given.shape[1]} columns.",
            fix=Set("classes", purpose="in the order of the columns"),
        )
    return names


def _answers(probabilities: Floats, place: int | None, asked: _Asked) -> Codes:
    if asked.costs is not None:
        return costs.cheapest_answers(probabilities, asked.costs)
    if asked.threshold is None or place is None:
        return np.asarray(probabilities.argmax(axis=1), dtype=np.int64)
    if not 0 <= asked.threshold <= 1:
        raise OptionError(f"threshold must lie between 0 and 1; got {short_repr(asked.threshold)}.", option="threshold")
    rest = probabilities.copy()
    rest[:, place] = -1.0
    return np.asarray(np.where(probabilities[:, place] >= asked.threshold, place, rest.argmax(axis=1)), dtype=np.int64)


def _warn_of_one_class(codes: Codes, names: tuple[Any, ...]) -> None:
    if (codes == codes[0]).all():
        warnings.warn(
            f"Every row is {short_repr(names[codes[0]])}: what compares classes (AUC and others) is undefined.",
            HornbeamWarning,
            stacklevel=4,
        )


def _table_measures(table: tables.Confusion, place: int | None, asked: _Asked) -> dict[str, Metric]:
    wide = asked.confidence
    found: dict[str, Metric] = {}
    if place is not None:
        found |= tables.binary_rates(table, table.classes[place], prevalence=asked.prevalence, confidence=wide)
    else:
        found["accuracy"] = tables.accuracy(table, wide)
        found["kappa"], found["mcc"] = tables.kappa(table, wide), tables.mcc(table, wide)
        for how in ("macro", "weighted"):
            found |= {measure.name: measure for measure in tables.averages(table, how, wide).values()}
    if asked.costs is not None:
        found["average_cost"] = costs.expected_cost(table, asked.costs, wide)
    return found


def _share_measures(
    codes: Codes, probabilities: Floats, place: int | None, weights: Floats, confidence: float
) -> dict[str, Metric]:
    found = [calibration.log_loss(codes, probabilities, weights, confidence)]
    if place is None:
        found.append(calibration.brier_of_classes(codes, probabilities, weights, confidence))
        found.append(calibration.ece_of_classes(codes, probabilities, 10, weights))
        return {measure.name: measure for measure in found}
    truth, share = codes == place, np.minimum(probabilities[:, place], 1.0)
    found = [
        roc.auc(truth, share, weights, confidence).measure(),
        roc.average_precision(truth, share, weights),
        calibration.brier(truth, share, weights, confidence),
        *found,
        calibration.ece(truth, share, 10, weights),
        *calibration.calibration_line(truth, share, weights, confidence).values(),
    ]
    return {measure.name: measure for measure in found}


def _add_areas(
    measures: dict[str, Metric],
    per_class: dict[Any, dict[str, Metric]],
    codes: Codes,
    probabilities: Floats,
    weights: Floats,
    table: tables.Confusion,
    confidence: float,
) -> None:
    """The area of each class against the rest, their averages, and Hand and Till's."""
    areas = [
        roc.auc(codes == code, probabilities[:, code], weights, confidence).measure()
        for code in range(len(table.classes))
    ]
    for label, area in zip(table.classes, areas):
        per_class[label]["auc"] = area
    for how, share in (("macro", np.ones(len(areas))), ("weighted", table.weights.sum(axis=1))):
        mean = tables.average(f"auc_{how}", areas, share, table.classes)
        measures[mean.name] = Metric(mean.name, mean.value, reason=mean.reason)
    if (weights == weights[0]).all():
        measures["auc_hand_till"] = roc.hand_till_auc(codes, probabilities)


def _curves(truth: Any, share: Floats, weights: Floats, confidence: float) -> dict[str, Any]:
    bounded = np.minimum(share, 1.0)
    return {
        "roc": roc.roc_curve(truth, bounded, weights),
        "precision_recall": roc.precision_recall(truth, bounded, weights),
        "reliability": calibration.reliability_curve(truth, bounded, 10, weights, confidence),
    }
