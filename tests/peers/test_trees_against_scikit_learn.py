"""The same tree as scikit-learn's, node by node, on continuous random numbers without ties (seeds are the ids)."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hornbeam.estimators.trees import TreeClassifier, TreeRegressor

CLASSES = [
    {},
    {"criterion": "entropy"},
    {"criterion": "log_loss"},
    {"max_depth": 3},
    {"min_samples_split": 20},
    {"min_samples_split": 0.2},
    {"min_samples_leaf": 7},
    {"min_samples_leaf": 0.07},
    {"min_weight_fraction_leaf": 0.1},
    {"max_leaf_nodes": 9},
    {"criterion": "entropy", "max_leaf_nodes": 6},
    {"min_impurity_decrease": 0.01},
    {"class_weight": "balanced"},
    {"class_weight": {0: 3.0, 1: 0.5, 2: 1.0}},
    {"class_weight": "balanced", "min_weight_fraction_leaf": 0.1},
    {"ccp_alpha": 0.0},
    {"ccp_alpha": 0.012},
    {"max_depth": 5, "min_samples_leaf": 4, "min_impurity_decrease": 0.002},
]
NUMBERS = [
    {},
    {"max_depth": 4},
    {"min_samples_split": 15},
    {"min_samples_leaf": 6},
    {"min_weight_fraction_leaf": 0.05},
    {"max_leaf_nodes": 12},
    {"min_impurity_decrease": 0.02},
    {"ccp_alpha": 0.03},
]


def rows_of(seed, n=200, d=5):
    rng = np.random.default_rng(seed)
    # 24 bits: exact as float32 too, which scikit-learn's trees work in.
    X = rng.integers(1, 2**24, (n, d)).astype(np.float64) / 2**24
    assert all(len(np.unique(column)) == n for column in X.T)
    return X, rng


def class_target(X, rng):
    return ((X[:, 0] * 3 + X[:, 1] + rng.normal(0, 0.35, len(X))) % 3).astype(int)


def number_target(X, rng):
    return np.sin(4 * X[:, 0]) + X[:, 1] * X[:, 2] + rng.normal(0, 0.3, len(X))


def decrease(tree, node):
    """The decrease in impurity inside a node, from scikit-learn's arrays."""
    weight, impurity = tree.weighted_n_node_samples, tree.impurity
    below = [tree.children_left[node], tree.children_right[node]]
    return impurity[node] - sum(weight[child] * impurity[child] for child in below) / weight[node]


def ties_between(ours, theirs):
    """Walk both trees together, and count the nodes where another question is exactly as good.

    Ours numbers the children of a node next to each other, scikit-learn's in preorder. In small nodes several columns
    divide the rows alike; scikit-learn takes one at random, ours the first (definition 0.3). Below a tie the trees
    differ.
    """
    ties, pairs = 0, [(0, 0)]
    left, right, feature, threshold = ours.children_left, ours.children_right, ours.feature, ours.threshold
    value = ours.value
    while pairs:
        a, b = pairs.pop()
        assert ours.n_node_samples[a] == theirs.n_node_samples[b]
        assert ours.weighted_n_node_samples[a] == pytest.approx(theirs.weighted_n_node_samples[b])
        assert ours.impurity[a] == pytest.approx(theirs.impurity[b], abs=1e-9)
        assert value[a] == pytest.approx(theirs.value[b], abs=1e-9)
        if left[a] == -1 and theirs.children_left[b] != -1:
            # A node that is pure but for rounding in sums of weights: scikit-learn splits it again, without need.
            assert ours.impurity[a] == 0
            ties += 1
            continue
        assert (left[a] == -1) == (theirs.children_left[b] == -1)
        if left[a] == -1:
            assert (right[a], feature[a], threshold[a]) == (-1, -2, -2)
        elif feature[a] == theirs.feature[b] and abs(threshold[a] - theirs.threshold[b]) < 1e-6:
            pairs.append((int(left[a]), int(theirs.children_left[b])))
            pairs.append((int(right[a]), int(theirs.children_right[b])))
        else:
            assert decrease(ours, a) == pytest.approx(decrease(theirs, b), abs=1e-9)
            ties += 1
    return ties


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("settings", CLASSES, ids=str)
def test_a_classifier_grows_scikit_learns_tree(settings, weighted, seed):
    X, rng = rows_of(seed)
    y = class_target(X, rng)
    # scikit-learn balances classes by rows of weight 0 too; here such rows are not there.
    least = 1 if settings.get("class_weight") == "balanced" else 0
    weight = rng.integers(least, 4, len(y)).astype(float) if weighted else None
    ours = TreeClassifier(**settings).fit(X, y, weight)
    theirs = DecisionTreeClassifier(**settings, random_state=0).fit(X, y, weight)
    if ties_between(ours.tree_, theirs.tree_):
        assert not {"max_depth", "min_weight_fraction_leaf"} & set(settings), "large nodes have no ties"
        return
    new = rng.random((50, X.shape[1]))
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-12)
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)
    assert (ours.get_depth(), ours.get_n_leaves()) == (theirs.get_depth(), theirs.get_n_leaves())
    assert ours.decision_path(new).sum() == theirs.decision_path(new).sum()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("settings", NUMBERS, ids=str)
