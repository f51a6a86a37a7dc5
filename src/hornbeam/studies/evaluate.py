"""`evaluate`: the metrics of a prediction, of a model on rows, or of a model's recipe in folds.

evaluate(tree, test)                               the tree on rows
evaluate(tree, table, folds=10, groups="patient")  trees grown again by the tree's recipe, in folds
evaluate(truth, probabilities, classes)            a prediction
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from hornbeam.errors import OptionError, Set
from hornbeam.evaluation import CrossValidation, Scores
from hornbeam.evaluation import evaluate as evaluate_prediction
from hornbeam.evaluation.model_rows import is_model
from hornbeam.scale.labeled_rows import RowProgress
from hornbeam.studies.cross_validate import cross_validate
from hornbeam.table.divide import divide
from hornbeam.table.table import Table
from hornbeam.tree.model_table import model_table
from hornbeam.tree.one_tree import unwrapped


@overload
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
) -> Scores: ...
@overload
def evaluate(
    truth: Any,
    prediction: Any,
    classes: None = None,
    *,
    folds: int,
    groups: Any = None,
    times: Any = None,
    repeats: int = 1,
    seed: int | None = 0,
    positive: Any = None,
    prevalence: float | None = None,
    costs: Any = None,
    threshold: float | None = None,
) -> CrossValidation: ...
def evaluate(
    truth: Any,
    prediction: Any,
    classes: Sequence[Any] | None = None,
    *,
    folds: int | None = None,
    groups: Any = None,
    times: Any = None,
    repeats: int = 1,
    seed: int | None = 0,
    positive: Any = None,
    prevalence: float | None = None,
    costs: Any = None,
    threshold: float | None = None,
    weights: Any = None,
    confidence: float = 0.95,
    progress: RowProgress | None = None,
) -> Scores | CrossValidation:
    """Compute the metrics of a model on rows, or of a prediction.

    `evaluate(model, rows)`: a tree, a forest, a boosted model, a rule set or a fitted estimator, and a table, a data
    frame or anything else that `read` accepts. Columns are matched by name; the target and the weights are those of
    the rows, and rows without a target are excluded. The rows may also be a pattern ("data/*.parquet"), a list of
    files, an Arrow stream or an iterator of data frames, of any size: they are read in batches, `weights` names a
    column then, and `progress(done, all)` is called after each batch.

    `evaluate(model, rows, folds=10)`: the model is grown again by its own recipe in each fold of the rows, as by
    `cross_validate(rows, model)`, which describes `groups`, `times`, `repeats` and `seed`.

    `evaluate(truth, prediction, classes)`: the target, and class probabilities (n, K), predicted classes,
    predicted numbers or the result of `predict`. The classes default to those of the prediction. Without classes,
    numeric arrays of which at least one is floating point are evaluated as regression; integers are classes.

    `costs` are costs[truth][prediction]: a matrix in the order of the classes, a data frame, or a table by class name
    (`{"ill": {"well": 10}}`; other errors cost 1). The predictions then minimize the expected cost.
    """
    options = {"positive": positive, "prevalence": prevalence, "costs": costs, "threshold": threshold}
    if folds is None:
        if groups is not None or times is not None or repeats != 1:
            name = "groups" if groups is not None else "times" if times is not None else "repeats"
            raise OptionError(f"{name} requires folds, in which the model is grown again.", fix=Set("folds", 10))
        settings = {"weights": weights, "confidence": confidence, "progress": progress}
        return evaluate_prediction(truth, prediction, classes, **settings, **options)
    if not is_model(truth):
        raise OptionError("folds requires a model and rows: evaluate(model, rows, folds=10).", option="folds")
    is_given = {"classes": classes is not None, "weights": weights is not None, "confidence": confidence != 0.95}
    for name in (name for name, given in is_given.items() if given):
        raise OptionError(f"{name} cannot be combined with folds.", option=name)
    model = unwrapped(truth)
    is_table = isinstance(prediction, Table)
    given = divide(prediction, groups=groups, times=times) if is_table else prediction
    rows = model_table(model.schema, given, needs_target=True)
    rows = rows if is_table else divide(rows, groups=groups, times=times)
    assert rows.target is not None
    if rows.target.has_missing:
        rows = rows.take(~rows.target.is_missing)
    return cross_validate(rows, model, folds, repeats=repeats, seed=seed, **options)
