"""How good is it, and how sure are we?  Figures with intervals, curves, costs, resampling and comparison of models.

inputs, measures, intervals     arrays at the door; a figure with its interval or the reason why there is none
confusion, roc, calibration     what is taken for what; ranking; honesty of the shares
recalibration, leaf_shares      mending shares
costs, numbers                  what errors cost; errors of predicted numbers
folds, resample, compare        who teaches and who judges; cross-validation; one model against another
least_risk                      how small the error of any classifier can be
leaf_risks                      centroid, risk and divergence of every leaf for a loss
judging, scores                 everything in one call, and how it reads
"""

from hornbeam.evaluation.compare import (
    Comparison,
    compare_answers,
    compare_cross_validated,
    compare_folds,
    compare_scores,
)
from hornbeam.evaluation.folds import (
    Split,
    bootstraps,
    expanding,
    grouped_folds,
    plain_folds,
    repeated,
    splits_of,
    stratified_folds,
)
from hornbeam.evaluation.judging import evaluate
from hornbeam.evaluation.leaf_risks import LeafStatistics, leaf_statistics
from hornbeam.evaluation.least_risk import BayesRisk, bayes_risk
from hornbeam.evaluation.measures import Measure
from hornbeam.evaluation.resample import (
    Bootstrap632,
    CrossValidated,
    OverFolds,
    bootstrap_632_plus,
    cross_validated,
    nested,
)
from hornbeam.evaluation.scores import Scores

__all__ = [
    "BayesRisk",
    "Bootstrap632",
    "Comparison",
    "CrossValidated",
    "LeafStatistics",
    "Measure",
    "OverFolds",
    "Scores",
    "Split",
    "bayes_risk",
    "bootstrap_632_plus",
    "bootstraps",
    "compare_answers",
    "compare_cross_validated",
    "compare_folds",
    "compare_scores",
    "cross_validated",
    "evaluate",
    "expanding",
    "grouped_folds",
    "leaf_statistics",
    "nested",
    "plain_folds",
    "repeated",
    "splits_of",
    "stratified_folds",
]
