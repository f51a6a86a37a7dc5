"""Multi-class estimators from binary classifiers: any base, any form of rows, counts, threads, errors."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hornbeam as hb
from hornbeam.errors import NotFittedError, OptionError

KINDS = [
    hb.estimators.NestedDichotomyClassifier,
    hb.estimators.DDAGClassifier,
    hb.estimators.ADAGClassifier,
    hb.estimators.PairwiseClassifier,
]
CENTRES = np.array([(0, 0), (6, 0), (0, 6), (6, 6), (3, 12), (12, 3)])
X, Y = make_blobs([20] * 6, centers=CENTRES, cluster_std=0.9, random_state=1)
LETTERS = np.array(list("abcdef"))[Y]


class SaysOnlyClasses(ClassifierMixin, BaseEstimator):
    """A base classifier with `predict` alone."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.middles_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, X):
        apart = ((X[:, None, :] - self.middles_[None]) ** 2).sum(axis=2)
        return self.classes_[apart.argmin(axis=1)]


BASES = [
    None,
    hb.TreeClassifier("c45"),
    GaussianNB(),
    RidgeClassifier(),
    make_pipeline(StandardScaler(), GaussianNB()),
    SaysOnlyClasses(),
]


@pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_any_binary_classifier_is_accepted(kind, base):
    model = kind(base).fit(X, LETTERS)
    assert model.score(X, LETTERS) > 0.9
    assert model.classes_.tolist() == list("abcdef")
    assert hasattr(model, "predict_proba") == (base is None or hasattr(base, "predict_proba"))


def test_classifiers_and_evaluations_are_counted():
    expected = {"DDAGClassifier": (15, {5}), "ADAGClassifier": (15, {5}), "PairwiseClassifier": (15, {15})}
    for kind in KINDS[1:]:
        model = kind().fit(X, LETTERS)
        assert (model.n_classifiers_, set(model.evaluations(X).tolist())) == expected[kind.__name__]
        assert len(model.estimators_) == 15
    tree = hb.estimators.NestedDichotomyClassifier(structure=((("a", "b"), "c"), ("d", ("e", "f")))).fit(X, LETTERS)
    assert (tree.n_classifiers_, len(tree.estimators_)) == (5, 5)
    lengths = tree.class_tree_.path_lengths
    assert lengths == {"a": 3, "b": 3, "c": 2, "d": 2, "e": 3, "f": 3}
    assert tree.evaluations(X).tolist() == [lengths[predicted] for predicted in tree.predict(X)]


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_sum_to_one_and_mostly_agree_with_the_class(kind):
    model = kind(GaussianNB()).fit(X, LETTERS)
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    assert (model.classes_[probabilities.argmax(axis=1)] == model.predict(X)).mean() > 0.97
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), probabilities)


def test_probabilities_of_two_classes_are_those_of_the_base():
    two = Y < 2
    base = GaussianNB().fit(X[two], Y[two])
    for kind in KINDS:
        found = kind(GaussianNB()).fit(X[two], Y[two]).predict_proba(X)
        np.testing.assert_allclose(found, base.predict_proba(X), atol=1e-6)


def test_adag_also_has_probabilities_from_its_games():
    probabilities = (
        hb.estimators.ADAGClassifier(GaussianNB(), probabilities="games", order="reorder").fit(X, Y).predict_proba(X)
    )
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    assert (probabilities.argmax(axis=1) == Y).mean() > 0.95


def test_reordering_stores_pairwise_errors_and_does_not_change_the_number_of_games():
    model = hb.estimators.ADAGClassifier(KNeighborsClassifier(), order="reorder").fit(X, Y)
    assert model.pairwise_errors_.shape == (6, 6)
    assert ((model.pairwise_errors_ >= 0) & (model.pairwise_errors_ < 0.2)).all()
    assert set(model.evaluations(X).tolist()) == {5}
    assert model.score(X, Y) > 0.95


def test_every_structure_separates_setosa_first():
    # Petals of setosa are shorter than 2.5 cm, those of the other two longer: one cut, purity 1.
    iris = load_iris(as_frame=True)
    names = np.array(iris.target_names)[iris.target]
    by_purity = hb.estimators.NestedDichotomyClassifier().fit(iris.data, names).class_tree_
    by_folds = hb.estimators.NestedDichotomyClassifier(GaussianNB(), structure="cv").fit(iris.data, names).class_tree_
    assert by_purity.pairs == by_folds.pairs == ("setosa", ("versicolor", "virginica"))
    assert by_purity.nodes[0].score == pytest.approx(1.0)
    assert [node.rows for node in by_purity.nodes] == [150, 50, 100, 50, 50]
    again = hb.estimators.NestedDichotomyClassifier(structure=by_purity.pairs).fit(iris.data, names)
    assert again.class_tree_.pairs == by_purity.pairs