def test_a_regressor_grows_scikit_learns_tree(settings, weighted, seed):
    X, rng = rows_of(seed)
    y = number_target(X, rng)
    weight = rng.integers(0, 4, len(y)).astype(float) if weighted else None
    ours = TreeRegressor(**settings).fit(X, y, weight)
    theirs = DecisionTreeRegressor(**settings, random_state=0).fit(X, y, weight)
    if ties_between(ours.tree_, theirs.tree_):
        return
    new = rng.random((50, X.shape[1]))
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-9)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


@pytest.mark.parametrize("criterion", ["absolute_error", "poisson"])
def test_other_criteria_for_numbers_grow_scikit_learns_first_questions(criterion):
    X, rng = rows_of(3, n=81)
    y = np.exp(number_target(X, rng))
    ours = TreeRegressor(criterion=criterion, max_depth=2).fit(X, y)
    theirs = DecisionTreeRegressor(criterion=criterion, max_depth=2).fit(X, y)
    new = rng.random((50, X.shape[1]))
    if criterion == "poisson":
        np.testing.assert_allclose(ours.predict(new), theirs.predict(new), rtol=1e-9)
    assert ours.tree_.feature[0] == theirs.tree_.feature[0]
    assert ours.tree_.threshold[0] == pytest.approx(theirs.tree_.threshold[0], abs=1e-6)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_pruning_path_is_scikit_learns(seed):
    X, rng = rows_of(seed)
    y = class_target(X, rng)
    settings = {"max_depth": 5, "min_samples_leaf": 5}  # no ties
    ours = TreeClassifier(**settings).cost_complexity_pruning_path(X, y)
    theirs = DecisionTreeClassifier(random_state=0, **settings).cost_complexity_pruning_path(X, y)
    assert ours.ccp_alphas[-1] == pytest.approx(theirs.ccp_alphas[-1])
    assert ours.impurities[-1] == pytest.approx(theirs.impurities[-1])
    # Nodes that go at the same alpha may be listed one by one or together.
    np.testing.assert_allclose(np.unique(ours.ccp_alphas.round(9)), np.unique(theirs.ccp_alphas.round(9)), atol=2e-9)


def test_drawn_columns_give_every_column_a_chance_and_depend_on_the_seed_alone():
    X, rng = rows_of(4, d=6)
    y = class_target(X, rng)
    roots = {int(TreeClassifier(max_features=1, random_state=s).fit(X, y).tree_.feature[0]) for s in range(40)}
    assert roots == set(range(6))
    again = [TreeClassifier(max_features="sqrt", random_state=7).fit(X, y).tree_.threshold for _ in range(2)]
    np.testing.assert_array_equal(*again)
