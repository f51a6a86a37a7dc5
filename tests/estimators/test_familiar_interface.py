"""What scikit-learn's users know: members, samples, validation rows, categories, staged predictions, AdaBoost."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score

import hornbeam as hb
from hornbeam.ensembles.methods.adaboost import r2_round
from hornbeam.errors import InputError, OptionError
from hornbeam.tree.forest_walk import weighted_medians

X, Y = load_iris(return_X_y=True)
NUMBERS = load_diabetes(return_X_y=True)


def test_members_of_a_forest_are_fitted_estimators_that_predict_as_its_trees_do():
    forest = hb.ForestClassifier(4, max_depth=3, random_state=1).fit(X, Y)
    members = forest.estimators_
    assert [type(each) for each in members] == [hb.TreeClassifier] * 4
    assert members[0].max_depth == 3
    mean = np.mean([each.predict_proba(X) for each in forest], axis=0)
    np.testing.assert_allclose(mean, forest.predict_proba(X), atol=1e-15)
    assert forest[1].tree_.node_count == len(forest.forest_.trees[1])


def test_members_of_boosted_trees_are_regressors_per_round_and_output():
    model = hb.BoostedClassifier(max_iter=3).fit(X, Y)
    assert model.estimators_.shape == (3, 3)
    assert isinstance(model.estimators_[0, 0], hb.TreeRegressor)


def test_samples_are_the_rows_that_are_not_out_of_bag():
    weights = np.where(np.arange(150) % 10 == 0, 0.0, 1.0)
    with pytest.warns(UserWarning, match="do not have OOB scores"):
        forest = hb.ForestClassifier(3, oob_score=True, random_state=0).fit(X, Y, weights)
    samples = forest.estimators_samples_
    assert all(len(sample) == 135 and (weights[sample] > 0).all() for sample in samples)
    counted = np.flatnonzero(weights > 0)
    n_trees = sum(~np.isin(counted, sample) for sample in samples)
    assert np.array_equal(n_trees, forest.out_of_bag_.n_trees)


def test_too_few_trees_for_out_of_bag_rows_are_a_warning():
    with pytest.warns(UserWarning, match="do not have OOB scores"):
        hb.ForestClassifier(2, oob_score=True).fit(X, Y)


def test_the_tree_has_the_methods_of_scikit_learns_tree():
    model = hb.TreeClassifier(max_depth=2).fit(X, Y)
    tree = model.tree_
    assert np.array_equal(tree.apply(X.astype(np.float32)), model.apply(X))
    np.testing.assert_array_equal(tree.predict(X), model.predict_proba(X))
    np.testing.assert_array_equal(tree.compute_feature_importances(), model.feature_importances_)
    assert tree.n_classes.tolist() == [3]
    assert (tree.decision_path(X) != model.decision_path(X)).nnz == 0


@pytest.mark.parametrize("given", [[1], np.array([False, True]), ["x1"]])
def test_categories_of_an_array_are_declared_by_position_mask_or_name(given):
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.normal(size=90), np.tile([1.0, 5.0, 9.0], 30)])
    truth = np.where(values[:, 1] == 5, "middle", "ends")
    for make in (hb.TreeClassifier, hb.BoostedClassifier):
        model = make(categorical_features=given).fit(values, truth)
        assert model.score(values, truth) == 1.0
    assert hb.TreeClassifier(categorical_features=given, max_depth=1).fit(values, truth).tree_.n_leaves == 2


@pytest.mark.parametrize("given", ["x1", [4], ["nowhere"], [True], 3])
def test_wrong_categories_are_refused(given):
    with pytest.raises(OptionError, match="categorical_features"):
        hb.TreeClassifier(categorical_features=given).fit(X[:, :2], Y)


def test_boosting_stops_by_the_loss_of_validation_rows_that_are_passed():
    order = np.random.default_rng(0).permutation(150)
    train, held_out = order[:100], order[100:]
    model = hb.BoostedClassifier(early_stopping=True, max_iter=60)
    model.fit(X[train], Y[train], X_val=X[held_out], y_val=Y[held_out])
    assert len(model.validation_score_) >= model.n_iter_
    best = model.validation_score_[: model.n_iter_].argmax()
    assert best == model.n_iter_ - 1


@pytest.mark.parametrize("scoring", [None, "accuracy", "neg_log_loss"])
def test_boosting_stops_by_a_score_of_scikit_learn(scoring):
    model = hb.BoostedClassifier(early_stopping=True, scoring=scoring, max_iter=40, n_iter_no_change=4, tol=0.0)
    model.fit(X, Y.astype(str))
    assert model.n_iter_ == np.argmax(model.validation_score_) + 1
    assert len(model.validation_score_) <= 40
    if scoring == "accuracy":
        assert model.validation_score_.max() <= 1.0


def test_validation_rows_that_are_not_used_or_incomplete_are_refused():
    with pytest.raises(InputError, match="passed together"):
        hb.BoostedClassifier(early_stopping=True).fit(X, Y, X_val=X)
    with pytest.raises(OptionError, match="early stopping is off"):
        hb.BoostedClassifier(early_stopping=False).fit(X, Y, X_val=X, y_val=Y)
    with pytest.raises(InputError, match="not a class"):
        hb.BoostedClassifier(early_stopping=True).fit(X, Y, X_val=X, y_val=Y + 7)


def test_the_last_stage_is_the_prediction():
    model = hb.AdaBoostTreeClassifier(n_estimators=5).fit(X, Y)
    assert np.array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    np.testing.assert_array_equal(list(model.staged_decision_function(X))[-1], model.decision_function(X))
    assert list(model.staged_score(X, Y))[-1] == accuracy_score(Y, model.predict(X))
    boosted = hb.BoostedClassifier(max_iter=4).fit(X, Y)
    np.testing.assert_allclose(list(boosted.staged_decision_function(X))[-1], boosted.decision_function(X))


def test_adaboost_of_another_estimator_is_scikit_learns():
    model = hb.AdaBoostTreeClassifier(LogisticRegression(max_iter=500), n_estimators=3).fit(X, Y)
    assert isinstance(model.estimators_[0], LogisticRegression)
    assert model.score(X, Y) > 0.8
    model.set_params(estimator__C=0.5, n_estimators=2).fit(X, Y)
    assert model.estimators_[0].C == 0.5
    assert hb.AdaBoostTreeRegressor(LinearRegression(), n_estimators=2).fit(*NUMBERS).score(*NUMBERS) > 0.4
    trees = model.set_params(estimator=None).fit(X, Y)
    assert isinstance(trees.estimators_[0], hb.TreeClassifier)


def test_a_round_of_r2_by_hand():
    # Errors 0, 1, 2 of weight 1/4, 1/4, 1/2: e = 0, .5, 1; err = .625 is above one half: nothing changes.
    error, alpha, weights = r2_round(np.array([0.25, 0.25, 0.5]), np.array([0.0, 1.0, 2.0]))
    assert (error, alpha, weights.tolist()) == (0.625, 1.0, [0.25, 0.25, 0.5])
    # Weights 1/2, 1/4, 1/4: err = .375, beta = .6; weights times .6, .6^.5, 1.
    error, alpha, weights = r2_round(np.array([0.5, 0.25, 0.25]), np.array([0.0, 1.0, 2.0]))
    assert (error, alpha) == (0.375, pytest.approx(np.log(1 / 0.6)))
    unscaled = np.array([0.3, 0.25 * 0.6**0.5, 0.25])
    np.testing.assert_allclose(weights, unscaled / unscaled.sum())


def test_the_weighted_median_is_the_lower_one():
    numbers = np.array([[3.0, 1.0, 2.0], [1.0, 5.0, 4.0]])
    assert weighted_medians(numbers, np.array([1.0, 1.0, 2.0])).tolist() == [2.0, 4.0]
    assert weighted_medians(numbers, np.array([1.0, 1.0, 0.0])).tolist() == [1.0, 1.0]


def test_adaboost_of_numbers_improves_with_trees_and_is_saved(tmp_path):
    rows, truth = NUMBERS
    model = hb.AdaBoostTreeRegressor(n_estimators=20).fit(rows, truth)
    scores = list(model.staged_score(rows, truth))
    assert scores[-1] > scores[0]
    hb.save(model, tmp_path / "model.hb")
    again = hb.predict(hb.load(tmp_path / "model.hb"), rows).numbers
    np.testing.assert_array_equal(again, model.predict(rows))
    with pytest.raises(InputError, match="median"):
        hb.shap_values(model, rows[:2])


def test_every_parameter_is_described_in_the_docstring_and_in_the_html_box():
    for name in ("TreeClassifier", "ForestRegressor", "BoostedClassifier", "AdaBoostTreeRegressor", "RuleClassifier"):
        estimator = getattr(hb.estimators, name)()
        for parameter in estimator.get_params(deep=False):
            assert f"\n{parameter} : " in type(estimator).__doc__, (name, parameter)
    assert "The maximum depth of a tree" in hb.TreeClassifier(max_depth=3)._repr_html_()
