"""The estimators split nodes that no split improves, as scikit-learn does."""

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier as TheirExtraTrees
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hornbeam.estimators.forests import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    ForestClassifier,
    ForestRegressor,
)
from hornbeam.estimators.trees import TreeClassifier, TreeRegressor

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
PARITY = np.array([0, 1, 1, 0])


def parity_of_three():
    x = np.array([[i >> j & 1 for j in range(3)] for i in range(8)], dtype=float)
    return x, x.sum(axis=1).astype(int) % 2


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(("x", "y"), [(XOR, PARITY), parity_of_three()])
def test_a_tree_solves_parity(x, y, criterion):
    ours = TreeClassifier(criterion=criterion).fit(x, y)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(x, y)
    assert (ours.score(x, y), ours.get_n_leaves()) == (1.0, theirs.get_n_leaves())


def test_a_regression_tree_solves_parity():
    x, y = parity_of_three()
    assert TreeRegressor().fit(x, y.astype(float)).score(x, y) == 1.0


@pytest.mark.parametrize("estimator", [ExtraTreesClassifier, ExtraTreesRegressor])
def test_extra_trees_solve_xor(estimator):
    assert estimator(n_estimators=20, random_state=0).fit(XOR, PARITY.astype(float)).score(XOR, PARITY) == 1.0


@pytest.mark.parametrize("estimator", [ForestClassifier, ForestRegressor])
def test_forests_of_all_rows_solve_xor(estimator):
    forest = estimator(n_estimators=20, bootstrap=False, max_features=1, random_state=0)
    assert forest.fit(XOR, PARITY.astype(float)).score(XOR, PARITY) == 1.0


def test_a_minimum_decrease_prevents_splits_of_gain_0():
    assert TreeClassifier(min_impurity_decrease=1e-6).fit(XOR, PARITY).get_n_leaves() == 1


def small_table(rng, n_classes):
    n, d = int(rng.integers(4, 40)), int(rng.integers(1, 4))
    x = rng.integers(0, 3, (n, d)).astype(float)
    return x, rng.integers(0, n_classes, n)


def best_score(x, y):
    """The maximum accuracy of any function of x."""
    groups = np.unique(x, axis=0, return_inverse=True)[1].ravel()
    return sum(np.bincount(y[groups == g]).max() for g in np.unique(groups)) / len(y)


@pytest.mark.parametrize("seed", range(40))
def test_a_tree_separates_all_distinct_rows_as_scikit_learn_does(seed):
    rng = np.random.default_rng(seed)
    x, y = small_table(rng, int(rng.integers(2, 4)))
    ours = TreeClassifier().fit(x, y)
    theirs = DecisionTreeClassifier(random_state=0).fit(x, y)
    assert ours.score(x, y) == theirs.score(x, y) == pytest.approx(best_score(x, y))


@pytest.mark.parametrize("seed", range(20))
def test_a_regression_tree_has_the_training_error_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    x, y = small_table(rng, 4)
    ours = TreeRegressor().fit(x, y.astype(float)).predict(x)
    assert np.allclose(ours, DecisionTreeRegressor(random_state=0).fit(x, y).predict(x))


@pytest.mark.parametrize(("ours", "theirs"), [(ExtraTreesClassifier, TheirExtraTrees), (ForestClassifier, TheirForest)])
def test_forests_of_all_rows_fit_training_rows_as_scikit_learn_does(ours, theirs):
    for seed in range(8):
        x, y = small_table(np.random.default_rng(seed), 3)
        settings = {"n_estimators": 5, "bootstrap": False, "random_state": 0}
        ours_score = ours(**settings).fit(x, y).score(x, y)
        assert ours_score == theirs(**settings).fit(x, y).score(x, y) == pytest.approx(best_score(x, y))
