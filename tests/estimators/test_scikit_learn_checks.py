"""Every check that scikit-learn has for estimators; none is expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from hornbeam.estimators.rules import RuleClassifier
from hornbeam.estimators.trees import TreeClassifier, TreeRegressor


@parametrize_with_checks([TreeClassifier(), TreeRegressor(), RuleClassifier()])
def test_scikit_learn_accepts_the_estimators(estimator, check):
    check(estimator)
