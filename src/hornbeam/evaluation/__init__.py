"""How good is it, and how sure are we?  Figures with intervals, curves, costs, resampling and comparison of models.

inputs, metrics, intervals     arrays at the door; a figure with its interval or the reason why there is none
confusion, roc, calibration     what is taken for what; ranking; honesty of the shares
recalibration, leaf_shares      mending shares
costs, numbers                  what errors cost; errors of predicted numbers
folds, resample, compare        who teaches and who judges; cross-validation; one model against another
least_risk                      how small the error of any classifier can be
leaf_risks                      centroid, risk and divergence of every leaf for a loss
judging, scores                 everything in one call, and how it reads
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
    TrainTestSplit,
    bootstrap_splits,
    expanding_splits,
    grouped_folds,
    random_folds,
    repeat_splits,
    splits_of_folds,
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
