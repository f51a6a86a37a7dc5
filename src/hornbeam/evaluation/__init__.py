"""Evaluation: metrics with intervals, curves, costs, resampling and comparison of models.

evaluate, model_rows, scores           all metrics in one call; the predictions of a model; the printed result
inputs, metrics, intervals             validation of arrays; a metric with its interval, or why it is undefined
confusion, roc, calibration, logistic  confusion matrix and rates; ranking; calibration of probabilities
recalibration                          recalibrated probabilities
costs, numbers                         costs of misclassification; errors of a regression
folds, resample, compare               splits into training and test rows; cross-validation; tests of two models
bayes_risk                             bounds of the error of any classifier
leaf_risks, leaf_groups                centroid, risk and divergence of every leaf for a loss
"""

from hornbeam.evaluation.bayes_risk import BayesRiskBounds, bayes_risk_bounds
from hornbeam.evaluation.compare import (
    Comparison,
    compare_auc,
    compare_cross_validated,
    compare_folds,
    compare_predictions,
)
from hornbeam.evaluation.evaluate import evaluate
from hornbeam.evaluation.folds import (
    bootstrap_splits,
    expanding_splits,
    grouped_folds,
    random_folds,
    repeat_splits,
    stratified_folds,
)
from hornbeam.evaluation.leaf_risks import LeafStatistics, leaf_statistics
from hornbeam.evaluation.metrics import Metric
from hornbeam.evaluation.resample import (
    Bootstrap632,
    CrossValidation,
    OverFolds,
    bootstrap_632_plus,
    cross_validate_with,
    nested,
)
from hornbeam.evaluation.scores import Scores
from hornbeam.table.division import TrainTestSplit, splits_of_folds

__all__ = [
    "BayesRiskBounds",
    "Bootstrap632",
    "Comparison",
    "CrossValidation",
    "LeafStatistics",
    "Metric",
    "OverFolds",
    "Scores",
    "TrainTestSplit",
    "bayes_risk_bounds",
    "bootstrap_632_plus",
    "bootstrap_splits",
    "compare_auc",
    "compare_cross_validated",
    "compare_folds",
    "compare_predictions",
    "cross_validate_with",
    "evaluate",
    "expanding_splits",
    "grouped_folds",
    "leaf_statistics",
    "nested",
    "random_folds",
    "repeat_splits",
    "splits_of_folds",
    "stratified_folds",
]