@pytest.mark.parametrize("kind", KINDS)
def test_text_and_missing_values_reach_the_trees_in_every_form_of_rows(kind):
    frame = pd.DataFrame({"x": X[:, 0], "y": X[:, 1], "word": np.array(["p", "q", None, "r", "p", "q"], object)[Y]})
    frame.loc[::7, "x"] = np.nan
    model = kind().fit(frame, LETTERS)
    assert model.score(frame, LETTERS) > 0.9
    assert model.feature_names_in_.tolist() == ["x", "y", "word"]
    assert (model.predict(frame[["word", "y", "x"]]) == model.predict(frame)).all()
    plain = kind().fit(X, LETTERS).predict_proba(X)
    for rows in (X.tolist(), coo_array(X)):
        np.testing.assert_array_equal(kind().fit(rows, LETTERS).predict_proba(rows), plain)
    columns = {"x": X[:, 0], "y": X[:, 1]}
    np.testing.assert_array_equal(kind().fit(columns, LETTERS).predict_proba(columns), plain)


@pytest.mark.parametrize(
    "model",
    [
        hb.estimators.NestedDichotomyClassifier(structure="cv", folds=2),
        hb.estimators.DDAGClassifier(),
        hb.estimators.ADAGClassifier(order="reorder", folds=2),
        hb.estimators.PairwiseClassifier(),
    ],
)
def test_threads_and_runs_do_not_change_the_prediction(model):
    some = Y < 4
    base = RandomForestClassifier(3)
    seeded = clone(model).set_params(estimator=base, random_state=11)
    probabilities = [clone(seeded).set_params(n_jobs=n).fit(X[some], Y[some]).predict_proba(X) for n in (1, 2, -1)]
    np.testing.assert_array_equal(probabilities[0], probabilities[1])
    np.testing.assert_array_equal(probabilities[0], probabilities[2])


def test_each_classifier_has_a_random_state_of_its_own():
    model = hb.estimators.PairwiseClassifier(RandomForestClassifier(1), random_state=0).fit(X, Y)
    states = {member.random_state for member in model.estimators_}
    assert len(states) == 15
    assert (
        hb.estimators.PairwiseClassifier(RandomForestClassifier(1, random_state=5))
        .fit(X, Y)
        .estimators_[3]
        .random_state
        == 5
    )


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_weight_zero_and_their_classes_are_ignored(kind):
    weights = np.where(Y == 3, 0.0, 1.0 + Y % 2)
    model = kind().fit(X, LETTERS, weights)
    without = kind().fit(X[Y != 3], LETTERS[Y != 3], weights[Y != 3])
    assert model.classes_.tolist() == list("abcef")
    np.testing.assert_array_equal(model.predict_proba(X), without.predict_proba(X))


@pytest.mark.parametrize("kind", KINDS)
def test_one_class_needs_no_classifier(kind):
    model = kind().fit(X, np.zeros(len(X), int))
    assert (model.n_classifiers_, set(model.predict(X)), model.predict_proba(X).tolist()) == (0, {0}, [[1.0]] * len(X))


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_is_pickled_and_its_base_is_tuned(kind):
    model = kind(hb.TreeClassifier()).fit(X, LETTERS)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    search = GridSearchCV(model, {"estimator__max_depth": [1, 4]}, cv=2).fit(X, LETTERS)
    assert search.best_params_["estimator__max_depth"] in (1, 4)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (hb.estimators.NestedDichotomyClassifier(structure="purety"), "structure must be purity, cv.*'purity'"),
        (hb.estimators.NestedDichotomyClassifier(structure=("a", "b")), "missing classes: c, d, e, f"),
        (hb.estimators.DDAGClassifier(order="abc"), "order must be a list of all classes"),
        (hb.estimators.DDAGClassifier(order=list("abcdee")), "each of the 6 classes once"),
        (hb.estimators.ADAGClassifier(order=list("abcdex")), "'x', which is not a class"),
        (hb.estimators.ADAGClassifier(probabilities="vote"), "probabilities must be coupling or games"),
        (hb.estimators.ADAGClassifier(order="reorder", folds=1), "n_folds must be an integer between 2 and 120"),
        (hb.estimators.PairwiseClassifier(n_jobs=0), "n_jobs must be None or an integer other than 0"),
    ],
)
def test_an_invalid_setting_is_named_and_nothing_is_fitted(model, message):
    with pytest.raises(OptionError, match=message):
        model.fit(X, LETTERS)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_weights_require_a_base_that_supports_them():
    with pytest.raises(OptionError, match="KNeighborsClassifier does not"):
        hb.estimators.PairwiseClassifier(KNeighborsClassifier()).fit(X, Y, np.ones(len(X)))
