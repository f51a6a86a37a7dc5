"""Evaluates predictions of rows whose target is known: all metrics in one call.

    evaluate(tree, table)                                                                     a model and its rows
    evaluate(truth, probabilities, classes=("well", "ill"), positive="ill", prevalence=0.02)  class probabilities (n, K)
    evaluate(truth, labels, classes=("well", "ill"))                                          predicted classes
    evaluate(truth, numbers)                                                                  regression

The predicted class is the one with the highest probability (the lowest class on a tie), or the cheapest when costs are
given, or the positive class when its probability reaches `threshold`. Without a positive class, each class is compared
with the rest. A metric that is undefined on these rows is None with a reason; if all rows have one class, a warning is
issued.
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
from hornbeam.evaluation.model_rows import inner_model, is_model, predict_with_truth
from hornbeam.evaluation.numbers import number_errors
from hornbeam.evaluation.scores import Scores
from hornbeam.parts.losses.machinery.costs import cost_table
from hornbeam.scale.labeled_rows import RowProgress, is_row_source, is_streamed


def evaluate(
    truth: Any,
    prediction: Any,
    classes: Sequence[Any] | None = None,
    *,
    positive: Any = None,
    prevalence: float | None = None,
    costs: Any = None,
    threshold: float | None = None,
    weights: Any = None,
    confidence: float = 0.95,
    progress: RowProgress | None = None,
) -> Scores:
    """Compute the metrics of a model on rows, or of a prediction.

    `evaluate(model, rows)`: a tree, a forest, a boosted model, a rule set or a fitted estimator, and a table, a data
    frame or anything else that `read` accepts. Columns are matched by name; the target and the weights are those of
    the rows, and rows without a target are excluded. The rows may also be a pattern ("data/*.parquet"), a list of
    files, an Arrow stream or an iterator of data frames, of any size: they are read in batches, `weights` names a
    column then, and `progress(done, all)` is called after each batch.

    `evaluate(truth, prediction, classes)`: the target, and class probabilities (n, K), predicted classes,
    predicted numbers or the result of `predict`. The classes default to those of the prediction. Without classes,
    numeric arrays of which at least one is floating point are evaluated as regression; integers are classes.

    `costs` are costs[truth][prediction]: a matrix in the order of the classes, a data frame, or a table by class name
    (`{"ill": {"well": 10}}`; other errors cost 1). The predictions then minimize the expected cost.
    """
    if is_model(truth):
        if classes is not None:
            raise OptionError("classes are those of the model; do not pass them with a model.", option="classes")
        if is_row_source(prediction) and (isinstance(weights, str) or is_streamed(prediction)):
            from hornbeam.evaluation.streamed import streamed_scores  # here: rows in memory need no files

            options = ClassOptions(positive, prevalence, costs, threshold, confidence)
            return streamed_scores(inner_model(truth), prediction, options, weights=weights, progress=progress)
        truth, prediction, table_weights = predict_with_truth(truth, prediction)
        weights = table_weights if weights is None else weights
    if classes is None:
        classes = getattr(prediction, "classes", None) or None
    actual = one_dimensional("truth", truth)
    given = _prediction_array(prediction)
    same_length("truth", actual, "the prediction", given)
    if not len(actual):
        raise InputError("There are no rows to evaluate.")
    found = weights_of(weights, len(actual))
    if not (found > 0).any():
        raise InputError("Every row has weight 0; there is nothing to evaluate.")
    kept = found > 0
    actual, given, found = actual[kept], given[kept], found[kept]
    if classes is None and _are_numbers(actual, given):
        _reject_class_options(positive=positive, prevalence=prevalence, costs=costs, threshold=threshold)
        errors = number_errors(actual, given, found, confidence)
        return Scores("number", len(actual), float(found.sum()), errors, confidence)
    options = ClassOptions(positive, prevalence, costs, threshold, confidence)
    return _class_scores(actual, given, classes, found, options)


@dataclasses.dataclass(frozen=True, eq=False)
class ClassOptions:
    """The options of a call that evaluates classes."""

    positive: Any = None
    prevalence: float | None = None
    costs: Any = None
    threshold: float | None = None
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if self.positive is None and (self.prevalence is not None or self.threshold is not None):
            name = "prevalence" if self.prevalence is not None else "threshold"
            raise OptionError(f"{name} requires a positive class.", fix=Set("positive"), option="positive")
        if self.threshold is not None and self.costs is not None:
            raise OptionError("Pass threshold or costs, not both: costs determine the threshold.", option="threshold")


def _prediction_array(prediction: Any) -> Any:
    # a `Prediction` of a regression raises an error when its probabilities are read
    for name in ("probabilities", "answers") if getattr(prediction, "is_class", True) else ("numbers",):
        inner = getattr(prediction, name, None)
        if inner is not None and not callable(inner):
            return np.asarray(inner)
    array = np.asarray(prediction)
    if array.ndim not in (1, 2):
        raise InputError(f"A prediction must be classes (n,) or probabilities (n, K), got shape {array.shape}.")
    return array


def _are_numbers(actual: Any, given: Any) -> bool:
    kinds = actual.dtype.kind + given.dtype.kind
    return given.ndim == 1 and "f" in kinds and all(kind in "fiu" for kind in kinds)


def _reject_class_options(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise OptionError(
                f"{name} requires a classification target, but the target is numeric; got {short_repr(value)}.",
                fix=Set("classes"),
                hint="or pass true values that are not floating point.",
                option=name,
            )


def _class_scores(
    actual: Any, given: Any, classes: Sequence[Any] | None, weights: Floats, options: ClassOptions
) -> Scores:
    names = _class_names(actual, given, classes)
    if options.costs is not None:
        options = dataclasses.replace(options, costs=cost_table(options.costs, names))
    codes = codes_of("truth", actual, names)
    positive = None if options.positive is None else position_of(options.positive, names)
    probabilities = checked_probabilities(given, len(names)) if given.ndim == 2 else None
    if probabilities is None:
        if options.threshold is not None:
            raise OptionError("threshold requires class probabilities, got predicted classes.", option="threshold")
        predicted = codes_of("prediction", given, names)
    else:
        predicted = predicted_codes(probabilities, positive, options)
    return scores_of_codes(EvaluatedRows(codes, predicted, probabilities, weights), names, positive, options)


@dataclasses.dataclass(frozen=True, eq=False)
class EvaluatedRows:
    """Classes of rows, or of groups of rows with one prediction: truth, prediction, probabilities, weights.

    Of groups, `squares` are the sums of the squared weights, `counts` the numbers of rows.
    """

    codes: Codes
    predicted: Codes
    probabilities: Floats | None
    weights: Floats
    squares: Floats | None = None
    counts: Floats | None = None
    has_weights: bool = False  # whether rows of groups have different weights

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.codes) if self.counts is None else int(self.counts.sum())

    def confusion(self, names: tuple[Any, ...]) -> tables.Confusion:
        """The confusion matrix."""
        cells, size = self.codes * len(names) + self.predicted, len(names)
        squares = self.weights**2 if self.squares is None else self.squares
        matrices = [np.bincount(cells, each, size * size).astype(np.float64) for each in (self.weights, squares)]
        return tables.Confusion(matrices[0].reshape(size, size), matrices[1].reshape(size, size), names)


def scores_of_codes(rows: EvaluatedRows, names: tuple[Any, ...], positive: int | None, options: ClassOptions) -> Scores:
    """The metrics of rows whose classes are known."""
    table = rows.confusion(names)
    _warn_of_one_class(rows.codes, names)
    metrics = _table_metrics(table, positive, options)
    per_class = {} if positive is not None else tables.class_rates(table, options.confidence)
    curves: dict[str, Any] = {}
    if rows.probabilities is not None:
        metrics |= _probability_metrics(rows, rows.probabilities, positive, options.confidence)
        if positive is None:
            _add_areas(metrics, per_class, rows, rows.probabilities, table, options.confidence)
        else:
            curves = _curves(rows, rows.probabilities[:, positive], positive, options.confidence)
    return Scores(
        "class",
        rows.n_rows,
        float(rows.weights.sum()),
        metrics,
        options.confidence,
        names,
        None if positive is None else names[positive],
        options.prevalence,
        table,
        per_class,
        **curves,
    )


def _class_names(actual: Any, given: Any, classes: Sequence[Any] | None) -> tuple[Any, ...]:
    if classes is not None:
        names = tuple(python_value(label) for label in classes)
        if len(names) < 2:
            raise InputError(f"There must be at least two classes, got {short_repr(list(names))}.")
        return names
    if given.ndim == 1:
        names = classes_of(actual, given)
        if len(names) < 2:
            raise InputError(
                f"Truth and prediction contain one class only, {short_repr(names[0])}.", fix=Set("classes")
            )
        return names
    names = classes_of(actual)
    if len(names) != given.shape[1]:
        raise InputError(
            f"truth contains {len(names)} classes, but the probabilities have {given.shape[1]} columns.",
            fix=Set("classes", purpose="in the order of the columns"),
        )
    return names


def predicted_codes(probabilities: Floats, positive: int | None, options: ClassOptions) -> Codes:
    """The class that is predicted by probabilities, under the costs or the threshold of the options."""
    if options.costs is not None:
        return costs.cheapest_predictions(probabilities, options.costs)
    if options.threshold is None or positive is None:
        return np.asarray(probabilities.argmax(axis=1), dtype=np.int64)
    if not 0 <= options.threshold <= 1:
        raise OptionError(
            f"threshold must be between 0 and 1, got {short_repr(options.threshold)}.", option="threshold"
        )
    rest = probabilities.copy()
    rest[:, positive] = -1.0
    is_positive = probabilities[:, positive] >= options.threshold
    return np.asarray(np.where(is_positive, positive, rest.argmax(axis=1)), dtype=np.int64)


def _warn_of_one_class(codes: Codes, names: tuple[Any, ...]) -> None:
    if (codes == codes[0]).all():
        warnings.warn(
            f"Every row is {short_repr(names[codes[0]])}: metrics that compare classes (such as AUC) are undefined.",
            HornbeamWarning,
            stacklevel=4,
        )


def _table_metrics(table: tables.Confusion, positive: int | None, options: ClassOptions) -> dict[str, Metric]:
    confidence = options.confidence
    found: dict[str, Metric] = {}
    if positive is not None:
        label = table.classes[positive]
        found |= tables.binary_rates(table, label, prevalence=options.prevalence, confidence=confidence)
    else:
        found["accuracy"] = tables.accuracy(table, confidence)
        found["kappa"], found["mcc"] = tables.kappa(table, confidence), tables.mcc(table, confidence)
        for average in ("macro", "weighted"):
            found |= {metric.name: metric for metric in tables.averages(table, average, confidence).values()}
    if options.costs is not None:
        found["average_cost"] = costs.expected_cost(table, options.costs, confidence)
    return found


def _probability_metrics(
    rows: EvaluatedRows, probabilities: Floats, positive: int | None, confidence: float
) -> dict[str, Metric]:
    codes, weights, squares = rows.codes, rows.weights, rows.squares
    found = [calibration.log_loss(codes, probabilities, weights, confidence, squares)]
    if positive is None:
        found.append(calibration.brier_of_classes(codes, probabilities, weights, confidence, squares))
        found.append(calibration.ece_of_classes(codes, probabilities, 10, weights))
        return {metric.name: metric for metric in found}
    truth, probability = codes == positive, np.minimum(probabilities[:, positive], 1.0)
    found = [
        roc.auc(truth, probability, weights, confidence, squares).metric(),
        roc.average_precision(truth, probability, weights),
        calibration.brier(truth, probability, weights, confidence, squares),
        *found,
        calibration.ece(truth, probability, 10, weights),
        *calibration.calibration_line(truth, probability, weights, confidence).values(),
    ]
    return {metric.name: metric for metric in found}


def _add_areas(
    metrics: dict[str, Metric],
    per_class: dict[Any, dict[str, Metric]],
    rows: EvaluatedRows,
    probabilities: Floats,
    table: tables.Confusion,
    confidence: float,
) -> None:
    """Add the AUC of each class against the rest, their averages, and the AUC of Hand and Till."""
    areas = [
        roc.auc(rows.codes == code, probabilities[:, code], rows.weights, confidence, rows.squares).metric()
        for code in range(len(table.classes))
    ]
    for label, area in zip(table.classes, areas):
        per_class[label]["auc"] = area
    for average, class_weights in (("macro", np.ones(len(areas))), ("weighted", table.weights.sum(axis=1))):
        mean = tables.average(f"auc_{average}", areas, class_weights, table.classes)
        metrics[mean.name] = Metric(mean.name, mean.value, reason=mean.reason)
    has_weights = (rows.weights != rows.weights[0]).any() if rows.counts is None else rows.has_weights
    if not has_weights:
        metrics["auc_hand_till"] = roc.hand_till_auc(rows.codes, probabilities, rows.counts)


def _curves(rows: EvaluatedRows, probability: Floats, positive: int, confidence: float) -> dict[str, Any]:
    bounded, truth, weights = np.minimum(probability, 1.0), rows.codes == positive, rows.weights
    return {
        "roc": roc.roc_curve(truth, bounded, weights),
        "precision_recall": roc.precision_recall(truth, bounded, weights),
        "reliability": calibration.reliability_curve(truth, bounded, 10, weights, confidence, rows.squares),
    }
