"""Estimators of several trees: fitted attributes, and parameters with scikit-learn's meaning."""

import numpy as np
import pandas as pd
import pytest
from sklearn import ensemble
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score

import hornbeam as hb
from hornbeam.errors import NotFittedError, OptionError

X, Y = load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(hb.ForestClassifier, ensemble.RandomForestClassifier), (hb.ExtraTreesClassifier, ensemble.ExtraTreesClassifier)],
)
def test_a_classification_forest_is_as_accurate_as_scikit_learn(ours, theirs):
    scores = [cross_val_score(kind(60, random_state=0), X, Y, cv=4).mean() for kind in (ours, theirs)]
    assert scores[0] > scores[1] - 0.01


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(hb.ForestRegressor, ensemble.RandomForestRegressor), (hb.ExtraTreesRegressor, ensemble.ExtraTreesRegressor)],
)
def test_a_regression_forest_is_as_accurate_as_scikit_learn(ours, theirs):
    data = load_diabetes(return_X_y=True)
    scores = [cross_val_score(kind(60, random_state=0), *data, cv=4).mean() for kind in (ours, theirs)]
    assert scores[0] > scores[1] - 0.03


def test_out_of_bag_results_have_scikit_learns_names():
    model = hb.ForestClassifier(40, oob_score=True, random_state=1).fit(X, Y)
    assert model.oob_decision_function_.shape == (len(X), 2)
    assert model.oob_score_ == pytest.approx((model.oob_decision_function_.argmax(1) == Y).mean())
    assert 0.93 < model.oob_score_ < 0.98
    numbers = hb.BaggedRegressor(n_estimators=40, oob_score=True).fit(*load_diabetes(return_X_y=True))
    truth = load_diabetes().target
    spread = ((truth - truth.mean()) ** 2).mean()
    assert numbers.oob_score_ == pytest.approx(1 - ((truth - numbers.oob_prediction_) ** 2).mean() / spread)
    with pytest.raises(OptionError, match="out-of-bag rows"):
        hb.ExtraTreesClassifier(3, oob_score=True).fit(X, Y)


def test_warm_start_grows_only_the_additional_trees():
    model = hb.ForestClassifier(3, warm_start=True, random_state=1).fit(X, Y)
    before = model.forest_.trees
    model.set_params(n_estimators=7).fit(X, Y)
    assert model.forest_.trees[:3] == before
    fresh = hb.ForestClassifier(7, random_state=1).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), fresh.predict_proba(X))
    with pytest.raises(OptionError, match="at least the 7 trees"):
        model.set_params(n_estimators=5).fit(X, Y)


def test_importances_sum_to_one_and_agree_with_scikit_learn():
    ours = hb.ForestClassifier(100, random_state=0).fit(X, Y).feature_importances_
    theirs = ensemble.RandomForestClassifier(100, random_state=0).fit(X, Y).feature_importances_
    assert ours.sum() == pytest.approx(1.0)
    assert np.corrcoef(ours, theirs)[0, 1] > 0.8


def test_apply_returns_the_leaf_per_tree():
    model = hb.ForestClassifier(4).fit(X, Y)
    ends = model.apply(X[:9])
    assert ends.shape == (9, 4)
    passed, starts = model.decision_path(X[:9])
    assert starts.tolist() == [0, *np.cumsum([len(tree) for tree in model.forest_.trees])]
    assert all(passed[row, starts[tree] + ends[row, tree]] == 1 for row in range(9) for tree in range(4))


@pytest.mark.parametrize("weight", ["balanced", "balanced_subsample", {0: 5.0, 1: 1.0}])
def test_class_weights_change_the_predictions(weight):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 3))
    y = (x[:, 0] + 2 * rng.normal(size=600) > 3).astype(int)
    settings = {"n_estimators": 20, "min_samples_leaf": 10, "random_state": 1}
    plain = hb.ForestClassifier(**settings).fit(x, y).predict_proba(x)[:, 1].mean()
    moved = hb.ForestClassifier(class_weight=weight, **settings).fit(x, y).predict_proba(x)[:, 1].mean()
    assert moved < plain if isinstance(weight, dict) else moved > plain


def test_frames_with_categories_and_missing_values_need_no_encoding():
    frame = pd.DataFrame({"a": ["x", "y", None, "x"] * 20, "b": [1.0, np.nan, 3.0, 4.0] * 20})
    y = ["no", "yes", "yes", "no"] * 20
    model = hb.ForestClassifier(10).fit(frame, y)
    assert model.classes_.tolist() == ["no", "yes"]
    assert (model.predict(frame) == y).mean() > 0.95


def test_parameters_and_parts_are_searched():
    grid = GridSearchCV(hb.ForestClassifier(5), {"max_depth": [1, 4], "max_features": ["sqrt", 0.5]}, cv=2).fit(X, Y)
    assert grid.best_params_["max_depth"] == 4
    drawn = hb.ForestClassifier(5, sampling=hb.ensembles.RowSampling(method="balanced", with_replacement=False)).fit(
        X, Y
    )
    assert {tree.metadata["rows"] for tree in drawn.forest_.trees} == {2 * 212}  # 212 of the rarer class


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_estimators": 0},
        {"max_samples": 0},
        {"max_samples": 1.5},
        {"max_features": 0},
        {"combine": "median"},
        {"bootstrap": False, "max_samples": 0.5},
    ],
)
def test_invalid_parameters_are_rejected(wrong):
    with pytest.raises(ValueError):
        hb.ForestClassifier(**{"n_estimators": 2, **wrong}).fit(X, Y)


def test_nothing_is_predicted_before_fit():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        hb.ForestClassifier().predict(X)


def test_progress_reports_the_remaining_time(capsys):
    hb.ForestClassifier(3, verbose=1).fit(X, Y)
    assert "3 of 3 trees, 0 s left" in capsys.readouterr().err


def test_adaboost_is_scikit_learns_samme_on_stumps():
    """Errors and weights of all stumps; wdbc, where scikit-learn's own run has no ties in ten rounds."""
    ours = hb.AdaBoostTreeClassifier(n_estimators=10).fit(X.astype(np.float32), Y)
    theirs = ensemble.AdaBoostClassifier(n_estimators=10, random_state=0).fit(X, Y)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, atol=1e-9)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, atol=1e-7)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    *_, last = ours.staged_predict(X)
    np.testing.assert_array_equal(last, ours.predict(X))


def test_c50_boosting_of_c45_trees_learns_iris():
    model = hb.AdaBoostTreeClassifier(n_estimators=5, recipe="c45", algorithm="c50", max_depth=None)
    model.fit(*load_iris(return_X_y=True))
    assert model.score(*load_iris(return_X_y=True)) > 0.97
