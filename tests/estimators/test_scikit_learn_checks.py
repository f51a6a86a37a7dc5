"""scikit-learn's estimator checks; the exceptions are those of scikit-learn's own forests."""

import os

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from hornbeam.estimators.adaboost import AdaBoostTreeClassifier, AdaBoostTreeRegressor
from hornbeam.estimators.bagged import BaggedClassifier, BaggedRegressor
from hornbeam.estimators.boosted import BoostedClassifier, BoostedRegressor
from hornbeam.estimators.forests import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    ForestClassifier,
    ForestRegressor,
)
from hornbeam.estimators.reductions import (
    ADAGClassifier,
    DDAGClassifier,
    NestedDichotomyClassifier,
    PairwiseClassifier,
)
from hornbeam.estimators.rules import RuleClassifier
from hornbeam.estimators.trees import TreeClassifier, TreeRegressor

MANY = [
    ForestClassifier(5),
    ForestRegressor(5),
    ExtraTreesClassifier(5),
    ExtraTreesRegressor(5),
    BaggedClassifier(n_estimators=5),
    BaggedRegressor(n_estimators=5),
    AdaBoostTreeClassifier(n_estimators=5),
    AdaBoostTreeRegressor(n_estimators=5),
    # min_rows counts rows and l2 is in units of the mean weight: without them a row of weight 2 equals two rows.
    BoostedClassifier(max_iter=8, min_samples_leaf=1, l2_regularization=0, joint_trees=False),
    BoostedRegressor(max_iter=8, min_samples_leaf=1, l2_regularization=0),
    NestedDichotomyClassifier(),
    DDAGClassifier(),
    ADAGClassifier(),
    PairwiseClassifier(),
]


def expected(estimator):
    """A row of weight 2 is sampled as one row, two rows of weight 1 as two: the samples differ."""
    why = "drawing rows does not know that a weight means repeated rows"
    draws = isinstance(estimator, (ForestClassifier, ForestRegressor, BaggedClassifier, BaggedRegressor))
    if not draws or isinstance(estimator, (ExtraTreesClassifier, ExtraTreesRegressor)):
        return {}
    return {f"check_sample_weight_equivalence_on_{kind}_data": why for kind in ("dense", "sparse")}


def applicable(checks):
    """The checks without that of array API input, which does nothing unless SCIPY_ARRAY_API is set."""
    names, cases = checks.args
    if not os.environ.get("SCIPY_ARRAY_API"):
        cases = [case for case in cases if "check_array_api_input" not in str(case)]
    return pytest.mark.parametrize(names, cases, **checks.kwargs)


ALL = [TreeClassifier(), TreeRegressor(), RuleClassifier(), *MANY]


@applicable(parametrize_with_checks(ALL, expected_failed_checks=expected))
def test_scikit_learn_accepts_the_estimators(estimator, check):
    check(estimator)
