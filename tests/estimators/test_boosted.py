"""Boosted estimators compared with scikit-learn's HistGradientBoosting."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.model_selection import KFold, cross_val_predict, train_test_split

from hornbeam.errors import OptionError
from hornbeam.estimators.boosted import BoostedClassifier, BoostedRegressor


def test_classification_is_about_as_accurate_as_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    X, Xt, y, yt = train_test_split(X, y, random_state=0, stratify=y)
    ours = log_loss(yt, BoostedClassifier(max_iter=40).fit(X, y).predict_proba(Xt))
    theirs = log_loss(yt, HistGradientBoostingClassifier(max_iter=40).fit(X, y).predict_proba(Xt))
    assert ours < theirs + 0.03  # 143 rows: noise of that size


def test_regression_is_about_as_accurate_as_scikit_learn():
    X, y = load_diabetes(return_X_y=True)
    folds = KFold(5, shuffle=True, random_state=0)
    ours, theirs = (
        mean_squared_error(y, cross_val_predict(made(max_iter=40), X, y, cv=folds))
        for made in (BoostedRegressor, HistGradientBoostingRegressor)
    )
    assert ours < 1.05 * theirs


def test_early_stopping_keeps_the_best_round():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    y = X[:, 0] + 2 * rng.normal(size=600)
    model = BoostedRegressor(max_iter=200, early_stopping=True, n_iter_no_change=5, learning_rate=0.3).fit(X, y)
    assert model.n_iter_ == int(np.argmax(model.validation_score_)) + 1
    assert len(model.validation_score_) == model.n_iter_ + 5


def test_without_a_validation_fraction_the_training_loss_stops_boosting():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    stops = {"early_stopping": True, "validation_fraction": None, "n_iter_no_change": 5, "tol": 1e-3}
    model = BoostedClassifier(max_iter=500, **stops).fit(X, X[:, 0] > 0)
    assert model.n_iter_ + 5 == len(model.train_score_) < 500
    assert len(model.validation_score_) == 0  # no row is held out


def test_warm_start_continues():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] > 0) * 1
    model = BoostedClassifier(max_iter=5, warm_start=True).fit(X, y)
    first = model.forest_.trees
    model.set_params(max_iter=9).fit(X, y)
    assert len(model) == 9
    assert model.forest_.trees[:5] == first
    whole = BoostedClassifier(max_iter=9).fit(X, y)
    assert (model.predict_proba(X) == whole.predict_proba(X)).all()


def test_stages_end_at_the_prediction():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.digitize(X[:, 0] + X[:, 1], [-1, 1])
    model = BoostedClassifier(max_iter=6).fit(X, y)
    stages = list(model.staged_predict_proba(X))
    assert len(stages) == 6
    np.testing.assert_allclose(stages[-1], model.predict_proba(X), rtol=1e-12)
    assert (list(model.staged_predict(X))[-1] == model.predict(X)).all()
    assert model.decision_function(X).shape == (300, 3)
    assert model.feature_importances_[:2].sum() > 0.9


def test_class_weights_count_as_row_weights():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] > 0.8) * 1
    weighed = BoostedClassifier(max_iter=5, class_weight={0: 1, 1: 3}).fit(X, y)
    by_rows = BoostedClassifier(max_iter=5).fit(X, y, sample_weight=np.where(y == 1, 3.0, 1.0))
    assert (weighed.predict_proba(X) == by_rows.predict_proba(X)).all()
    BoostedClassifier(max_iter=2, class_weight="balanced").fit(X, y)


def test_unknown_losses_and_groups_are_rejected():
    X, y = np.arange(8.0)[:, None], np.arange(8.0)
    with pytest.raises(OptionError, match="loss must be one of"):
        BoostedRegressor(loss="log_loss").fit(X, y)
    with pytest.raises(OptionError, match="interaction_cst"):
        BoostedRegressor(interaction_cst="all").fit(X, y)
    with pytest.raises(OptionError, match="monotonic_cst"):
        BoostedRegressor(monotonic_cst=[1, 0]).fit(X, y)
