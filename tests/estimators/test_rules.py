"""RuleClassifier: methods, parameters, errors."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score

import hornbeam as hb
from hornbeam.errors import OptionError

X, Y = load_iris(return_X_y=True)


@pytest.mark.parametrize("method", ["c45rules", "postpruned", "leaves"])
def test_every_method_fits_iris(method):
    scores = cross_val_score(hb.estimators.RuleClassifier(method=method), X, Y, cv=5)
    assert scores.mean() > 0.9


def test_c45rules_of_iris_are_those_of_release_8():
    found = hb.estimators.RuleClassifier().fit(X, Y)
    assert len(found.rules_) == 4  # four rules, default setosa, four errors: recorded in tests/data/peers/c45rules
    assert found.rules_.default.label == 0
    assert (found.predict(X) != Y).sum() == 4


def test_rules_of_leaves_predict_what_the_tree_predicts():
    rules = hb.estimators.RuleClassifier("cart", method="leaves").fit(X, Y)
    tree = hb.TreeClassifier("cart").fit(X, Y)
    assert np.array_equal(rules.predict_proba(X), tree.predict_proba(X))
    assert np.array_equal(rules.predict(X), tree.predict(X))


def test_validation_rows_score_rules_by_laplace():
    found = hb.estimators.RuleClassifier(method="postpruned", validation_fraction=0.25, random_state=3).fit(X, Y)
    assert found.tree_.nodes.rows[0] == pytest.approx(112, abs=2)
    assert found.score(X, Y) > 0.9
    again = hb.estimators.RuleClassifier(method="postpruned", validation_fraction=0.25, random_state=3).fit(X, Y)
    assert str(again.rules_) == str(found.rules_)


def test_parameters_can_be_tuned():
    grid = GridSearchCV(
        hb.estimators.RuleClassifier(), {"confidence": [0.1, 0.5], "predict_by": ["first", "vote"]}, cv=3
    )
    assert grid.fit(X, Y).best_score_ > 0.9
    assert clone(grid.best_estimator_).get_params() == grid.best_estimator_.get_params()


def test_frames_with_text_and_missing_values_are_accepted():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"colour": ["red", "green", None, "red"] * 5, "size": [1.0, None, 3.0, 4.0] * 5})
    found = hb.estimators.RuleClassifier("plain", method="leaves").fit(frame, ["a", "b", "b", "a"] * 5)
    assert found.predict(frame).tolist() == ["a", "b", "b", "a"] * 5
    assert found.apply(frame).shape == (20,)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "magic"}, "method must be one of c45rules, postpruned, leaves, got 'magic'"),
        ({"predict_by": "luck"}, "predict_by must be one of first, vote, got 'luck'"),
        ({"confidence": 0.0}, "confidence must be above 0"),
        ({"validation_fraction": 0.9}, "validation_fraction must be between 0 and 0.5"),
    ],
)
def test_invalid_parameters_are_named(settings, message):
    with pytest.raises(OptionError, match=message):
        hb.estimators.RuleClassifier(**settings).fit(X, Y)
