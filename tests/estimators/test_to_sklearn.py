"""Trees and forests as scikit-learn's own classes: the same nodes, the same predictions."""

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree
from sklearn.datasets import load_diabetes, load_iris

import hornbeam as hb
from hornbeam.errors import InputError


def single(X):
    """The values that single precision represents."""
    return X.astype(np.float32).astype(float)


IRIS = single(load_iris().data), load_iris().target
DIABETES = single(load_diabetes().data), load_diabetes().target


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (hb.TreeClassifier(max_depth=4), sklearn.tree.DecisionTreeClassifier),
        (hb.ForestClassifier(4, random_state=0), sklearn.ensemble.RandomForestClassifier),
        (hb.ExtraTreesClassifier(4, random_state=0), sklearn.ensemble.ExtraTreesClassifier),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_classifier_of_scikit_learn_predicts_the_same(model, kind):
    rows, truth = IRIS
    names = np.array(["setosa", "versicolor", "virginica"])[truth]
    model.fit(rows, names)
    other = hb.estimators.to_sklearn(model)
    assert type(other) is kind
    assert other.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    np.testing.assert_allclose(other.predict_proba(rows), model.predict_proba(rows), rtol=1e-12)
    assert (other.predict(rows) == model.predict(rows)).all()
    assert (other.apply(rows) == model.apply(rows)).all()
    np.testing.assert_allclose(other.feature_importances_, model.feature_importances_, rtol=1e-6)


@pytest.mark.parametrize(
    "model",
    [
        hb.TreeRegressor(max_depth=5),
        hb.ForestRegressor(3),
        hb.ExtraTreesRegressor(3),
        hb.BaggedRegressor(n_estimators=3),
    ],
)
def test_a_regressor_of_scikit_learn_predicts_the_same(model):
    rows, truth = DIABETES
    np.testing.assert_allclose(
        hb.estimators.to_sklearn(model.fit(rows, truth)).predict(rows), model.predict(rows), rtol=1e-12
    )


def test_missing_values_take_the_same_branch():
    rows, truth = IRIS
    missing = np.where(np.random.default_rng(0).random(rows.shape) < 0.2, np.nan, rows)
    model = hb.TreeClassifier(max_depth=4).fit(missing, truth)
    assert (hb.estimators.to_sklearn(model).predict(missing) == model.predict(missing)).all()


def test_scikit_learn_draws_the_tree():
    model = hb.TreeClassifier(max_depth=1).fit(*IRIS)
    assert sklearn.tree.export_text(hb.estimators.to_sklearn(model)) == hb.export_text(model)


def test_names_of_columns_are_kept():
    frame = load_iris(as_frame=True)
    model = hb.TreeClassifier(max_depth=2).fit(frame.data, frame.target)
    assert hb.estimators.to_sklearn(model).feature_names_in_.tolist() == list(frame.data.columns)


def test_a_model_without_a_counterpart_is_rejected_with_another_method():
    model = hb.BoostedClassifier(max_iter=2).fit(*IRIS)
    with pytest.raises(InputError, match=r"BoostedClassifier.*shap_values"):
        hb.estimators.to_sklearn(model)


def test_a_question_about_categories_is_rejected():
    codes = np.array([[0.0], [3.0], [7.0]] * 20)
    model = hb.TreeClassifier(categorical_features=[0]).fit(codes, ["a", "b", "a"] * 20)
    with pytest.raises(InputError, match="no cut of a numeric column"):
        hb.estimators.to_sklearn(model)


@pytest.mark.parametrize("rule", ["fractional", "surrogates"])
def test_missing_values_without_a_branch_of_their_own_are_rejected(rule):
    rows, truth = IRIS
    missing = np.where(np.random.default_rng(0).random(rows.shape) < 0.2, np.nan, rows)
    with pytest.raises(InputError, match="no single branch"):
        hb.estimators.to_sklearn(hb.TreeClassifier(missing=rule).fit(missing, truth))
